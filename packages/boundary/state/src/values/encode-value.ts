import { UNKNOWN_ID } from '@cairn/addresses';
import { nopCrypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { unreachable } from '@cairn/diagnostics';
import { UNKNOWN, kindOf } from '@cairn/values';
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
import { goJson } from './go-json.js';
import type { Json, JsonObject } from './go-json.js';
import { STATE_SIGNATURES, SIGNATURE_KEY } from './signatures.js';

/**
 * Options of the encoder. `showSecrets` writes secrets as `plaintext` instead of `ciphertext`, for exports that show
 * them.
 */
export interface SecretEncodeOptions {
  readonly showSecrets?: boolean;
}

/**
 * Turns property values into the JSON of the file format [VAL-9], with secrets sealed by the crypter. Records whether
 * it has met a byte string, inside secrets too, because that decides the version of the format.
 */
export class ValueEncoder {
  /** True if it has met a byte string. */
  byteStrings = false;
  readonly #crypter: Crypter;
  readonly #options: SecretEncodeOptions;

  constructor(crypter: Crypter, options: SecretEncodeOptions = {}) {
    this.#crypter = crypter;
    this.#options = options;
  }

  value(value: PropertyValue): Json {
    return this.#encode(value, this.#crypter);
  }

  /** Returns the map itself if it is JSON already. */
  map(map: PropertyMap): JsonObject {
    return isJson(map) ? (map as JsonObject) : this.#encodeMap(map, this.#crypter);
  }

  #encode(value: PropertyValue, crypter: Crypter): Json {
    const kind = kindOf(value);
    switch (kind) {
      case 'null':
      case 'boolean':
      case 'string':
        return value as null | boolean | string;
      case 'number':
        return Number.isFinite(value) ? (value as number) : nonFinite(value as number);
      case 'array':
        return (value as PropertyArray).map((item) => this.#encode(item, crypter));
      case 'object':
        return this.#encodeMap(value as PropertyMap, crypter);
      case 'secret':
        return this.#seal((value as Secret).value, value as Secret, crypter);
      case 'unknown':
        return UNKNOWN_ID;
      case 'output':
        return this.#encodeOutput(value as OutputValue, crypter);
      case 'asset':
        return encodeAsset(value as Asset);
      case 'archive':
        return encodeArchive(value as Archive);
      case 'reference':
        return encodeReference(value as ResourceReference);
      case 'bytes':
        this.byteStrings = true;
        return signed(STATE_SIGNATURES.bytes, {
          value: Buffer.from((value as ByteString).bytes).toString('base64'),
        });
      default:
        return unreachable(kind);
    }
  }

  #encodeMap(map: PropertyMap, crypter: Crypter): JsonObject {
    const object = bare();
    for (const key in map) set(object, key, this.#encode(map[key] as PropertyValue, crypter));
    return object;
  }

  /** Seals a secret. Its content is not sealed again: the whole text is [VAL-9]. */
  #seal(inner: PropertyValue, identity: object, crypter: Crypter): JsonObject {
    const plaintext = goJson(this.#encode(inner, nopCrypter), { escapeHtml: true });
    return this.#options.showSecrets === true
      ? signed(STATE_SIGNATURES.secret, { plaintext })
      : signed(STATE_SIGNATURES.secret, { ciphertext: crypter.encrypt(plaintext, identity) });
  }

  #encodeOutput(output: OutputValue, crypter: Crypter): Json {
    const inner = output.value === undefined ? UNKNOWN : output.value;
    return output.secret ? this.#seal(inner, output, crypter) : this.#encode(inner, crypter);
  }
}

/** Tells whether a value has the form of the file: nothing in it is marked, and all numbers are finite. */
function isJson(value: PropertyValue): boolean {
  switch (kindOf(value)) {
    case 'null':
    case 'boolean':
    case 'string':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'array':
      return (value as PropertyArray).every(isJson);
    case 'object':
      for (const key in value as PropertyMap)
        if (!isJson((value as PropertyMap)[key] as PropertyValue)) return false;
      return true;
    default:
      return false;
  }
}

/**
 * Returns an ordinary object. One without a prototype takes several times the memory, and a large state has hundreds of
 * thousands.
 */
function bare(): { [key: string]: Json } {
  return {};
}

/** Sets a key of the user's: whatever its name, it becomes the object's own. */
function set(object: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function signed(signature: string, fields: { readonly [key: string]: Json | undefined }): JsonObject {
  const object: { [key: string]: Json } = { [SIGNATURE_KEY]: signature };
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value !== undefined) object[key] = value;
  }
  return object;
}

/** Writes IEEE-754 bits as 16 hex digits. */
function nonFinite(value: number): JsonObject {
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  return signed(STATE_SIGNATURES.nonFinite, { value: bits.toString('hex') });
}

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function encodeAsset(asset: Asset): JsonObject {
  const { hash, text, path, uri } = asset;
  return signed(STATE_SIGNATURES.asset, {
    hash: filled(hash),
    text: filled(text),
    path: filled(path),
    uri: filled(uri),
  });
}

function encodeArchive(archive: Archive): JsonObject {
  const { hash, path, uri } = archive;
  return signed(STATE_SIGNATURES.archive, {
    hash: filled(hash),
    assets: archive.assets === undefined ? undefined : encodeMembers(archive.assets),
    path: filled(path),
    uri: filled(uri),
  });
}

function encodeMembers(assets: { readonly [name: string]: Asset | Archive }): JsonObject {
  const members = bare();
  for (const name of Object.keys(assets)) {
    const member = assets[name] as Asset | Archive;
    const encoded =
      kindOf(member) === 'asset' ? encodeAsset(member as Asset) : encodeArchive(member as Archive);
    set(members, name, encoded);
  }
  return members;
}

function encodeReference(reference: ResourceReference): JsonObject {
  const { id } = reference;
  return signed(STATE_SIGNATURES.reference, {
    urn: reference.urn,
    id: id === undefined || typeof id === 'string' ? id : '',
    packageVersion: reference.packageVersion ?? '',
  });
}
