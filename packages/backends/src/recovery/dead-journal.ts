import type { Diagnostic } from '@cairn/diagnostics';
import { Replayer, emptyDeployment } from '@cairn/state';
import { unixSeconds } from '../backend-context.js';
import { deploymentOf } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { HistoryEntry } from '../history/history-entry.js';
import type { FoldMember } from '../journal/fold.js';
import type { EndedFile, JournalEnd, JournalRow, OperationFile } from '../journal/journal-files.js';
import type { JournalContent } from '../journal/journal-replay.js';
import { kindOf } from '../records/read-changes.js';
import { tallyOf } from '../records/tally.js';
import { inDoubtDiagnostics } from './in-doubt.js';

/** A journal that its operation did not fold itself, read. `ended`: it came to its end beside others, and waited for them. */
export interface DeadJournal {
  readonly row: JournalRow;
  readonly directory: string;
  readonly operation: OperationFile;
  readonly ended: EndedFile | undefined;
  readonly content: JournalContent;
}

/** Whether there is anything in it that could be lost. */
export function isEmpty({ content, ended }: DeadJournal): boolean {
  return (
    ended === undefined &&
    content.entries.length === 0 &&
    !content.records.some((record) => record.record === 'task')
  );
}

/** What folding it takes, and what is in doubt after it. */
export function deadMember(
  dead: DeadJournal,
  base: StoredCheckpoint,
  now: Date,
): { readonly member: FoldMember; readonly doubts: readonly Diagnostic[] } {
  const { row, operation, content, ended } = dead;
  const replayer = new Replayer(deploymentOf(base) ?? emptyDeployment, content.source);
  for (const entry of content.entries) replayer.add(entry);
  const doubts =
    ended === undefined ? inDoubtDiagnostics(replayer.inDoubt(), row.number, content.records) : [];
  const history = isEdit(operation) ? undefined : interruptedHistory(operation, now);
  const member = {
    change: row.change,
    number: row.number,
    lock: operation.lock,
    replayer,
    history: ended?.history ?? history,
    end: ended?.end ?? endOf(dead, now),
  };
  return { member, doubts };
}

/** How a journal is closed whose operation did not say how it ended. An edit of the state is one record: when it is there, it is done. */
export function endOf({ content, operation }: DeadJournal, now: Date): JournalEnd {
  const tally = tallyOf(content.records);
  return {
    result: isEdit(operation) ? 'succeeded' : 'interrupted',
    status: tally.status(),
    tasks: tally.counts(),
    ended: now.toISOString(),
  };
}

/** For people. */
export function begunBy({ kind, pid, hostname, startTime }: OperationFile): string {
  return `${kind} by process ${pid} on ${hostname}, begun ${new Date(startTime * 1000).toISOString()}`;
}

function isEdit(operation: OperationFile): boolean {
  return kindOf(operation) === 'edit';
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
  };
}
