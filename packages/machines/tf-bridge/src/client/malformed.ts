import type { DynamicValueMessage, TfPath, TfType, TfValue } from '@cairn/tfplugin';
import { fromJson, readDynamicValue, TfValueError } from '@cairn/tfplugin';

/** A value of an answer that does not have the required type. */
export class Malformed {
  constructor(
    readonly path: TfPath,
    readonly reason: string,
  ) {}
}

/** A value of an answer, or the malformed value in its place. */
export type ReceivedValue = TfValue | Malformed;

/** Tells whether a message contains a value, which may be null. */
export function hasContent(message: DynamicValueMessage | undefined): message is DynamicValueMessage {
  return message !== undefined && (message.msgpack.length > 0 || message.json.length > 0);
}

/** Reads the value of a message. Null if it contains none. */
export function readValue(type: TfType, message: DynamicValueMessage | undefined): ReceivedValue {
  return received(() => readDynamicValue(type, message));
}

/** Reads a value from JSON. */
export function readJson(type: TfType, json: string): ReceivedValue {
  return received(() => fromJson(type, json));
}

function received(read: () => TfValue): ReceivedValue {
  try {
    return read();
  } catch (error) {
    if (error instanceof TfValueError) return new Malformed(error.path, error.reason);
    throw error;
  }
}
