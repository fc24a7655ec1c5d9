import type { DeferringProvider, Provider } from '@cairn/wire';

/** Whether a provider has no settings yet because they are unknown in this preview [PROV-13]. */
export function isUnconfigured(provider: Provider): boolean {
  return (provider as Partial<DeferringProvider>).unconfigured === true;
}
