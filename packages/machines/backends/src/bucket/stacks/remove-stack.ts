import { isRootStackUrn, isUrn } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import type { StackRemovalOptions } from '../../backend.js';
import type { BackendContext } from '../backend-context.js';
import { checkpointKey, deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { removeJournal } from '../journal/journal-files.js';
import { listJournals } from '../journal/journals.js';
import { CHECKPOINT_ENDS, layout } from '../layout.js';
import { recoverStack } from '../recovery/recover.js';
import type { StackId } from '../../stack-id.js';
import { lockStack } from './locked.js';
import { stackNotFound } from '../../model/stack-errors.js';

/**
 * Removes a stack [STORE-12]. Refuses while more than the root stack resource remains, unless forced. A forced removal
 * reads nothing, so a stack whose state is damaged can go too. The last checkpoint stays as `.bak` unless backups are
 * to go as well.
 */
export async function removeBucketStack(
  context: BackendContext,
  id: StackId,
  options: StackRemovalOptions,
): Promise<void> {
  const { store } = context;
  if ((await checkpointKey(store, id)) === undefined) throw stackNotFound(id);
  const lock = await lockStack(context, id);
  try {
    if (options.force !== true) await refuseResources(context, id);
    for (const { change } of await listJournals(store, id)) {
      await lock.confirm();
      await removeJournal(store, layout.journalOf(id, change));
    }
    await lock.confirm();
    await removeCheckpoint(context, id, options.backups === true);
    await store.delete(layout.tags(id));
    await store.delete(layout.digests(id));
    // Failing to remove the rest is no reason to fail: the stack is gone.
    await removeFiles(context, layout.historyOf(id)).catch(() => undefined);
    if (options.backups === true) await removeFiles(context, layout.backupsOf(id));
  } finally {
    await lock.release();
  }
}

async function refuseResources(context: BackendContext, id: StackId): Promise<void> {
  await recoverStack(context, id);
  const checkpoint = await loadCheckpoint(context.store, id);
  const deployment = checkpoint === undefined ? undefined : deploymentOf(checkpoint);
  const left = (deployment?.resources ?? []).filter(({ urn }) => !isUrn(urn) || !isRootStackUrn(urn));
  if (left.length === 0) return;
  const count = left.length === 1 ? '1 resource' : `${left.length} resources`;
  throw cairnError('CAIRN-STACK-NOT-EMPTY', `stack "${id.stack}" still has ${count}`, {
    causes: left.slice(0, 5).map(({ urn }) => urn),
    hint: 'Remove them with `cairn destroy` first, or abandon them with `cairn stack rm --force`.',
  });
}

async function removeCheckpoint({ store }: BackendContext, id: StackId, backups: boolean): Promise<void> {
  for (const end of CHECKPOINT_ENDS) {
    const key = layout.checkpoint(id) + end;
    if (!backups) await store.copy(key, layout.previous(key));
    await store.delete(key);
    if (backups) await store.delete(layout.previous(key));
  }
}

/** Removes files directly in a directory. Deeper ones may belong to stacks of a project of that name. */
async function removeFiles({ store }: BackendContext, directory: string): Promise<void> {
  for (const { key } of await store.list(directory))
    if (!key.slice(directory.length).includes('/')) await store.delete(key);
}
