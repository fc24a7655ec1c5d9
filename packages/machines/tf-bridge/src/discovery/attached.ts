import { cairnError } from '@cairn/diagnostics';
import { readReattach } from '@cairn/tfplugin';
import type { AttachedProvider } from '@cairn/tfplugin';
import { PROTOCOL_VERSIONS } from '../process/environment.js';
import type { Environment } from './settings.js';
import { readSource, sameSource } from './source-address.js';
import type { ProviderSource } from './source-address.js';

/** Returns the running provider of the address [TFP-6]. Fails with CAIRN-USAGE if the variable cannot be read. */
export function attachedIn(env: Environment, source: ProviderSource): AttachedProvider | undefined {
  const text = env['TF_REATTACH_PROVIDERS'] ?? '';
  if (text === '') return undefined;
  const read = readReattach(text, PROTOCOL_VERSIONS);
  if (read.t === 'refused') throw unusable(read.why);
  for (const [address, provider] of read.providers) {
    const of = readSource(address);
    if (of.t === 'refused') throw unusable(of.why);
    if (sameSource(of.source, source)) return provider;
  }
  return undefined;
}

const unusable = (why: string) =>
  cairnError('CAIRN-USAGE', 'cannot use TF_REATTACH_PROVIDERS', { causes: [why] });
