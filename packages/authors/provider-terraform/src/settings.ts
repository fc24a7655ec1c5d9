import { ProviderError } from '@cairn/wire';

/**
 * State of the provider's settings. Handlers are only called if all settings are known. While some are unknown, plans
 * follow the schema alone.
 */
// [TFS-5]
export interface SettingsStatus {
  state: 'absent' | 'unknown' | 'known';
}

/** Returns the error for reading something while settings are unknown. */
export function settingsUnknown(): ProviderError {
  return new ProviderError('FAILED_PRECONDITION', 'the settings of the provider are not known yet');
}
