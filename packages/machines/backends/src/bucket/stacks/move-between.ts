import type { Diagnostic } from '@cairn/diagnostics';
import { emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { moveOptions } from '../recovery/unfinished-move.js';
import type { StackId } from '../../stack-id.js';
import { viewOf } from './edit-stack.js';
import { lockAndRecover } from './locked.js';
import { storeEdit } from './store-edit.js';
import type { MoveEdit } from '../../model/edit.js';
import { refuseInconsistent, usable } from '../../model/integrity.js';
import { stackNotFound } from '../../model/stack-errors.js';

/** The two stacks of a move. */
interface MoveStacks {
  readonly source: StackId;
  readonly dest: StackId;
  readonly message: string;
}

/**
 * Moves resources from one stack to another: both locked, two edits. The other stack has them before this one has lost
 * them. The change here records from its beginning where they go. A process that takes over an interrupted move can
 * thus find out and finish it. Nothing is ever lost.
 */
export async function moveBetween(
  context: BackendContext,
  { source, dest, message }: MoveStacks,
  change: MoveEdit,
): Promise<readonly Diagnostic[]> {
  const here = await lockAndRecover(context, source);
  try {
    const there = await lockAndRecover(context, dest);
    try {
      const notes = [...here.notes, ...there.notes];
      const [from, to] = [await opened(context, source), await opened(context, dest)];
      const moved = await change(
        { deployment: from.deployment, view: await viewOf(context, source, from.base, from.deployment) },
        { deployment: to.deployment, view: await viewOf(context, dest, to.base, to.deployment) },
      );
      if (moved === undefined) return notes;
      for (const deployment of [moved.source, moved.dest])
        if (context.integrity === 'check') refuseInconsistent(deployment);
      const common = { message, continues: undefined };
      await storeEdit(context, here.lock, {
        ...{ ...common, id: source, base: from.base, edited: moved.source },
        options: moveOptions(dest, moved.dest, moved.arrived),
        between: () =>
          storeEdit(context, there.lock, { ...common, id: dest, base: to.base, edited: moved.dest }),
      });
      return notes;
    } finally {
      await there.lock.release();
    }
  } finally {
    await here.lock.release();
  }
}

async function opened(
  context: BackendContext,
  id: StackId,
): Promise<{ readonly base: StoredCheckpoint; readonly deployment: SerializedDeployment }> {
  const base = await loadCheckpoint(context.store, id);
  if (base === undefined) throw stackNotFound(id);
  const deployment = deploymentOf(base) ?? emptyDeployment;
  if (context.integrity === 'check') usable(deployment);
  return { base, deployment };
}
