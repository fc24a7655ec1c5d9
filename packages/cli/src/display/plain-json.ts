import { kindOf } from '@cairn/values';
import type {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyValue,
  ResourceReference,
  Secret,
} from '@cairn/values';
import { SECRET_TEXT, UNKNOWN_TEXT } from './value-text.js';

/** Key and kinds under which special values stand in JSON (state.md 1.7). */
const SIGNATURE = '4dabf18193072939515e22adb298388d';
const ASSET = 'c44067f5952c0a294b673a41bacd8c17';
const ARCHIVE = '0def7320c3a5731c473e5ecbe6d01bc7';

/**
 * A value as JSON for scripts (state.md 8.3): secrets are `[secret]` unless shown, unknowns `output<string>`, assets in signature
 * form, references their URN or id.
 */
export function plainJson(value: PropertyValue, showSecrets: boolean): unknown {
  const kind = kindOf(value);
  switch (kind) {
    case 'null':
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'array':
      return (value as PropertyArray).map((item) => plainJson(item, showSecrets));
    case 'object':
      return plainMap(value as PropertyMap, showSecrets);
    case 'secret':
      return showSecrets ? plainJson((value as Secret).value, true) : SECRET_TEXT;
    case 'unknown':
      return UNKNOWN_TEXT;
    case 'output': {
      const output = value as OutputValue;
      if (output.secret && !showSecrets) return SECRET_TEXT;
      return output.value === undefined ? UNKNOWN_TEXT : plainJson(output.value, showSecrets);
    }
    case 'asset': {
      const { text, path, uri, hash } = value as Asset;
      return { [SIGNATURE]: ASSET, hash, text, path, uri };
    }
    case 'archive': {
      const { assets, path, uri, hash } = value as Archive;
      return {
        [SIGNATURE]: ARCHIVE,
        hash,
        assets: assets === undefined ? undefined : plainMap(assets, showSecrets),
        path,
        uri,
      };
    }
    case 'reference': {
      const { id, urn } = value as ResourceReference;
      return typeof id === 'string' && id !== '' ? id : urn;
    }
    case 'bytes':
      return Buffer.from((value as ByteString).bytes).toString('base64');
  }
}

function plainMap(map: PropertyMap, showSecrets: boolean): unknown {
  return Object.fromEntries(
    Object.keys(map)
      .sort()
      .map((key) => [key, plainJson(map[key] as PropertyValue, showSecrets)]),
  );
}
