import type { EditView } from '@cairn/backends';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EditedEntry, SerializedDeployment, StateEdit } from '@cairn/state';
import type { OpenStack } from '../access/open-stack.js';
import { declinedError, rememberInterrupts, tell } from '../ports.js';

/** Result of an edit of a stored state, before it is stored. */
export interface EditReview<E = StateEdit> {
  readonly edit: E;
  /** Notes about it, including the unfinished change that it supersedes. */
  readonly notes: readonly Diagnostic[];
}

/** Decides whether an edit is stored. Without a review, its notes are reported and it is stored. */
export type Review<E = StateEdit> = (review: EditReview<E>) => Promise<boolean>;

/** One edit of a stored state. */
interface EditRule<E extends StateEdit> {
  /** Description of the edit, for the record of the change. */
  readonly message: string;
  /** Makes the edit. It is pure, or asks the user. If it throws, nothing changes. */
  readonly rule: (deployment: SerializedDeployment) => E | Promise<E>;
  /** With `skip` the state may be damaged. */
  readonly integrity?: 'skip';
  /** Called last before the state is stored. */
  readonly before?: (view: EditView) => Promise<void>;
}

/**
 * Makes an edit under the stack's lock and stores it as a change of its own. Resolves with the changed entries, which
 * may be none. Throws CAIRN-CANCELLED when the review declines.
 */
export async function editState<E extends StateEdit>(
  { ports, backend, id }: OpenStack,
  { message, rule, integrity, before }: EditRule<E>,
  review?: Review<E>,
): Promise<readonly EditedEntry[]> {
  let stored: readonly EditedEntry[] = [];
  const change = async (
    deployment: SerializedDeployment,
    view: EditView,
  ): Promise<SerializedDeployment | undefined> => {
    const edit = await rule(deployment);
    if (edit.changed.length === 0) return undefined;
    const superseded = view.supersedes(edit.deployment);
    const notes = [...edit.notes, ...(superseded === undefined ? [] : [superseded])];
    if (review === undefined) tell(ports, notes);
    else if (!(await review({ edit, notes }))) throw declinedError();
    await before?.(view);
    stored = edit.changed;
    return edit.deployment;
  };
  const interrupts = rememberInterrupts(ports);
  try {
    tell(ports, await backend.edit(id, change, message, integrity === undefined ? {} : { integrity }));
  } finally {
    interrupts.stop();
  }
  return stored;
}
