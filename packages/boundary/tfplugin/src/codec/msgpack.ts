import { Decoder, Encoder, ExtData } from '@msgpack/msgpack';
import type { ExtensionCodecType } from '@msgpack/msgpack';
import { conform } from '../values/conform.js';
import { parseType } from '../values/type.js';
import type { TfType } from '../values/type.js';
import { Dynamic } from '../values/value.js';
import type { TfValue } from '../values/value.js';
import { TreeReader } from './read-tree.js';
import type { TreeForm } from './read-tree.js';
import { readExtension, readNumber } from './refinement.js';
import { TfValueError } from './value-error.js';
import { encodedTree } from './write-tree.js';

/** Maximum depth of nested values. */
const MOST_DEEP = 1000;

const extensions: ExtensionCodecType<undefined> = {
  tryToEncode: (object) => (object instanceof ExtData ? object : null),
  decode: (data, type) => new ExtData(type, data),
};

const encoder = new Encoder({
  extensionCodec: extensions,
  useBigInt64: true,
  maxDepth: MOST_DEEP,
});

/** Encodes a value [TFV-7]. Throws {@link TfValueError} for a value that is not of the type. */
export function encode(type: TfType, value: TfValue): Uint8Array {
  let tree: unknown;
  try {
    tree = encodedTree(type, value);
  } catch (error) {
    const [first] = conform(type, value);
    throw first === undefined ? error : new TfValueError(first.message, first.path);
  }
  try {
    return encoder.encode(tree);
  } catch (error) {
    throw new TfValueError(`the value cannot be encoded: ${(error as Error).message}`);
  }
}

/**
 * The library refuses this name as a key. The replacement is safe because no text that is read has an unpaired
 * surrogate.
 */
const PROTO = '__proto__';
const PROTO_STAND_IN = '\ud800__proto__';
const SHORT_KEY = 32;

const decoder = new Decoder({
  extensionCodec: extensions,
  useBigInt64: true,
  keyDecoder: { canBeCached: (length) => length <= SHORT_KEY, decode: readKey },
});

function readKey(bytes: Uint8Array, start: number, length: number): string {
  let key = '';
  for (let at = start; at < start + length; at++) {
    const byte = bytes[at] as number;
    if (byte > 127) return Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString('utf8');
    key += String.fromCharCode(byte);
  }
  return key === PROTO ? PROTO_STAND_IN : key;
}

const form: TreeForm = {
  special(tree, type) {
    if (tree === null) return null;
    return tree instanceof ExtData ? readExtension(type, tree) : undefined;
  },
  primitive(tree, type) {
    if (type === 'string') return typeof tree === 'string' ? tree.normalize('NFC') : undefined;
    if (type === 'bool') return typeof tree === 'boolean' ? tree : undefined;
    return readNumber(tree);
  },
  dynamic(tree, read) {
    if (!Array.isArray(tree) || tree.length !== 2 || !(tree[0] instanceof Uint8Array)) return undefined;
    const type = parseType(Buffer.from(tree[0]).toString('utf8'));
    return type === 'dynamic' ? read(type, tree[1]) : new Dynamic(type, read(type, tree[1]));
  },
  key: (key) => (key === PROTO_STAND_IN ? PROTO : key),
  stored: (key) => (key === PROTO ? PROTO_STAND_IN : key),
  missing: undefined,
  emptyObjects: true,
};

/** Decodes a value [TFV-7]. Throws {@link TfValueError} with the path if the bytes are not of the type. */
export function decode(type: TfType, bytes: Uint8Array): TfValue {
  let tree: unknown;
  try {
    tree = decoder.decode(bytes);
  } catch (error) {
    throw new TfValueError(`the value is not msgpack: ${(error as Error).message}`);
  }
  return new TreeReader(form).read(type, tree);
}
