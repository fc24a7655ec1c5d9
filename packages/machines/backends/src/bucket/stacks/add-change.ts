import { settled } from '@cairn/crypters';
import { checkpointBytes } from '@cairn/state';
import type { AddedChange, MovingChange } from '../../model/past-change.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import type { BackendContext } from '../backend-context.js';
import { addPastChange } from '../records/add-past-change.js';
import { lockAndRecover } from './locked.js';

/** Adds a change that has ended to a bucket, under the lock of the stack; see `PastChanges.add`. */
export async function addToBucket(
  context: BackendContext,
  id: StackId,
  { base, ...change }: MovingChange,
): Promise<AddedChange> {
  const bytes = base && checkpointBytes(fullStackName(id), await settled(base));
  const { lock } = await lockAndRecover(context, id);
  try {
    return await addPastChange(context.store, id, { ...change, base: bytes, lock: context.instance });
  } finally {
    await lock.release();
  }
}
