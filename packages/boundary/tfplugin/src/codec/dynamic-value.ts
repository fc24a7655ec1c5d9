import type { TfType } from '../values/type.js';
import type { TfValue } from '../values/value.js';
import { fromJson } from './json.js';
import { decode, encode } from './msgpack.js';

/** Value in messages of either protocol. */
export interface DynamicValueMessage {
  msgpack: Uint8Array;
  json: Uint8Array;
}

const NO_BYTES = new Uint8Array();

/** Encodes a value for a message. */
export function dynamicValue(type: TfType, value: TfValue): DynamicValueMessage {
  return { msgpack: encode(type, value), json: NO_BYTES };
}

/**
 * Decodes the value of a message: its msgpack, otherwise its JSON. Null if it has neither, or if there is no message.
 */
export function readDynamicValue(type: TfType, message: DynamicValueMessage | undefined): TfValue {
  if (message === undefined) return null;
  if (message.msgpack.length > 0) return decode(type, message.msgpack);
  return message.json.length > 0 ? fromJson(type, Buffer.from(message.json).toString('utf8')) : null;
}
