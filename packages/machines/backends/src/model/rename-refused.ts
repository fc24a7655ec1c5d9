import { cairnError } from '@cairn/diagnostics';
import type { CairnError, Diagnostic } from '@cairn/diagnostics';
import type { SerializedOperation } from '@cairn/state';
import type { StackId } from '../stack-id.js';

/**
 * Returns the error for renaming a stack with an unfinished change or steps in doubt: their records have the old URNs.
 */
export function renameRefused(
  id: StackId,
  note: Diagnostic | undefined,
  pending: readonly SerializedOperation[],
): CairnError {
  return cairnError(
    'CAIRN-UNFINISHED',
    `cannot rename stack "${id.stack}": ${pending.length > 0 ? 'a step is in doubt' : 'a change is not finished'}`,
    {
      causes: [
        ...(note === undefined ? [] : [note.summary]),
        ...pending.map(({ type, resource }) => `${type} ${resource.urn}`),
      ],
      hint: 'Resume it with `cairn resume`, roll it back with `cairn rollback`, or run `cairn refresh` to find its outcome; then rename the stack.',
    },
  );
}
