import type { BlobStore } from '@cairn/blobs';
import { encodeRecords } from '@cairn/changes';
import { digestOf } from '../checkpoint/checkpoint-file.js';
import { compress } from '../checkpoint/compression.js';
import { leaveMessage } from '../control/control-files.js';
import { putJournalFile } from '../journal/journal-files.js';
import { JOURNAL_FILES, changeName, layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { NUMBER_TAKEN, isSameChange } from '../../model/past-change.js';
import type { AddedChange, MovingChange } from '../../model/past-change.js';
import { subjectOf } from '../../model/record-entries.js';
import { readPastChange } from './past-change.js';

/** Change that is added. `base` is the checkpoint that it started from, `lock` the id under which it ran. */
interface JournalOfPast extends Omit<MovingChange, 'base'> {
  readonly base: Uint8Array | undefined;
  readonly lock: string;
}

/**
 * Writes the journal of a change that has ended. Its description comes last: a journal without one is none, so that no
 * process takes over what is half written. The same change again changes nothing. The caller holds the stack.
 */
export async function addPastChange(
  store: BlobStore,
  id: StackId,
  { number, operation, end, records, messages, base, states, lock }: JournalOfPast,
): Promise<AddedChange> {
  const change = changeName(number);
  const directory = layout.journalOf(id, change);
  const name = base === undefined ? states.base : digestOf(base);
  if ((await store.get(directory + JOURNAL_FILES.operation)) !== undefined) {
    const present = await readPastChange(store, id, number);
    const isSame = present !== undefined && isSameChange(present, { operation, end });
    return isSame ? { outcome: 'there', base: present.states.base } : NUMBER_TAKEN;
  }
  await store.put(directory + JOURNAL_FILES.segment, encodeRecords(records, { subjectOf }));
  if (base !== undefined) await store.put(directory + JOURNAL_FILES.base, await compress(base, 'gzip'));
  for (const { key } of await store.list(`${directory}control-`)) await store.delete(key);
  for (const message of messages) await leaveMessage(store, directory, message);
  const checkpoint = states.left === undefined ? {} : { checkpoint: states.left };
  await putJournalFile(store, directory, 'sealed', { lock, ...end, ...checkpoint });
  const file = { change, lock, ...operation, base: name };
  const added = await putJournalFile(store, directory, 'operation', file, { ifAbsent: true });
  return added ? { outcome: 'added', base: name } : NUMBER_TAKEN;
}
