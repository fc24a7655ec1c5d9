import type { Diagnostic } from '@cairn/diagnostics';
import { checkpointBytes, emptyDeployment, renamedStack } from '@cairn/state';
import { nanoStamp, unixSeconds } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, digestOf, loadCheckpoint, storeCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { getJournalFile, putJournalFile } from '../journal/journal-files.js';
import { listJournals } from '../journal/journals.js';
import { changeName, layout } from '../layout.js';
import { NO_TASKS } from '../../model/tally.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import { companionMoves, copyAll, deleteMoved } from './companions.js';
import { lockAndRecover, lockStack } from './locked.js';
import { supersededNote } from './store-edit.js';
import { usable } from '../../model/integrity.js';
import { renameRefused } from '../../model/rename-refused.js';
import { stackExists, stackNotFound } from '../../model/stack-errors.js';

/**
 * Renames a stack; see `Backend.rename`. The order makes it safe to die between any two writes and to run again:
 * companions are copied, then the new checkpoint is written where there is none, then the old companions go, then the
 * old checkpoint, which stays as `.bak`.
 *
 * `rewrite` returns the text of the renamed state for that of the old one, whose pending operations it renames too. By
 * default the state is renamed here, and one with pending operations is refused.
 */
export async function renameBucketStack(
  context: BackendContext,
  from: StackId,
  to: StackId,
  rewrite?: (text: Uint8Array) => Uint8Array,
): Promise<readonly Diagnostic[]> {
  const { store } = context;
  const here = await lockAndRecover(context, from);
  try {
    const there = await lockStack(context, to);
    try {
      const base = await loadCheckpoint(store, from);
      if (base === undefined) throw stackNotFound(from);
      // A large text is let go with the first reading of its deployment.
      const { text } = base;
      await refuseUnfinished(context, from, base, rewrite === undefined);
      const bytes =
        rewrite === undefined || text === undefined ? renamedBytes(context, from, to, base) : rewrite(text);
      const present = await loadCheckpoint(store, to);
      if (present !== undefined && present.digest !== digestOf(bytes)) throw stackExists(to);
      // Everything under the new name is sealed as it was under the old one.
      const sealed = store.keys.seals(layout.pathOf(from));
      store.keys.noteCheckpoint(layout.pathOf(to), sealed, deploymentOf(base)?.secretsProvider);
      const moves = await companionMoves(store, from, to);
      await copyAll(store, moves);
      if (present === undefined) await storeNew(context, to, bytes);
      await recordRenaming(context, from, to, base);
      await deleteMoved(store, moves);
      await store.delete(layout.digests(from));
      await store.copy(base.key, layout.previous(base.key));
      await store.delete(base.key);
      return here.notes;
    } finally {
      await there.release();
    }
  } finally {
    await here.lock.release();
  }
}

function renamedBytes(
  context: BackendContext,
  from: StackId,
  to: StackId,
  base: StoredCheckpoint,
): Uint8Array {
  const deployment = deploymentOf(base);
  if (deployment !== undefined && context.integrity === 'check') usable(deployment);
  const renamed = deployment === undefined ? undefined : renamedStack(deployment, from, to);
  // As in the other tool, the document keeps the old name until the next operation that stores a state. Readers ignore
  // it.
  return checkpointBytes(fullStackName(from), renamed);
}

async function storeNew(context: BackendContext, id: StackId, bytes: Uint8Array): Promise<void> {
  const { store, settings, now } = context;
  await storeCheckpoint(store, {
    id,
    bytes,
    previous: undefined,
    settings,
    keepsPrevious: false,
    stamp: nanoStamp(now(), 0),
  });
}

/**
 * Refuses to rename while a change did not end. Its records have the old URNs: continuing it under the new name would
 * be wrong.
 */
async function refuseUnfinished(
  context: BackendContext,
  id: StackId,
  base: StoredCheckpoint,
  refusesPending: boolean,
): Promise<void> {
  const note = await supersededNote(context, id, base);
  const pending = refusesPending ? (deploymentOf(base) ?? emptyDeployment).pendingOperations : [];
  if (note === undefined && pending.length === 0) return;
  throw renameRefused(id, note, pending);
}

/**
 * Records the renaming as a change of its own, so that the list of changes shows it. It has no records: it contains
 * nothing to continue or roll back.
 */
async function recordRenaming(
  context: BackendContext,
  from: StackId,
  to: StackId,
  base: StoredCheckpoint,
): Promise<void> {
  const { store, instance, process, now } = context;
  const newest = (await listJournals(store, to)).at(-1);
  const before = newest && (await getJournalFile(store, layout.journalOf(to, newest.change), 'operation'));
  const recorded = before?.kind === 'rename' && before.base === base.digest;
  const change = recorded ? (newest?.change ?? '') : changeName((newest?.number ?? 0) + 1);
  const directory = layout.journalOf(to, change);
  const operation = {
    ...{ change, lock: instance, pid: process.pid, hostname: process.hostname },
    ...{ kind: 'rename' as const, operation: 'edit' as const, base: base.digest },
    ...{ message: `stack rename from ${from.stack} to ${to.stack}`, startTime: unixSeconds(now()) },
    ...{ environment: {}, config: {} },
  };
  await putJournalFile(store, directory, 'operation', operation, { ifAbsent: true });
  const ended = now().toISOString();
  await putJournalFile(store, directory, 'sealed', {
    ...{ lock: instance, result: 'succeeded', status: 'done', tasks: NO_TASKS, ended },
  });
}
