import { isUrn, urnName, urnType } from '@cairn/addresses';
import {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  ResourceReference,
  Secret,
  UNKNOWN,
  isArray,
  isKind,
  emptyMap,
  isMap,
  kindOf,
  newMap,
} from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { asBuffer, MalformedMessageError, readText, TextCache } from '@cairn/protobuf';
import { MAX_DEPTH } from './options.js';
import type { DecodeOptions } from './options.js';
import { SIGNATURE_KEY, isUnknownSentinel, signedKind } from './signatures.js';
import type { SignedKind } from './signatures.js';
import { WireValueError, guardStack, tooDeep } from './value-error.js';

const propertyNames = new TextCache(1024, 32);

/** Decodes the map in an encoded google.protobuf.Struct; empty if a message has none. Throws {@link WireValueError}. */
export function decodeStruct(bytes: Uint8Array | undefined, options: DecodeOptions = {}): PropertyMap {
  if (bytes === undefined) return emptyMap;
  return read(bytes, options, (reader) => {
    const value = reader.struct(bytes.length, 0);
    if (value === undefined || !isMap(value)) throw new WireValueError('expected a map, got a special value');
    return value;
  });
}

/**
 * Decodes the value in an encoded google.protobuf.Value; null if the options drop it. Throws {@link WireValueError}.
 */
export function decodeValue(bytes: Uint8Array, options: DecodeOptions = {}): PropertyValue {
  return read(bytes, options, (reader) => reader.value(bytes.length, 0) ?? null);
}

function read<T>(bytes: Uint8Array, options: DecodeOptions, decode: (reader: StructReader) => T): T {
  try {
    return guardStack(() => decode(new StructReader(asBuffer(bytes), options)));
  } catch (error) {
    if (error instanceof MalformedMessageError)
      throw new WireValueError(error.message, undefined, { cause: error });
    throw error;
  }
}

/** Reads values straight from the bytes. `undefined` represents a value that the options drop. */
class StructReader {
  #at = 0;
  readonly #keepUnknowns: boolean;
  readonly #buffer: Buffer;
  readonly #options: DecodeOptions;

  constructor(buffer: Buffer, options: DecodeOptions) {
    this.#buffer = buffer;
    this.#options = options;
    this.#keepUnknowns = options.keepUnknowns ?? true;
  }

  /** Reads a Struct that ends at `end`: a map, or a special value. */
  struct(end: number, depth: number): PropertyValue | undefined {
    if (depth > MAX_DEPTH) throw tooDeep();
    const map = newMap();
    let signature: PropertyValue | undefined;
    let dropped = false;
    while (this.#at < end) {
      if (!this.#enter(0x0a)) continue;
      const entryEnd = this.#end(end);
      let key = '';
      let value: PropertyValue | undefined = null;
      while (this.#at < entryEnd) {
        const tag = this.#buffer[this.#at++];
        if (tag === 0x0a) key = this.#key(entryEnd);
        else if (tag === 0x12) value = this.value(this.#end(entryEnd), depth + 1);
        else this.#skip(tag as number, entryEnd);
      }
      if (key === SIGNATURE_KEY) signature = value;
      else if (value === undefined) dropped = true;
      else map[key] = value;
    }
    if (signature !== undefined) return this.#signed(signature, map, dropped);
    return map;
  }

  /** Reads a Value that ends at `end`. Without content it is null. */
  value(end: number, depth: number): PropertyValue | undefined {
    const buffer = this.#buffer;
    let value: PropertyValue | undefined = null;
    while (this.#at < end) {
      const tag = buffer[this.#at++];
      switch (tag) {
        case 0x1a:
          value = this.#text(end);
          if (value.length === 36 && isUnknownSentinel(value)) value = this.#unknown();
          break;
        case 0x11:
          if (this.#at + 8 > end) this.#cut();
          value = buffer.readDoubleLE(this.#at);
          this.#at += 8;
          break;
        case 0x20:
          value = this.#varint(end) !== 0;
          break;
        case 0x08:
          this.#varint(end);
          value = null;
          break;
        case 0x2a:
          value = this.struct(this.#end(end), depth === 0 ? 1 : depth);
          break;
        case 0x32:
          value = this.#list(this.#end(end), depth);
          break;
        default:
          this.#skip(tag as number, end);
      }
    }
    return value;
  }

  #list(end: number, depth: number): PropertyValue[] {
    if (depth > MAX_DEPTH) throw tooDeep();
    const items: PropertyValue[] = [];
    while (this.#at < end) {
      if (!this.#enter(0x0a)) continue;
      // A dropped element becomes null, so that the list keeps its length.
      items.push(this.value(this.#end(end), depth + 1) ?? null);
    }
    // States keep lists: the copy has no room for further items.
    return items.slice();
  }

  #unknown(): PropertyValue | undefined {
    if (this.#options.rejectUnknowns === true)
      throw new WireValueError('a value is not known where all must be');
    return this.#keepUnknowns ? UNKNOWN : undefined;
  }

  #signed(signature: PropertyValue, map: PropertyMap, dropped: boolean): PropertyValue | undefined {
    const kind = typeof signature === 'string' ? signedKind(signature) : undefined;
    if (kind === undefined) throw new WireValueError(`unrecognized signature ${JSON.stringify(signature)}`);
    switch (kind) {
      case 'secret':
        return this.#secret(map, dropped);
      case 'asset':
        return new Asset(sources(map, kind));
      case 'archive':
        return new Archive({ ...sources(map, kind), assets: archiveMembers(map) });
      case 'reference':
        return this.#reference(map, dropped);
      case 'output':
        return this.#output(map, dropped);
      case 'bytes':
        return new ByteString(Buffer.from(required(map, 'value', kind), 'base64'));
      default: {
        const missing: never = kind;
        throw new WireValueError(`no decoding for ${String(missing)}`);
      }
    }
  }

  #secret(map: PropertyMap, dropped: boolean): PropertyValue | undefined {
    const { value } = map;
    if (value === undefined) {
      if (dropped) return undefined;
      throw new WireValueError('a secret has no value');
    }
    return new Secret(value);
  }

  #reference(map: PropertyMap, dropped: boolean): PropertyValue | undefined {
    const urn = required(map, 'urn', 'reference');
    if (!isUrn(urn)) throw new WireValueError(`a reference has the invalid URN ${JSON.stringify(urn)}`);
    const id = this.#referenceId(map, dropped);
    return new ResourceReference({
      urn,
      id: dropped && id === undefined ? UNKNOWN : id,
      packageVersion: optional(map, 'packageVersion', 'reference'),
      name: optional(map, 'name', 'reference') ?? urnName(urn),
      type: optional(map, 'type', 'reference') ?? urnType(urn),
    });
  }

  /** Returns the id as text, unknown, or undefined for a component (no `id` at all). */
  #referenceId(map: PropertyMap, dropped: boolean): string | typeof UNKNOWN | undefined {
    const id = map['id'];
    if (id === undefined) return undefined;
    if (id === '' || kindOf(id) === 'unknown') return UNKNOWN;
    if (isKind(id, 'output')) {
      if (id.value === undefined || kindOf(id.value) === 'unknown') return UNKNOWN;
      if (typeof id.value === 'string') return id.value;
    }
    if (typeof id === 'string') return id;
    throw new WireValueError(dropped ? 'a reference has no id' : 'the id of a reference is not a text');
  }

  #output(map: PropertyMap, dropped: boolean): PropertyValue | undefined {
    const secret = map['secret'] ?? false;
    if (typeof secret !== 'boolean') throw new WireValueError('"secret" of an output value is not a boolean');
    const dependencies = map['dependencies'] ?? [];
    if (!isArray(dependencies) || !dependencies.every((urn) => typeof urn === 'string' && isUrn(urn))) {
      throw new WireValueError('"dependencies" of an output value is not a list of URNs');
    }
    const { value } = map;
    if (this.#options.keepOutputValues === true) {
      const known = value === undefined || kindOf(value) === 'unknown' ? undefined : value;
      if (known === undefined && this.#options.rejectUnknowns === true) this.#unknown();
      return new OutputValue(known, secret, dependencies as unknown as OutputValue['dependencies']);
    }
    const inner = value ?? (dropped ? undefined : this.#unknown());
    if (inner === undefined) return undefined;
    return secret ? new Secret(inner) : inner;
  }

  /** Reads a tag. Returns true if it is `tag`; otherwise the field has been skipped. */
  #enter(tag: number): boolean {
    const found = this.#buffer[this.#at++] as number;
    if (found === tag) return true;
    this.#skip(found, this.#buffer.length);
    return false;
  }

  #text(limit: number): string {
    const end = this.#end(limit);
    const text = readText(this.#buffer, this.#at, end);
    this.#at = end;
    return text;
  }

  #key(limit: number): string {
    const end = this.#end(limit);
    const key = propertyNames.read(this.#buffer, this.#at, end);
    this.#at = end;
    return key;
  }

  /** Reads a length and returns the position where its content ends. */
  #end(limit: number): number {
    const length = this.#varint(limit);
    const end = this.#at + length;
    if (end > limit) this.#cut();
    return end;
  }

  #varint(limit: number): number {
    const buffer = this.#buffer;
    let byte = buffer[this.#at++] as number;
    let value = byte & 127;
    for (let factor = 128; byte > 127; factor *= 128) {
      if (this.#at >= limit || factor > 2 ** 63) this.#cut();
      byte = buffer[this.#at++] as number;
      value += (byte & 127) * factor;
    }
    if (this.#at > limit) this.#cut();
    return value;
  }

  /** Skips an unknown field. */
  #skip(tag: number, limit: number): void {
    switch (tag & 7) {
      case 0:
        this.#varint(limit);
        break;
      case 1:
        this.#at += 8;
        break;
      case 2:
        this.#at = this.#end(limit);
        break;
      case 5:
        this.#at += 4;
        break;
      default:
        throw new WireValueError('the encoded value has an unknown form');
    }
    if (this.#at > limit) this.#cut();
  }

  #cut(): never {
    throw new WireValueError('the encoded value ends too early');
  }
}

function optional(map: PropertyMap, key: string, kind: SignedKind): string | undefined {
  const value = map[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new WireValueError(`"${key}" of ${name(kind)} is not a text`);
  return value;
}

function required(map: PropertyMap, key: string, kind: SignedKind): string {
  const value = optional(map, key, kind);
  if (value === undefined) throw new WireValueError(`${name(kind)} has no "${key}"`);
  return value;
}

function name(kind: SignedKind): string {
  return kind === 'bytes' ? 'a byte string' : `${/^[ao]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** Reads the source of an asset or archive. An empty path, uri or hash counts as absent. */
function sources(map: PropertyMap, kind: 'asset' | 'archive') {
  const hash = optional(map, 'hash', kind);
  const path = optional(map, 'path', kind);
  const uri = optional(map, 'uri', kind);
  const text = kind === 'asset' ? optional(map, 'text', kind) : undefined;
  return {
    hash: hash === '' ? undefined : hash,
    path: path === '' ? undefined : path,
    uri: uri === '' ? undefined : uri,
    text,
  };
}

/**
 * Reads members of an archive. They count only if neither path nor uri is given. With nothing but a hash the members
 * are not known.
 */
function archiveMembers(map: PropertyMap): Archive['assets'] {
  const { path, uri, hash } = sources(map, 'archive');
  if (path !== undefined || uri !== undefined) return undefined;
  const members = map['assets'];
  if (members === undefined || members === null)
    return hash === undefined ? (newMap() as Archive['assets']) : undefined;
  if (!isMap(members)) throw new WireValueError('"assets" of an archive is not a map');
  for (const key of Object.keys(members)) {
    const kind = kindOf(members[key] as PropertyValue);
    if (kind !== 'asset' && kind !== 'archive') {
      throw new WireValueError(
        `the member ${JSON.stringify(key)} of an archive is neither asset nor archive`,
      );
    }
  }
  return members as Archive['assets'];
}
