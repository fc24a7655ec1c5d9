import type { BlobStore } from '@cairn/blobs';
import type { Diagnostic } from '@cairn/diagnostics';
import { Replayer, emptyDeployment } from '@cairn/state';
import { unixSeconds } from '../backend-context.js';
import { deploymentOf } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { historyDetail } from '../../model/history-entry.js';
import type { JournalEnd } from '../../model/change-facts.js';
import type { HistoryEntry } from '../../model/history-entry.js';
import type { FoldMember } from '../journal/fold-plan.js';
import { ALL, leavesRoom } from '../claims/claims.js';
import { getJournalFile, putJournalFile, readJournalFile } from '../journal/journal-files.js';
import type { EndedFile, JournalRow, OperationFile, ReadJournalFile } from '../journal/journal-files.js';
import { readEntries } from '../journal/journal-replay.js';
import type { JournalContent } from '../journal/journal-replay.js';
import { JOURNAL_FILES } from '../layout.js';
import { recordKind } from '../records/change-files.js';
import { tallyOf } from '../../model/tally.js';
import { inDoubtDiagnostics } from './in-doubt.js';

/** Journal that its operation did not fold itself, as read. `ended`: it ended beside others, and waited for them. */
export interface DeadJournal {
  readonly row: JournalRow;
  readonly directory: string;
  readonly operation: OperationFile;
  readonly ended: EndedFile | undefined;
  /** Fold that began and did not complete. It says how the operation ended. */
  readonly fold: ReadJournalFile<'fold'> | undefined;
  readonly content: JournalContent;
}

/**
 * Fences and reads a journal that is not closed. Later appends of its operation do not count, so this reads all that it
 * ever recorded.
 */
export async function readDead(
  store: BlobStore,
  row: JournalRow,
  directory: string,
  operation: OperationFile,
): Promise<DeadJournal> {
  const [fold, ended] = [
    await readJournalFile(store, directory, 'fold'),
    await getJournalFile(store, directory, 'ended'),
  ];
  await fenceJournal(store, row, directory);
  if (!leavesRoom(operation.claims ?? ALL) && !isEdit(operation)) await fenceThrough(store, directory);
  return { row, directory, operation, ended, fold, content: await readEntries(store, directory) };
}

/**
 * Fences a journal. Creates a segment that does not exist yet, so that no other process can open it. A state service
 * looks for it after it has opened a piece, so the pieces are listed last.
 */
async function fenceJournal(store: BlobStore, { files }: JournalRow, directory: string): Promise<void> {
  const key = directory + JOURNAL_FILES.segment;
  if (files.has(JOURNAL_FILES.segment)) return store.fenceSegment?.(key);
  const opened = await store.openSegment(key, { create: 'exclusive' });
  if (opened.ok) await opened.segment.close();
  else await store.fenceSegment?.(key);
  for (const piece of await store.list(directory + JOURNAL_FILES.pieces))
    await store.fenceSegment?.(piece.key);
}

/** Returns true if a journal may contain records. */
export function hasRecords({ files }: JournalRow): boolean {
  const { segment, pieces } = JOURNAL_FILES;
  return [...files].some((name) => name === segment || name.startsWith(pieces));
}

/**
 * Fences a journal that lacks its operation, and returns true if it contains nothing. Its operation has withdrawn,
 * while another process, which has died since, had begun to take it over and created the segment.
 */
export async function isWithdrawn(store: BlobStore, row: JournalRow, directory: string): Promise<boolean> {
  await fenceJournal(store, row, directory);
  const { entries, records, torn } = await readEntries(store, directory);
  return entries.length === 0 && records.length === 0 && torn === undefined;
}

/**
 * Rewrites `through.json` unchanged. Its operation can then announce no further checkpoint, and the digests that it has
 * announced are read after this.
 */
async function fenceThrough(store: BlobStore, directory: string): Promise<void> {
  for (;;) {
    const seen = await readJournalFile(store, directory, 'through');
    const lock = FENCE;
    const fence = { lock, digests: seen?.content.digests ?? [] };
    if (seen?.content.lock === lock) return;
    const condition = seen === undefined ? { ifAbsent: true } : { ifVersion: seen.version };
    if (await putJournalFile(store, directory, 'through', fence, condition)) return;
  }
}

/** Replaces the operation's lock. */
const FENCE = 'taken over';

/** Returns true if the journal contains nothing that could be lost. */
export function isEmpty({ content, ended }: DeadJournal): boolean {
  return (
    ended === undefined &&
    content.entries.length === 0 &&
    !content.records.some((record) => record.record === 'task')
  );
}

/** Returns the member for a fold, and the steps in doubt after it. */
export function deadMember(
  dead: DeadJournal,
  base: StoredCheckpoint,
  now: Date,
): { readonly member: FoldMember; readonly doubts: readonly Diagnostic[] } {
  const { row, operation, content, ended } = dead;
  const said = ended ?? dead.fold?.content;
  const replayer = new Replayer(deploymentOf(base) ?? emptyDeployment, content.source);
  for (const entry of content.entries) replayer.add(entry);
  const doubts = ended === undefined ? inDoubtDiagnostics(replayer.inDoubt(), row.number) : [];
  const history = isEdit(operation) ? undefined : interruptedHistory(operation, now);
  const member = {
    change: row.change,
    number: row.number,
    lock: operation.lock,
    replayer,
    history: said?.history ?? history,
    end: said?.end ?? journalEnd(dead, now),
    seen: dead.fold,
  };
  return { member, doubts };
}

/**
 * Returns the end of a journal whose operation did not say how it ended. An edit of the state is one record: if it
 * exists, the edit is done.
 */
export function journalEnd({ content, operation }: DeadJournal, now: Date): JournalEnd {
  const tally = tallyOf(content.records);
  return {
    result: isEdit(operation) ? 'succeeded' : 'interrupted',
    status: tally.status(),
    tasks: tally.counts(),
    ended: now.toISOString(),
  };
}

/** Describes the operation for display. */
export function begunBy({ kind, pid, hostname, startTime }: OperationFile): string {
  return `${kind} by process ${pid} on ${hostname}, begun ${new Date(startTime * 1000).toISOString()}`;
}

function isEdit(operation: OperationFile): boolean {
  return recordKind(operation) === 'edit';
}

function interruptedHistory(operation: OperationFile, now: Date): HistoryEntry {
  return {
    kind: operation.kind,
    startTime: operation.startTime,
    message: operation.message,
    environment: operation.environment,
    config: operation.config,
    version: 0,
    result: 'failed',
    endTime: unixSeconds(now),
    resourceChanges: undefined,
    cairn: historyDetail(Number(operation.change), recordKind(operation), 'interrupted'),
  };
}
