import type { DamagedState, StateCopy, StrandedChange } from '@cairn/backends';
import { CairnError } from '@cairn/diagnostics';
import { repairState } from '@cairn/state';
import type { EditedEntry, Repair } from '@cairn/state';
import type { OpenStack } from '../access/open-stack.js';
import { declinedError } from '../ports.js';
import { editState } from './edit-state.js';
import type { Review } from './edit-state.js';

/** A state that cannot be read, and the best copy of it. */
interface RestorableState extends DamagedState {
  readonly copy: StateCopy;
}

/**
 * Replaces an unreadable state by its best copy. Resolves with the place of the damaged one, or with `undefined` if the
 * state can be read. Throws the state's error when no copy can be read, and CAIRN-CANCELLED when `agree` declines.
 */
export async function restoreState(
  { backend, id }: OpenStack,
  agree: (found: RestorableState) => Promise<boolean> = always,
): Promise<string | undefined> {
  return backend.bucket?.restore(id, async (damaged) => {
    const { copy } = damaged;
    if (copy === undefined) throw withoutCopy(damaged);
    if (await agree({ ...damaged, copy })) return true;
    throw declinedError();
  });
}

function withoutCopy({ damage }: DamagedState): CairnError {
  const causes = [...(damage.causes ?? []), 'no copy of it can be read: history, backups and .bak'];
  const hint =
    'Nothing was changed. Import an export of the stack with `cairn stack import`, or restore the file from a backup of the backend.';
  return new CairnError([{ ...damage, causes, hint }]);
}

/**
 * Sets aside journals of dead operations that can no longer be taken over, and resolves with those. Throws
 * CAIRN-CANCELLED when `agree` declines.
 */
export async function setStrandedAside(
  { backend, id }: OpenStack,
  agree: (stranded: readonly StrandedChange[]) => Promise<boolean> = always,
): Promise<readonly StrandedChange[]> {
  const aside = await backend.bucket?.setAside(id, async (stranded) => {
    if (await agree(stranded)) return true;
    throw declinedError();
  });
  return aside ?? [];
}

/**
 * Repairs an inconsistent state; the original is kept, and its place is reported. Throws CAIRN-STATE-INTEGRITY when it
 * cannot be repaired.
 */
export function mendState(stack: OpenStack, review?: Review<Repair>): Promise<readonly EditedEntry[]> {
  const { interaction } = stack.ports;
  return editState<Repair>(
    stack,
    {
      message: 'state repair',
      integrity: 'skip',
      rule: repairState,
      before: async (view) => interaction.notice({ t: 'state-kept', place: await view.backup() }),
    },
    review,
  );
}

const always = (): Promise<boolean> => Promise.resolve(true);
