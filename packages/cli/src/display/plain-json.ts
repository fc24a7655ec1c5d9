import { nopCrypter } from '@cairn/crypters';
import { ValueEncoder } from '@cairn/state';
import type { Json } from '@cairn/state';
import type { PropertyValue } from '@cairn/values';
import { withPlainSecret } from './plain-secrets.js';

/**
 * A value as JSON for scripts [EVT-5]: secrets are `[secret]` unless shown, all else has the form of the state file
 * [VAL-9]: assets, references, byte strings and numbers that JSON does not have in signature form, unknowns as their
 * placeholder.
 */
export function plainJson(value: PropertyValue, showSecrets: boolean): Json {
  return new ValueEncoder(nopCrypter).value(withPlainSecret(value, showSecrets));
}
