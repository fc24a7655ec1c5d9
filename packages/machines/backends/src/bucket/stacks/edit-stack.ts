import type { Diagnostic } from '@cairn/diagnostics';
import { emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { nanoStamp } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { checkpointEnd, layout } from '../layout.js';
import { changesInDoubt } from '../records/open-doubts.js';
import type { StackId } from '../../stack-id.js';
import { lockAndRecover } from './locked.js';
import { editedLine, keepsObjects, storeEdit, supersededNote } from './store-edit.js';
import type { DeploymentEdit, EditView } from '../../model/edit.js';
import type { ReadOptions } from '../../model/stack-lease.js';
import { refuseInconsistent, usable } from '../../model/integrity.js';
import { stackNotFound } from '../../model/stack-errors.js';

/** Options of an edit. `message` describes it in listings. */
interface EditOptions extends ReadOptions {
  readonly message?: string | undefined;
}

/**
 * Stores the deployment that a change returns, under the lock; see `Backend.edit`. Writes no history entry, and no
 * backup but the `.bak`.
 */
export async function editDeployment(
  context: BackendContext,
  id: StackId,
  change: DeploymentEdit,
  { message = 'state edit', integrity = context.integrity }: EditOptions = {},
): Promise<readonly Diagnostic[]> {
  const { lock, notes } = await lockAndRecover(context, id);
  try {
    const checkpoint = await loadCheckpoint(context.store, id);
    if (checkpoint === undefined) throw stackNotFound(id);
    const before = deploymentOf(checkpoint) ?? emptyDeployment;
    const warnings = integrity === 'skip' ? [] : usable(before);
    const edited = await change(before, await viewOf(context, id, checkpoint, before));
    if (edited === undefined) return [...notes, ...warnings];
    if (integrity === 'check') refuseInconsistent(edited);
    const continues = keepsObjects(before, edited) ? await editedLine(context, id, checkpoint) : undefined;
    await storeEdit(context, lock, { id, base: checkpoint, edited, message, continues });
    return [...notes, ...warnings];
  } finally {
    await lock.release();
  }
}

/** Returns the {@link EditView} of one stack under its lock. */
export async function viewOf(
  context: BackendContext,
  id: StackId,
  checkpoint: StoredCheckpoint,
  before: SerializedDeployment,
): Promise<EditView> {
  const note = await supersededNote(context, id, checkpoint);
  return {
    supersedes: (edited) => (keepsObjects(before, edited) ? undefined : note),
    inDoubt: async () => (await changesInDoubt(context, id)).changes,
    backup: async () => {
      const copy = layout.backup(id, nanoStamp(context.now(), 0), checkpointEnd(checkpoint.key));
      await context.store.copy(checkpoint.key, copy);
      return copy;
    },
  };
}
