import { isUnixSeconds, timeOf } from '../backend-context.js';
import type { JournalEnd } from '../../model/change-facts.js';
import type { ChangeRow } from '../../model/change-row.js';
import type { ChangeFiles } from './change-files.js';

/** Returns one row of a listing. */
export function rowOf(files: ChangeFiles, running: boolean, unfinished: boolean): ChangeRow {
  const { number, kind, operation, continues } = files;
  const end = endOf(files, running);
  const spawned = new Date(operation.startTime * 1000).toISOString();
  return {
    id: String(number),
    number,
    kind,
    status: statusOf(files, end),
    result: end?.result,
    running,
    unfinished,
    spawned,
    ended: laterOf(spawned, end?.ended ?? recordedEnd(files)),
    summary: operation.message,
    tasks: files.tasks,
    continues: continues && { change: String(continues.number), how: continues.how },
    ...(!running && files.over !== undefined && { unstored: true as const }),
  };
}

/** Returns the end of a change, or undefined while its process stores it. */
function endOf({ sealed, over }: ChangeFiles, running: boolean): JournalEnd | undefined {
  return sealed ?? (running ? undefined : over);
}

/** Returns the status of a change: that of its tasks. A change without tasks has the status that fits its result. */
function statusOf({ tally, tasks, over }: ChangeFiles, end: JournalEnd | undefined): ChangeRow['status'] {
  const derived = (end ?? over)?.status ?? tally?.status() ?? 'hold';
  if (tasks.total > 0 || derived !== 'hold') return derived;
  switch (end?.result) {
    case 'succeeded':
      return 'done';
    case 'rolled-back':
      return 'undone';
    case 'failed':
      return 'error';
    default:
      return derived;
  }
}

/** Returns the end of a change, which is never before its beginning, though the clock was set back between them. */
function laterOf(spawned: string, ended: string | undefined): string | undefined {
  const end = timeOf(ended);
  return end !== undefined && Date.parse(end) < Date.parse(spawned) ? spawned : end;
}

/** Returns the end of a change from its history entry, for journals of older versions. */
function recordedEnd({ sealed, fold }: ChangeFiles): string | undefined {
  if (sealed === undefined || !isUnixSeconds(fold?.history?.endTime)) return undefined;
  return new Date(fold.history.endTime * 1000).toISOString();
}
