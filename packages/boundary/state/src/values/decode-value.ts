import { UNKNOWN_ID, isUrn } from '@cairn/addresses';
import { nopCrypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { Archive, Asset, ByteString, ResourceReference, Secret, UNKNOWN, newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { isJsonObject } from './go-json.js';
import type { Json, JsonObject } from './go-json.js';
import { bytesOfBase64 } from './base64.js';
import { EMPTY_HASH, STATE_SIGNATURES, SIGNATURE_KEY } from './signatures.js';

/** Value that breaks the format. A caller that knows the file and the resource turns it into a diagnostic. */
export class ValueFault extends Error {
  override readonly name = 'ValueFault';
}

/**
 * Returns the property value that a JSON value of the file format represents [VAL-9]. The crypter opens ciphertexts;
 * its errors pass through. Throws {@link ValueFault} for an unknown signature or a malformed disguise.
 */
export function decodeStateValue(json: Json, crypter: Crypter): PropertyValue {
  if (typeof json === 'string') return json === UNKNOWN_ID ? UNKNOWN : json;
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return (json as readonly Json[]).map((item) => decodeStateValue(item, crypter));
  const object = json as JsonObject;
  const signature = Object.hasOwn(object, SIGNATURE_KEY) ? object[SIGNATURE_KEY] : undefined;
  return signature === undefined
    ? decodePropertyMap(object, crypter)
    : decodeSigned(signature, object, crypter);
}

/** Decodes a map of properties; its keys are data, whatever they are. */
export function decodePropertyMap(object: JsonObject, crypter: Crypter): PropertyMap {
  const map = newMap();
  for (const key in object) map[key] = decodeStateValue(object[key] as Json, crypter);
  return map;
}

function decodeSigned(signature: Json, object: JsonObject, crypter: Crypter): PropertyValue {
  switch (signature) {
    case STATE_SIGNATURES.secret:
      return decodeSecret(object, crypter);
    case STATE_SIGNATURES.asset:
      return decodeAsset(object);
    case STATE_SIGNATURES.archive:
      return decodeArchive(object);
    case STATE_SIGNATURES.reference:
      return decodeReference(object);
    case STATE_SIGNATURES.nonFinite:
      return decodeNonFinite(object);
    case STATE_SIGNATURES.bytes:
      return decodeBytes(object);
    default:
      throw new ValueFault(`has the unrecognized signature ${JSON.stringify(signature)}`);
  }
}

/** Decodes a secret. Exactly one of the two texts exists and is not empty. The content was sealed without a crypter. */
function decodeSecret(object: JsonObject, crypter: Crypter): Secret {
  const ciphertext = text(object, 'ciphertext');
  const plaintext = text(object, 'plaintext');
  if ((ciphertext === '') === (plaintext === '')) throw new ValueFault('is a malformed secret');
  const opened = plaintext === '' ? crypter.decrypt(ciphertext) : plaintext;
  let inner: Json;
  try {
    inner = JSON.parse(opened) as Json;
  } catch {
    throw new ValueFault('is a secret whose content is not JSON');
  }
  return new Secret(decodeStateValue(inner, nopCrypter));
}

function decodeAsset(object: JsonObject): Asset {
  const hash = optional(object, 'hash');
  const source = {
    text: optional(object, 'text'),
    path: optional(object, 'path'),
    uri: optional(object, 'uri'),
  };
  const empty = source.text === undefined && source.path === undefined && source.uri === undefined;
  const isEmptyText = empty && (hash === undefined || hash === EMPTY_HASH);
  return new Asset({ ...source, hash, text: isEmptyText ? '' : source.text });
}

function decodeArchive(object: JsonObject): Archive {
  const hash = optional(object, 'hash');
  const path = optional(object, 'path');
  if (path !== undefined) return new Archive({ hash, path });
  const uri = optional(object, 'uri');
  if (uri !== undefined) return new Archive({ hash, uri });
  const assets = object['assets'];
  return new Archive({ hash, assets: isJsonObject(assets) ? decodeMembers(assets) : {} });
}

function decodeMembers(object: JsonObject): { readonly [name: string]: Asset | Archive } {
  const members = Object.create(null) as { [name: string]: Asset | Archive };
  for (const name of Object.keys(object)) {
    const member = object[name];
    const signature = isJsonObject(member) ? member[SIGNATURE_KEY] : undefined;
    if (isJsonObject(member) && signature === STATE_SIGNATURES.asset) members[name] = decodeAsset(member);
    else if (isJsonObject(member) && signature === STATE_SIGNATURES.archive)
      members[name] = decodeArchive(member);
    else throw new ValueFault(`has a member ${JSON.stringify(name)} that is neither an asset nor an archive`);
  }
  return members;
}

/** Decodes a reference to a resource. Old files may contain the id as `{"V": …}` [VAL-9]. */
function decodeReference(object: JsonObject): ResourceReference {
  const urn = text(object, 'urn');
  if (!isUrn(urn)) throw new ValueFault(`is a reference to ${JSON.stringify(urn)}, which is not a URN`);
  const packageVersion = optional(object, 'packageVersion');
  return new ResourceReference({ urn, id: referenceId(object['id']), packageVersion });
}

function referenceId(id: Json | undefined): string | undefined {
  if (id === undefined || id === null || typeof id === 'string') return id ?? undefined;
  if (!isJsonObject(id)) throw new ValueFault('is a reference whose id is not a string');
  const inner = id['V'];
  if (inner === null) return undefined;
  return typeof inner === 'string' ? inner : '';
}

function decodeNonFinite(object: JsonObject): number {
  const bits = text(object, 'value');
  if (!/^[0-9a-f]{16}$/i.test(bits)) throw new ValueFault('is a number whose bits are not 16 hex digits');
  return Buffer.from(bits, 'hex').readDoubleBE();
}

function decodeBytes(object: JsonObject): ByteString {
  const bytes = bytesOfBase64(text(object, 'value'));
  if (bytes === undefined) throw new ValueFault('is a byte string that is not base64');
  return new ByteString(bytes);
}

/** Returns the text under a key. A missing key is the empty text, as in the format. */
function text(object: JsonObject, key: string): string {
  const value = object[key] ?? '';
  if (typeof value !== 'string') throw new ValueFault(`has a ${JSON.stringify(key)} that is not a string`);
  return value;
}

function optional(object: JsonObject, key: string): string | undefined {
  const value = text(object, key);
  return value === '' ? undefined : value;
}
