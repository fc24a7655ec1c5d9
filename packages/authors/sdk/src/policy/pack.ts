import process from 'node:process';
import { checkedPack } from './policy.js';
import type { PolicyPack, PolicyPackDefinition } from './policy.js';

/** Tells whether the runner of another SDK has loaded the pack. It leaves the serving to the pack. */
const foreignRunner = (): boolean => /[\\/]cmd[\\/]run-policy-pack(?:[\\/]|$)/.test(process.argv[1] ?? '');

/**
 * Creates a pack of policies, the default export of the pack's main module. Throws RangeError for invalid and duplicate
 * names.
 */
export function policyPack(definition: PolicyPackDefinition): PolicyPack {
  const pack = checkedPack(definition);
  if (foreignRunner()) void import('./serve.js').then(({ servePack }) => servePack(pack));
  return pack;
}
