import type { StoredState } from '../../backend.js';
import { usable } from '../../model/integrity.js';
import { stackNotFound } from '../../model/stack-errors.js';
import type { ReadOptions } from '../../model/stack-lease.js';
import type { StackId } from '../../stack-id.js';
import type { BackendContext } from '../backend-context.js';
import { checkpointKey, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { CHECKPOINT_ENDS, layout } from '../layout.js';
import type { HeldLock } from '../locks/stack-lock.js';
import { readUnfolded } from '../recovery/unfolded.js';

/** Returns true if the store has the stack. A listing that was just made is not made again. */
export async function hasStack(context: BackendContext, id: StackId): Promise<boolean> {
  const { listed, store } = context;
  context.listed = undefined;
  const keys = CHECKPOINT_ENDS.map((end) => layout.checkpoint(id) + end);
  const there = keys.filter((key) => listed?.includes(key) === true);
  context.found = there.length === 1 ? there[0] : undefined;
  return there.length > 0 || (await checkpointKey(store, id)) !== undefined;
}

/**
 * Returns the only key of the stack's checkpoint, if {@link hasStack} has just found it. A client that waited for the
 * lock, or took it over, looks again.
 */
export function foundKey(context: BackendContext, id: StackId, lock: HeldLock): string | undefined {
  const { found, waitForLockMs } = context;
  context.found = undefined;
  const base = layout.checkpoint(id);
  const isOwn = CHECKPOINT_ENDS.some((end) => found === base + end);
  return isOwn && waitForLockMs === 0 && lock.takenOver.length === 0 && !lock.joined ? found : undefined;
}

/** Runs a function for a stack that the store has. Fails with `CAIRN-STACK-NOT-FOUND`. */
export async function ofStored<T>(context: BackendContext, id: StackId, run: () => Promise<T>): Promise<T> {
  if (!(await hasStack(context, id))) throw stackNotFound(id);
  return run();
}

/** Reads a state without a lock, see `Backend.read`. */
export async function readStack(
  context: BackendContext,
  id: StackId,
  options: ReadOptions,
): Promise<StoredState> {
  const checkpoint = await loadCheckpoint(context.store, id);
  if (checkpoint === undefined) throw stackNotFound(id);
  const { deployment, warnings } = await readUnfolded(context, id, checkpoint);
  const skip = (options.integrity ?? context.integrity) === 'skip';
  const oddities = deployment === undefined || skip ? [] : usable(deployment);
  const sealed = context.store.keys.seals(layout.pathOf(id));
  return { stack: id, deployment, sealed, warnings: [...warnings, ...oddities] };
}
