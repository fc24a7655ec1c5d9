import { checkpointBytes } from '@cairn/state';
import type { PastUpdate } from '../../model/past-update.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import { nanoStamp } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { layout } from '../layout.js';
import { historyEntryText } from './history-store.js';

/** Adds an update of the past to the history; see `BucketPart.addHistory`. Adding it again changes nothing. */
export async function addPastUpdate(
  { store }: BackendContext,
  id: StackId,
  { entry, state, order }: PastUpdate,
): Promise<void> {
  const stamp = nanoStamp(new Date(entry.startTime * 1000), order);
  if (state !== undefined) {
    const bytes = checkpointBytes(fullStackName(id), state);
    await store.put(layout.historyCheckpoint(id, stamp, '.json'), bytes, { ifAbsent: true });
  }
  const text = Buffer.from(historyEntryText(entry));
  await store.put(layout.historyEntry(id, stamp, '.json'), text, { ifAbsent: true });
}
