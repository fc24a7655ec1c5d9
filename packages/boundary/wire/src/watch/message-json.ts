import { BinaryReader } from '@cairn/protobuf';
import { enums, maps, messages, methods } from '../generated/shapes.js';
import type { FieldShape } from '../generated/shapes.js';
import { WIRE_SIGNATURES, SIGNATURE_KEY } from '../values/signatures.js';

/** JSON value. */
export type MessageJson =
  null | boolean | number | string | readonly MessageJson[] | { readonly [key: string]: MessageJson };

type JsonObject = Record<string, MessageJson>;

/** Replacement of a secret value. */
const MASKED = '[secret]';

/** Fields of bytes that contain encoded messages, with the message's type. */
const NESTED: Readonly<Record<string, string>> = {
  'cairnrpc.LookupRequest.inputs': 'google.protobuf.Struct',
  'cairnrpc.RepeatableCreate.create': 'pulumirpc.CreateRequest',
  'cairnrpc.CreateEvent.created': 'pulumirpc.CreateResponse',
};

/** Messages whose bytes may contain secrets in a form that is not known here. */
const OPAQUE = new Set([
  'pulumirpc.CallbackInvokeRequest',
  'pulumirpc.CallbackInvokeResponse',
  'pulumirpc.StateMigrationRequest',
  'pulumirpc.StateMigrationResponse',
]);

/** Returns the types of a method's request and answer by its path, or undefined if it is not in the protocol. */
export function messagesOf(path: string): readonly [request: string, answer: string] | undefined {
  return Object.hasOwn(methods, path) ? methods[path] : undefined;
}

/**
 * Converts a message to protobuf's JSON without fields that have their default. Secret values are replaced by
 * `[secret]`. Bytes that may contain secrets are replaced by their number. `text` converts every other text. Throws the
 * errors of the protobuf reader.
 */
export function messageJson(
  type: string,
  body: Uint8Array,
  text: (text: string) => string = same,
): MessageJson {
  return new MessageReader(body, text).message(type, body.length);
}

const same = (text: string): string => text;
const isMap = new Set(maps);

class MessageReader {
  readonly #reader: BinaryReader;
  readonly #text: (text: string) => string;

  constructor(body: Uint8Array, text: (text: string) => string) {
    this.#text = text;
    this.#reader = new BinaryReader(body);
  }

  /** Reads a message of `length` bytes. */
  message(type: string, length: number): MessageJson {
    const end = this.#reader.pos + length;
    switch (type) {
      case 'google.protobuf.Struct':
        return masked(this.#struct(end));
      case 'google.protobuf.ListValue':
        return Object.values(this.#fields(type, end))[0] ?? [];
      case 'google.protobuf.Value':
        return this.#value(end);
      default:
        return this.#fields(type, end);
    }
  }

  /** Reads fields by their names in JSON. A map is an object, whatever its keys are. */
  #fields(type: string, end: number): JsonObject {
    const shapes = new Map((messages[type] ?? []).map((shape) => [shape[0], shape]));
    const fields: JsonObject = {};
    while (this.#reader.pos < end) {
      const tag = this.#reader.uint32();
      const shape = shapes.get(tag >>> 3);
      if (shape === undefined) this.#reader.skip(tag & 7);
      else this.#field(type, shape, tag & 7, fields);
    }
    return fields;
  }

  #field(holder: string, [, name, type, repeated]: FieldShape, wireType: number, fields: JsonObject): void {
    if (isMap.has(type)) {
      const { key = '', value = '' } = this.message(type, this.#reader.uint32()) as JsonObject;
      define((fields[name] ??= {}) as JsonObject, String(key), value);
    } else if (repeated === undefined) {
      fields[name] = this.#one(holder, name, type);
    } else {
      const list = (fields[name] ??= []) as MessageJson[];
      const packed = wireType === 2 && !(type in messages) && type !== 'string' && type !== 'bytes';
      const end = packed ? this.#reader.uint32() + this.#reader.pos : 0;
      do list.push(this.#one(holder, name, type));
      while (this.#reader.pos < end);
    }
  }

  #one(holder: string, name: string, type: string): MessageJson {
    const reader = this.#reader;
    switch (type) {
      case 'string':
        return this.#text(reader.string());
      case 'bool':
        return reader.bool();
      case 'int32':
        return reader.int32();
      case 'uint32':
        return reader.uint32();
      case 'int64':
        return String(reader.int64());
      case 'double':
        return number(reader.double());
      case 'bytes':
        return this.#bytes(holder, name, reader.bytes());
      default:
    }
    const values = enums[type];
    if (values === undefined) return this.message(type, reader.uint32());
    const value = reader.int32();
    return values[value] ?? value;
  }

  #bytes(holder: string, name: string, bytes: Uint8Array): MessageJson {
    const nested = NESTED[`${holder}.${name}`];
    if (nested !== undefined) return messageJson(nested, bytes, this.#text);
    return OPAQUE.has(holder) ? `[${bytes.length} bytes]` : Buffer.from(bytes).toString('base64');
  }

  #struct(end: number): JsonObject {
    return (this.#fields('google.protobuf.Struct', end)['fields'] ?? {}) as JsonObject;
  }

  /** Reads a null, number, text, bool, map or list. */
  #value(end: number): MessageJson {
    const [held] = Object.entries(this.#fields('google.protobuf.Value', end));
    return held === undefined || held[0] === 'nullValue' ? null : held[1];
  }
}

/** Returns the map, with a replacement for its value if that is secret. */
function masked(map: JsonObject): MessageJson {
  const signature = map[SIGNATURE_KEY];
  const secret =
    signature === WIRE_SIGNATURES.secret || (signature === WIRE_SIGNATURES.output && map['secret'] === true);
  return secret && 'value' in map ? { ...map, value: MASKED } : map;
}

/** Defines a property. Any name is data, even `__proto__`. */
function define(holder: JsonObject, name: string, value: MessageJson): void {
  Object.defineProperty(holder, name, { value, enumerable: true, writable: true, configurable: true });
}

function number(value: number): MessageJson {
  return Number.isFinite(value) ? value : String(value);
}
