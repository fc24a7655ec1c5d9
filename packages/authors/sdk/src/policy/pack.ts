import process from 'node:process';
import { checkedPack } from './policy.js';
import type { PolicyPack, PolicyPackDefinition } from './policy.js';

/** Whether the runner of another SDK has loaded the pack: it leaves the serving to the pack. */
const foreignRunner = (): boolean => /[\\/]cmd[\\/]run-policy-pack(?:[\\/]|$)/.test(process.argv[1] ?? '');

/**
 * Makes a pack of policies; the default export of the pack's main module. Throws RangeError for names that are no names
 * or come twice.
 */
export function policyPack(definition: PolicyPackDefinition): PolicyPack {
  const pack = checkedPack(definition);
  if (foreignRunner()) void import('./serve.js').then(({ servePack }) => servePack(pack));
  return pack;
}
