import type { ChangeRow } from '@cairn/backends';
import { CHANGE_VERBS, CONTINUED, CONTINUING, statusWord } from '@cairn/backends/words';
import { isEnded } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import type { Json } from '@cairn/state';
import { firstLine } from '../terminal/paint.js';
import { alignedLines } from '../terminal/columns.js';
import { timeText } from './times.js';
import type { TimeStyle } from './times.js';

/** A change in the form of a listing. */
export type ListedChange = Omit<ChangeRow, 'id'>;

const HEADER = ['ID', 'Status', 'Spawn', 'Ready', 'Summary'];

/** Returns the table of `cairn changes`. */
export function changeListLines(
  changes: readonly ListedChange[],
  stack: string,
  style: TimeStyle,
): readonly string[] {
  const successors = new Map(changes.map((change) => [change.continues?.change, change]));
  const rows = changes.map((change) => [
    String(change.number),
    change.damage === undefined ? statusWord(change.status) : 'Damaged',
    timeText(change.spawned, style),
    timeText(change.running ? undefined : change.ended, style),
    summaryOf(change, stack) + noteOf(change, successors.get(String(change.number))),
  ]);
  return alignedLines([HEADER, ...rows]);
}

/**
 * Describes a change in a sentence: `Update dev`, with the message given for it. A damaged change is described by the
 * reason why it cannot be read.
 */
function summaryOf(
  { kind, summary, damage }: Pick<ListedChange, 'kind' | 'summary' | 'damage'>,
  stack: string,
): string {
  if (damage !== undefined) return firstLine(damage);
  const text = `${CHANGE_VERBS[kind]} ${stack}`;
  return summary === '' ? text : `${text}: ${firstLine(summary)}`;
}

/** Describes how a change ended, which change it continues, and which change continued it. */
function noteOf(
  { running, result, unfinished, unstored, continues }: ListedChange,
  next?: ListedChange,
): string {
  const notes: string[] = [];
  if (running) notes.push('running');
  else if (result === 'nothing') notes.push('did nothing');
  else if (result !== undefined && result !== 'succeeded') notes.push(result);
  if (!running && unfinished) notes.push('unfinished');
  if (unstored === true) notes.push('ended, not stored yet');
  if (continues !== undefined) notes.push(`${CONTINUING[continues.how]} ${Number(continues.change)}`);
  if (next?.continues !== undefined) notes.push(`${CONTINUED[next.continues.how]} ${next.number}`);
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

/** Returns a change for JSON output, with RFC 3339 times and with ids that can be typed. */
export function changeJson(change: ListedChange, stack: string): Readonly<Record<string, Json>> {
  const { continues } = change;
  return goStruct({
    id: String(change.number),
    ...(change.damage === undefined ? { kind: change.kind } : { damage: change.damage }),
    summary: summaryOf(change, stack),
    status: statusWord(change.status),
    ready: isEnded(change),
    running: change.running,
    ...(change.result === undefined ? {} : { result: change.result }),
    ...(change.unstored === true ? { stored: false } : {}),
    taskCount: change.tasks.total,
    ...(continues === undefined
      ? {}
      : { continues: goStruct({ change: String(Number(continues.change)), how: continues.how }) }),
    spawnTime: new Date(change.spawned).toISOString(),
    ...(change.ended === undefined || change.running
      ? {}
      : { readyTime: new Date(change.ended).toISOString() }),
  });
}
