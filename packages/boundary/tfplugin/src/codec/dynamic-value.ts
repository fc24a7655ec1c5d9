import type { TfType } from '../values/type.js';
import type { TfValue } from '../values/value.js';
import { fromJson } from './json.js';
import { decode, encode } from './msgpack.js';

/** A value in messages of either protocol. */
export interface DynamicValueMessage {
  msgpack: Uint8Array;
  json: Uint8Array;
}

const NO_BYTES = new Uint8Array();

/** A value for a message. */
export function dynamicValue(type: TfType, value: TfValue): DynamicValueMessage {
  return { msgpack: encode(type, value), json: NO_BYTES };
}

/** The value of a message: its msgpack, else its JSON; null where it has neither, or is not there. */
export function readDynamicValue(type: TfType, message: DynamicValueMessage | undefined): TfValue {
  if (message === undefined) return null;
  if (message.msgpack.length > 0) return decode(type, message.msgpack);
  return message.json.length > 0 ? fromJson(type, Buffer.from(message.json).toString('utf8')) : null;
}
