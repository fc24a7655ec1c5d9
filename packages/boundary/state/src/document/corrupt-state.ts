import { cairnError } from '@cairn/diagnostics';
import type { CairnError, DiagnosticDetails } from '@cairn/diagnostics';

/** Hint for a file that cannot be used. */
export const RESTORE_HINT =
  'Nothing was changed. If this is the state of a stack, run `cairn state repair`: it shows the newest copy that can be read, and restores it.';

/**
 * Returns the error of a state file whose content breaks the format. `why` is the cause, `place` its place in the
 * document.
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
