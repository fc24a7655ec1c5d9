import { cairnError } from '@cairn/diagnostics';
import type { CairnError, DiagnosticDetails } from '@cairn/diagnostics';

/** What to do about a file that cannot be used. */
export const RESTORE_HINT =
  'Nothing was changed. When this is the state of a stack, `cairn state repair` shows the newest copy of it that can be read, and puts it back.';

/**
 * The error of a state file whose content breaks the format. `why` says what is wrong, `place` where in the document.
 */
export function corruptState(
  source: string,
  place: string,
  why: string,
  details: DiagnosticDetails = {},
): CairnError {
  return cairnError(
    'CAIRN-STATE-CORRUPT',
    `cannot read the state in ${source}: ${place}${place === '' ? '' : ' '}${why}`,
    {
      hint: RESTORE_HINT,
      ...details,
    },
  );
}
