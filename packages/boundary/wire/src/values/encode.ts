import { UNKNOWN, isUnknown, kindOf } from '@cairn/values';
import type {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyPath,
  PropertyValue,
  ResourceReference,
  Secret,
  ValueKind,
} from '@cairn/values';
import { BackwardBuffer } from './backward-buffer.js';
import { MAX_DEPTH } from './options.js';
import type { EncodeOptions } from './options.js';
import { WIRE_SIGNATURES, SIGNATURE_KEY, UNKNOWN_SENTINEL } from './signatures.js';
import type { SignedKind } from './signatures.js';
import { WireValueError, guardStack, tooDeep } from './value-error.js';

/** Tags of google.protobuf.Value, Struct, its entries and ListValue: field number and wire type. */
const VALUE_NULL = 0x08;
const VALUE_NUMBER = 0x11;
const VALUE_STRING = 0x1a;
const VALUE_BOOL = 0x20;
const VALUE_STRUCT = 0x2a;
const VALUE_LIST = 0x32;
const STRUCT_ENTRY = 0x0a;
const ENTRY_KEY = 0x0a;
const ENTRY_VALUE = 0x12;
const LIST_ITEM = 0x0a;

/** Encodes a map as google.protobuf.Struct. Throws {@link WireValueError}. */
export function encodeStruct(map: PropertyMap, options: EncodeOptions = {}): Uint8Array {
  return encode(options, map, (writer) => writer.struct(map, 0));
}

/**
 * Encodes a value as google.protobuf.Value. A value that the options drop (an unknown) is written as null. Throws
 * {@link WireValueError}.
 */
export function encodeValue(value: PropertyValue, options: EncodeOptions = {}): Uint8Array {
  return encode(options, value, (writer) => {
    if (!writer.value(value, 0)) writer.value(null, 0);
  });
}

const shared = new BackwardBuffer();

function encode(
  options: EncodeOptions,
  root: PropertyValue,
  write: (writer: StructWriter) => void,
): Uint8Array {
  shared.reset();
  try {
    guardStack(() => write(new StructWriter(shared, options)));
  } catch (error) {
    if (error instanceof Refusal) throw new WireValueError(error.reason, pathTo(root, error.value) ?? []);
    throw error;
  }
  return shared.copy();
}

/** Error: the options refuse a value. Its path is looked up afterwards, so that the fast path need not track it. */
class Refusal extends Error {
  constructor(
    readonly reason: string,
    readonly value: PropertyValue,
  ) {
    super(reason);
  }
}

/**
 * Writes from the end of the buffer to its front, so that every length is known when it is written. `value` returns
 * false if the options drop the value; nothing has been written then.
 */
class StructWriter {
  readonly #keepUnknowns: boolean;
  readonly #keepSecrets: boolean;
  readonly #keepResources: boolean;
  readonly #keepByteStrings: boolean;
  readonly #out: BackwardBuffer;
  readonly #options: EncodeOptions;

  constructor(out: BackwardBuffer, options: EncodeOptions) {
    this.#out = out;
    this.#options = options;
    this.#keepUnknowns = options.keepUnknowns ?? true;
    this.#keepSecrets = options.keepSecrets ?? true;
    this.#keepResources = options.keepResources ?? true;
    this.#keepByteStrings = options.keepByteStrings ?? true;
  }

  struct(map: PropertyMap, depth: number): void {
    const keys = Object.keys(map);
    const skipInternal = depth === 0 && this.#options.skipInternalKeys === true;
    for (let index = keys.length - 1; index >= 0; index--) {
      const key = keys[index] as string;
      const value = map[key] as PropertyValue;
      if (value === undefined) continue;
      if (skipInternal && key.startsWith('__')) continue;
      if (key === SIGNATURE_KEY) throw new Refusal('this name is reserved', value);
      this.#entry(key, value, depth + 1);
    }
  }

  value(value: PropertyValue, depth: number): boolean {
    const out = this.#out;
    if (typeof value === 'string') {
      this.#string(value);
      return true;
    }
    if (depth > MAX_DEPTH) throw tooDeep();
    const kind: ValueKind = kindOf(value);
    switch (kind) {
      case 'string':
        return true;
      case 'number':
        out.double(value as number);
        out.byte(VALUE_NUMBER);
        return true;
      case 'boolean':
        out.byte(value === true ? 1 : 0);
        out.byte(VALUE_BOOL);
        return true;
      case 'null':
        out.byte(0);
        out.byte(VALUE_NULL);
        return true;
      case 'array':
        return this.#list(value as PropertyArray, depth);
      case 'object': {
        const mark = out.written;
        this.struct(value as PropertyMap, depth === 0 ? 1 : depth);
        out.length(mark);
        out.byte(VALUE_STRUCT);
        return true;
      }
      case 'unknown':
        return this.#unknown(value);
      case 'secret':
        return this.#secret(value as Secret, depth);
      case 'output':
        return this.#output(value as OutputValue, depth);
      case 'asset':
        return this.#asset(value as Asset);
      case 'archive':
        return this.#archive(value as Archive, depth);
      case 'reference':
        return this.#reference(value as ResourceReference, depth);
      case 'bytes':
        return this.#bytes(value as ByteString, depth);
      default: {
        const missing: never = kind;
        throw new WireValueError(`no encoding for values of kind ${String(missing)}`);
      }
    }
  }

  #string(value: string): void {
    const mark = this.#out.written;
    this.#out.text(value);
    this.#out.length(mark);
    this.#out.byte(VALUE_STRING);
  }

  #list(items: PropertyArray, depth: number): true {
    const out = this.#out;
    const list = out.written;
    for (let index = items.length - 1; index >= 0; index--) {
      const mark = out.written;
      if (!this.value(items[index] ?? null, depth + 1)) continue;
      out.length(mark);
      out.byte(LIST_ITEM);
    }
    out.length(list);
    out.byte(VALUE_LIST);
    return true;
  }

  #entry(key: string, value: PropertyValue, depth: number): void {
    const out = this.#out;
    const entry = out.written;
    if (!this.value(value, depth)) return;
    out.length(entry);
    out.byte(ENTRY_VALUE);
    const name = out.written;
    out.text(key);
    out.length(name);
    out.byte(ENTRY_KEY);
    out.length(entry);
    out.byte(STRUCT_ENTRY);
  }

  /** Ends a special value whose other keys have been written since `mark`. */
  #signed(kind: SignedKind, mark: number): true {
    this.#entry(SIGNATURE_KEY, WIRE_SIGNATURES[kind], 0);
    this.#out.length(mark);
    this.#out.byte(VALUE_STRUCT);
    return true;
  }

  #optional(key: string, value: string | undefined): void {
    if (value !== undefined) this.#entry(key, value, 0);
  }

  #unknown(value: PropertyValue): boolean {
    if (this.#options.rejectUnknowns === true) throw new Refusal('the value is not known yet', value);
    if (!this.#keepUnknowns) return false;
    this.#string(UNKNOWN_SENTINEL);
    return true;
  }

  #secret(secret: Secret, depth: number): boolean {
    if (!this.#keepSecrets) return this.value(secret.value, depth + 1);
    const mark = this.#out.written;
    if (!this.#member(secret.value, depth + 1)) return false;
    return this.#signed('secret', mark);
  }

  /** Writes the entry `value` of a special value. Returns false if its content is dropped. */
  #member(value: PropertyValue, depth: number): boolean {
    const mark = this.#out.written;
    this.#entry('value', value, depth);
    return this.#out.written !== mark;
  }

  #output(output: OutputValue, depth: number): boolean {
    if (this.#options.keepOutputValues === true) {
      return this.#outputStruct(output.value, output.secret, output.dependencies, depth);
    }
    const inner = output.value ?? UNKNOWN;
    if (!output.secret || !this.#keepSecrets) return this.value(inner, depth + 1);
    const mark = this.#out.written;
    if (!this.#member(inner, depth + 1)) return false;
    return this.#signed('secret', mark);
  }

  #outputStruct(
    value: PropertyValue | undefined,
    secret: boolean,
    dependencies: readonly string[],
    depth: number,
  ): boolean {
    const unknown = value === undefined || isUnknown(value);
    if (unknown && this.#options.rejectUnknowns === true)
      throw new Refusal('the value is not known yet', value ?? UNKNOWN);
    const mark = this.#out.written;
    if (dependencies.length > 0) this.#entry('dependencies', dependencies, depth + 1);
    if (secret) this.#entry('secret', true, depth + 1);
    if (!unknown) this.#entry('value', value, depth + 1);
    return this.#signed('output', mark);
  }

  #asset(asset: Asset): true {
    const mark = this.#out.written;
    this.#optional('hash', asset.hash);
    if (this.#options.elideAssetContents !== true) {
      this.#optional('uri', asset.uri);
      this.#optional('path', asset.path);
      this.#optional('text', asset.text);
    }
    return this.#signed('asset', mark);
  }

  #archive(archive: Archive, depth: number): true {
    const mark = this.#out.written;
    this.#optional('hash', archive.hash);
    if (this.#options.elideAssetContents !== true) {
      this.#optional('uri', archive.uri);
      this.#optional('path', archive.path);
      if (archive.assets !== undefined) this.#entry('assets', archive.assets as PropertyMap, depth + 1);
    }
    return this.#signed('archive', mark);
  }

  #reference(reference: ResourceReference, depth: number): boolean {
    const { id } = reference;
    const unknownId = id !== undefined && typeof id !== 'string';
    if (unknownId && this.#options.rejectUnknowns === true)
      throw new Refusal('the id is not known yet', reference);
    if (!this.#keepResources) return this.value(id === undefined ? reference.urn : id, depth + 1);
    const mark = this.#out.written;
    this.#optional('type', reference.type);
    this.#optional('name', reference.name);
    this.#optional('packageVersion', reference.packageVersion);
    this.#optional('id', unknownId ? UNKNOWN_SENTINEL : id);
    this.#optional('urn', reference.urn);
    return this.#signed('reference', mark);
  }

  #bytes(value: ByteString, depth: number): true {
    if (!this.#keepByteStrings)
      throw new Refusal('the text is not valid UTF-8 and the peer takes no other', value);
    const mark = this.#out.written;
    this.#entry('value', Buffer.from(value.bytes).toString('base64'), depth + 1);
    return this.#signed('bytes', mark);
  }
}

/** Returns the path of the first value that is identical to `wanted`. Only used after a failure. */
function pathTo(root: PropertyValue, wanted: PropertyValue): PropertyPath | undefined {
  const stack: { readonly value: PropertyValue; readonly path: PropertyPath }[] = [{ value: root, path: [] }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, path } = next;
    if (value === wanted) return path;
    const kind = kindOf(value);
    if (kind === 'array') {
      (value as PropertyArray).forEach((item, index) => stack.push({ value: item, path: [...path, index] }));
    } else if (kind === 'object') {
      for (const key of Object.keys(value as PropertyMap).reverse()) {
        stack.push({ value: (value as PropertyMap)[key] as PropertyValue, path: [...path, key] });
      }
    } else if (kind === 'secret' || kind === 'output') {
      const inner = (value as OutputValue).value;
      stack.push({ value: inner ?? UNKNOWN, path });
    }
  }
  return undefined;
}
