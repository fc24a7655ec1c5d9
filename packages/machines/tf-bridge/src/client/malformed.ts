import type { DynamicValueMessage, TfPath, TfType, TfValue } from '@cairn/tfplugin';
import { readDynamicValue, TfValueError } from '@cairn/tfplugin';

/** A value of an answer that is not of the type that it has to be of. */
export class Malformed {
  constructor(
    readonly path: TfPath,
    readonly reason: string,
  ) {}
}

/** What an answer has in the place of a value. */
export type Answered = TfValue | Malformed;

/** Whether a message brings a value at all, null included. */
export function isGiven(message: DynamicValueMessage | undefined): message is DynamicValueMessage {
  return message !== undefined && (message.msgpack.length > 0 || message.json.length > 0);
}

/** The value of a message; null where it brings none. */
export function readValue(type: TfType, message: DynamicValueMessage | undefined): Answered {
  try {
    return readDynamicValue(type, message);
  } catch (error) {
    if (error instanceof TfValueError) return new Malformed(error.path, error.reason);
    throw error;
  }
}
