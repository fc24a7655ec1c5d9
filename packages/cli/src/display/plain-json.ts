import { nopCrypter } from '@cairn/crypters';
import { ValueEncoder } from '@cairn/state';
import type { Json } from '@cairn/state';
import type { PropertyValue } from '@cairn/values';
import { withPlainSecret } from './plain-secrets.js';

/**
 * A value as JSON for scripts (state.md 8.3): secrets are `[secret]` unless shown, all else has the form of the state file (state.md 1.7): assets,
 * references, byte strings and numbers that JSON does not have in signature form, unknowns as their placeholder.
 */
export function plainJson(value: PropertyValue, showSecrets: boolean): Json {
  return new ValueEncoder(nopCrypter).value(withPlainSecret(value, showSecrets));
}
