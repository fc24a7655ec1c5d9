import { nopCrypter } from '@cairn/crypters';
import { ValueEncoder } from '@cairn/state';
import type { Json } from '@cairn/state';
import { SECRET_TEXT, kindOf, mapValues, transform } from '@cairn/values';
import type { OutputValue, PropertyMap, PropertyValue, Secret } from '@cairn/values';

/**
 * Returns a value as JSON for scripts [EVT-5]. Secrets are `[secret]` unless shown; everything else has the form of the
 * state file [VAL-9]. Assets, references, byte strings and numbers that JSON lacks have signature form; unknowns are
 * their placeholder.
 */
export function plainJson(value: PropertyValue, showSecrets: boolean): Json {
  return new ValueEncoder(nopCrypter).value(withPlainSecret(value, showSecrets));
}

/** Returns the value with each secret as the plain text `[secret]` or, if secrets are shown, as its content. */
export function withPlainSecret(value: PropertyValue, showSecrets: boolean): PropertyValue {
  return transform(value, (item) => {
    const kind = kindOf(item);
    if (kind === 'secret') return showSecrets ? (item as Secret).value : SECRET_TEXT;
    if (kind !== 'output' || !(item as OutputValue).secret) return item;
    const { value: inner } = item as OutputValue;
    return showSecrets && inner !== undefined ? inner : SECRET_TEXT;
  });
}

/** Applies {@link withPlainSecret} to every property of a map. */
export function withPlainSecrets(map: PropertyMap, showSecrets: boolean): PropertyMap {
  return mapValues(map, (value) => withPlainSecret(value, showSecrets));
}
