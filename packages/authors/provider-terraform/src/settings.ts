import { ProviderError } from '@cairn/wire';

/**
 * Whether the provider has its settings. Handlers are only called when it has: where some are not known yet, plans say
 * what the schema says.
 */
// [TFS-5]
export interface Settings {
  state: 'absent' | 'unknown' | 'known';
}

/** Why something cannot be looked at. */
export function settingsUnknown(): ProviderError {
  return new ProviderError('FAILED_PRECONDITION', 'the settings of the provider are not known yet');
}
