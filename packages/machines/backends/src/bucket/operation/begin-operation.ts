import type { BlobVersion } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { settled } from '@cairn/crypters';
import { unixSeconds } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { leavesRoom } from '../claims/claims.js';
import { withdrawFence, writeJournalFile } from '../journal/journal-files.js';
import type { OperationFile } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import { JOURNAL_FILES, changeName, layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import type { OperationStart } from '../../model/operation-log.js';
import { JournalledOperation } from './journalled-operation.js';
import type { OperationBase } from './operation-base.js';
import { leaseLost } from '../../model/lease-lost.js';
import { BaseMovedError } from '../../model/base-moved.js';

/**
 * Opens the journal of an operation: claims the next number of the stack with create-if-absent. Its segment is created
 * with the first records. Fails with `CAIRN-STATE-LOCKED` when another process claims the same number, and with
 * `CAIRN-LEASE-LOST` when the lock was taken away since the base was read. Runs under the stack's lock, after recovery.
 */
export async function beginOperation(
  context: BackendContext,
  from: OperationBase,
  operation: OperationStart,
): Promise<JournalledOperation> {
  const { store } = context;
  const { program: _, ...described } = operation;
  const recorded = await settled(described);
  const startTime = unixSeconds(context.now());
  const { number, fence, began } = await claimNumber(context, from, { ...recorded, startTime });
  const { change } = began;
  const directory = layout.journalOf(from.id, change);
  // Checked only once the number is claimed: any process that takes the stack from then on finds the journal.
  await stillAsRead(context, from).catch(async (thrown: unknown) => {
    await withdrawFence(store, directory);
    throw thrown;
  });
  const segment = {
    store,
    key: directory + JOURNAL_FILES.segment,
    // The process that took over the stack has created it, so that no other process writes to it.
    refuse: async () => {
      await from.lock.confirm();
      throw leaseLost(from.id, {
        causes: [`another process has closed operation ${number}`],
        hint: 'Nothing was done. Find out who works on the stack now.',
      });
    },
  };
  return new JournalledOperation(
    context,
    from,
    { ...recorded, number, fence, began, change, startTime },
    segment,
  );
}

/** Takes the next number of the stack. Each of the operations that run beside each other gets the next free one. */
async function claimNumber(
  context: BackendContext,
  { id, base, claims, lock, journals: locked }: OperationBase,
  operation: OperationStart & { readonly startTime: number },
): Promise<{ readonly number: number; readonly fence: BlobVersion; readonly began: OperationFile }> {
  const { store } = context;
  const beside = leavesRoom(claims);
  // Alone on the stack: no other operation has begun since.
  const journals = (beside ? undefined : locked) ?? (await Journals.of(store, id));
  const newest = (await journals.newest())?.number ?? 0;
  const closed = beside ? ((await journals.open())[0]?.number ?? newest + 1) - 1 : undefined;
  let number = newest;
  for (let tries = 0; tries < (beside ? NUMBER_TRIES : 1); tries += 1) {
    number += 1;
    const change = changeName(number);
    const began = {
      change,
      lock: context.instance,
      pid: context.process.pid,
      hostname: context.process.hostname,
      ...operation,
      base: base.digest,
      ...(beside && { claims, closed }),
    };
    const directory = layout.journalOf(id, change);
    const fence = await writeJournalFile(store, directory, 'operation', began, { ifAbsent: true });
    if (fence !== undefined) return { number, fence, began };
  }
  // The process that took over the stack has continued it.
  await lock.confirm();
  throw claimed(id, number);
}

const NUMBER_TRIES = 50;

/**
 * Checks that the lock is still there. If others run beside, also checks that no process has stored a new state since
 * this one was read.
 */
async function stillAsRead(
  context: BackendContext,
  { id, base, claims, lock }: OperationBase,
): Promise<void> {
  if (!leavesRoom(claims)) return lock.confirmLately();
  await lock.confirm();
  if ((await loadCheckpoint(context.store, id))?.digest === base.digest) return;
  throw new BaseMovedError(id, 'a parallel operation has ended and stored its steps');
}

function claimed(id: StackId, number: number): Error {
  return cairnError(
    'CAIRN-STATE-LOCKED',
    `the stack is currently locked by another process, which began operation ${number} on "${id.stack}" at the same moment`,
    {
      hint: 'Run the command again when the other one is done.',
    },
  );
}
