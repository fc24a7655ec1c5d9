import { isCairnError } from '@cairn/diagnostics';
import { Refusal } from './refusal.js';

/** Reads a part of a request, and reports a fault of its format as a fault of the request (400). */
export function ofRequest<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    throw new Refusal(400, `${thrown.diagnostics[0]?.summary ?? thrown.message}.`);
  }
}
