import { cairnError, isCairnError } from './errors.js';
import type { CairnError } from './errors.js';

/** Most bytes of the JSON of one record or entry. Node makes no longer texts, so that nothing could read it. */
export const MAX_TEXT_BYTES = 0x1fffffe8;

/** Makes the error for JSON that is longer than the limit. `what` has it. `bytes`: undefined if only Node knows. */
export function textTooLong(what: string, bytes: number | undefined, most = MAX_TEXT_BYTES): CairnError {
  const size = bytes === undefined ? 'its JSON is' : `its JSON has ${bytes} bytes,`;
  return cairnError(
    'CAIRN-STATE-TOO-LARGE',
    `cannot store ${what}: ${size} longer than the limit of ${most} bytes`,
    {
      hint: 'Keep large content in files, and pass their paths or assets.',
    },
  );
}

/** True for {@link textTooLong}. */
export function isTextTooLong(thrown: unknown): boolean {
  return isCairnError(thrown) && thrown.diagnostics.some(({ code }) => code === 'CAIRN-STATE-TOO-LARGE');
}

/** True for the error of `JSON.stringify` if its text would be too long. */
export function exceedsText(thrown: unknown): boolean {
  return thrown instanceof RangeError && thrown.message === 'Invalid string length';
}
