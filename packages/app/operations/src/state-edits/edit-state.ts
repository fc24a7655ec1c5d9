import type { EditView } from '@cairn/backends';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EditedEntry, SerializedDeployment, StateEdit } from '@cairn/state';
import type { OpenStack } from '../access/open-stack.js';
import { nothingChanged, rememberInterrupts, tell } from '../ports.js';

/** What an edit of a stored state comes to, before it is stored. */
export interface EditReview<E = StateEdit> {
  readonly edit: E;
  /** What is to be known of it, among them the change that did not end and that it supersedes. */
  readonly notes: readonly Diagnostic[];
}

/** Whether an edit is to be stored. Where nobody reviews one, its notes are told and it is. */
export type Review<E = StateEdit> = (review: EditReview<E>) => Promise<boolean>;

/** One edit of a stored state. */
interface EditRule<E extends StateEdit> {
  /** What is done, for the record of the change. */
  readonly message: string;
  /** Pure, or asks what is meant. What it throws changes nothing. */
  readonly rule: (deployment: SerializedDeployment) => E | Promise<E>;
  /** `skip`: the state may be damaged. */
  readonly integrity?: 'skip';
  /** Last thing before the state is stored. */
  readonly before?: (view: EditView) => Promise<void>;
}

/**
 * Carries an edit out under the stack's lock and stores it as a change of its own. Resolves with what it has changed,
 * which is nothing when nothing had to be. Throws CAIRN-CANCELLED when it is not to be stored.
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
    else if (!(await review({ edit, notes }))) throw nothingChanged();
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
