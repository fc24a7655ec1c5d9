import type { BlobStore, BlobVersion } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { newestStamp } from '../history/history-store.js';
import type { StackId } from '../../stack-id.js';
import type { StoredCheckpoint } from './checkpoint-file.js';

/**
 * State that the store has acknowledged, as its writer notes it. `replaced` is the checkpoint before it, as the store
 * had it, and `stamp` that of the newest update in the history then.
 */
export interface NotedState {
  readonly version: BlobVersion;
  readonly replaced?: { readonly version: BlobVersion; readonly modified: number } | undefined;
  readonly stamp?: string | undefined;
}

/** Way in which a state was lost: there is no checkpoint, or still the one that it replaced. */
type StateLoss = 'gone' | 'older';

/**
 * Returns how the store lost a state that it had acknowledged, or undefined if it is there. A state that another tool
 * has stored, and a stack that one has removed with its history, are no losses.
 */
export async function stateLoss(
  store: BlobStore,
  id: StackId,
  stored: NotedState | undefined,
  found: StoredCheckpoint | undefined,
): Promise<StateLoss | undefined> {
  if (stored === undefined) return undefined;
  if (found === undefined) return (await hasUpdate(store, id, stored)) ? 'gone' : undefined;
  const { version, replaced } = stored;
  if (found.version === version || replaced === undefined) return undefined;
  return found.version === replaced.version && found.modified === replaced.modified ? 'older' : undefined;
}

async function hasUpdate(store: BlobStore, id: StackId, { stamp }: NotedState): Promise<boolean> {
  const newest = await newestStamp(store, id);
  return stamp !== undefined && newest !== undefined && newest >= BigInt(stamp);
}

/** Returns the error of a state that was lost. */
export function lostNotedState({ stack }: StackId, loss: StateLoss): Error {
  const found = loss === 'gone' ? 'it is gone' : 'the store still has the one before it';
  return cairnError(
    'CAIRN-STATE-CORRUPT',
    `cannot read the state of stack "${stack}" that was stored last: ${found}`,
    {
      hint: 'Put the state of an older version in its place: `cairn stack export --version`, then import it.',
    },
  );
}
