import { isUrn, urnName, urnType } from '@cairn/addresses';
import { statusWord } from '@cairn/backends/words';
import type { Status, TaskView } from '@cairn/changes';
import { goStruct } from '@cairn/state';
import type { Json } from '@cairn/state';
import { formatDuration } from '../terminal/duration.js';
import { firstLine, stripEscapes } from '../terminal/paint.js';
import { alignedLines } from '../terminal/columns.js';
import { wrapped } from '../terminal/fitting.js';
import { stringWidth } from '../terminal/width.js';
import { timeText } from './times.js';
import type { TimeStyle } from './times.js';

const HEADER = ['ID', 'Status', 'Spawn', 'Ready', 'Took', 'Summary'];
const RULE = '.'.repeat(70);
const REASONED: ReadonlySet<Status> = new Set(['wait', 'hold', 'error']);

/**
 * Returns the table of `cairn change ID`. For each task that has a log, a rule, its summary and its lines follow
 * [CHG-23]. `change` is the number of the change, so that users can paste the ids. `columns` is the width of the
 * terminal, if there is one.
 */
export function taskLines(
  tasks: Iterable<TaskView>,
  change: number,
  style: TimeStyle,
  columns?: number,
): readonly string[] {
  const all = [...tasks];
  const rows = all.map((task) => [
    `${change}/${task.id}`,
    statusText(task),
    timeText(task.spawned, style),
    timeText(task.ended, style),
    tookText(task),
    summaryText(task) + reasonText(task),
  ]);
  const table = [HEADER, ...rows];
  const logs = all.flatMap((task) =>
    task.log.length === 0
      ? []
      : ['', RULE, summaryText(task), '', ...task.log.map((line) => stripEscapes(line))],
  );
  return [...fittedTable(table, columns), ...logs];
}

/** Minimum width of the last column. */
const LEAST_SUMMARY = 20;

/** Returns the table. On a terminal that is too narrow, end times are omitted and summaries are wrapped at spaces. */
function fittedTable(table: readonly (readonly string[])[], columns: number | undefined): readonly string[] {
  const whole = alignedLines(table);
  if (columns === undefined || whole.every((line) => stringWidth(line) <= columns)) return whole;
  const cells = table.map((row) => row.filter((_, index) => index !== READY));
  const heads = alignedLines(cells.map((row) => [...row.slice(0, -1), '|'])).map((line) => line.slice(0, -1));
  const width = stringWidth(heads[0] ?? '');
  const room = Math.max(LEAST_SUMMARY, columns - width);
  return cells.flatMap((row, index) =>
    wrapped(row.at(-1) ?? '', room).map(
      (part, at) => (at === 0 ? (heads[index] ?? '') : ' '.repeat(width)) + part,
    ),
  );
}

const READY = HEADER.indexOf('Ready');

/** Returns the summary with the name and type of the resource in place of its URN. */
export function summaryText({ summary, data }: Pick<TaskView, 'summary' | 'data'>): string {
  const { urn } = data;
  if (typeof urn !== 'string' || !isUrn(urn)) return stripEscapes(summary);
  return stripEscapes(summary.replace(urn, `${urnName(urn)} (${urnType(urn)})`));
}

/** Returns the status. For a running task that reports real progress, a percentage is added. */
function statusText({ status, progress }: Pick<TaskView, 'status' | 'progress'>): string {
  const name = statusWord(status);
  if ((status !== 'doing' && status !== 'undoing') || progress.total <= 1) return name;
  return `${name} (${((100 * progress.done) / progress.total).toFixed(2)}%)`;
}

function tookText({ doingMs, undoingMs }: TaskView): string {
  if (doingMs === 0 && undoingMs === 0) return '-';
  return undoingMs === 0
    ? formatDuration(doingMs)
    : `${formatDuration(doingMs)} + ${formatDuration(undoingMs)}`;
}

function reasonText({ status, reason, data }: TaskView): string {
  if (reason === undefined || !REASONED.has(status)) return '';
  const { urn } = data;
  const named = typeof urn === 'string' && isUrn(urn) ? reason.replace(urn, urnName(urn)) : reason;
  return `: ${firstLine(named)}`;
}

/** Returns a task for JSON output, with RFC 3339 times and durations in milliseconds. */
export function taskJson(task: TaskView, change: number): Readonly<Record<string, Json>> {
  const { urn } = task.data;
  const { label, done, total } = task.progress;
  return goStruct({
    id: `${change}/${task.id}`,
    kind: task.kind,
    summary: task.summary,
    ...(typeof urn === 'string' ? { urn } : {}),
    status: statusWord(task.status),
    ...(task.reason === undefined ? {} : { reason: task.reason }),
    waitsFor: task.waits.map((other) => `${change}/${other.id}`),
    lanes: [...task.lanes],
    progress: goStruct({ label, done, total }),
    log: [...task.log],
    spawnTime: new Date(task.spawned).toISOString(),
    ...(task.ended === undefined ? {} : { readyTime: new Date(task.ended).toISOString() }),
    doingMs: Math.round(task.doingMs),
    undoingMs: Math.round(task.undoingMs),
  });
}
