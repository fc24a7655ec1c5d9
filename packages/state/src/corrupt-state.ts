import { cairnError } from '@cairn/diagnostics';
import type { CairnError, DiagnosticDetails } from '@cairn/diagnostics';

/** What to do about a file that cannot be used. */
export const RESTORE_HINT =
  'Nothing was changed. Restore the file from its .bak copy or from a backup, or import an export of the stack with `cairn stack import`.';

/** The error of a state file whose content breaks the format. `why` says what is wrong, `place` where in the document. */
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
