import { isUrn } from '@cairn/addresses';
import { idempotencyToken, replayChange } from '@cairn/changes';
import type { ChangeRecord, ChangeView, DataMap, Direction, TaskView } from '@cairn/changes';
import { takeJournalEntry } from '@cairn/state';
import type { ResourceEntry, SerializedOperation, SerializedResource } from '@cairn/state';
import { isRollbackOption } from '../model/goal.js';
import { IN_DOUBT, doubtKey, taskKey } from '../model/history.js';
import type { Doubt, PastTask } from '../model/history.js';

/** Remains of an earlier change. */
export interface PastChange {
  /** Number of the change, as in the name of its journal directory. */
  readonly change: string;
  /** All records in order, without an incomplete last one. */
  readonly records: readonly ChangeRecord[];
}

/** Opens an entry of a journal, whose secrets are sealed. */
export type OpenEntry = (resource: SerializedResource) => ResourceEntry;

/**
 * Returns the tasks of earlier changes, oldest first. Only entries in doubt are opened. Fails with
 * `CAIRN-JOURNAL-CORRUPT` if an entry cannot be read. O(records).
 */
export function readPast(changes: readonly PastChange[], open: OpenEntry): readonly PastTask[] {
  const read = changes.map((each) => tasksOf(each, open));
  const all = read.flatMap(({ tasks }) => tasks);
  const declined = new Set(read.flatMap((each) => each.declined));
  const later = new Map<string, PastTask>();
  for (const task of all)
    if (task.resolves !== undefined && knowsMore(task, declined.has(task))) later.set(task.resolves, task);
  const known = new Set(all.map(taskKey));
  return all.map((task) => {
    const own = isForeign(task, known) ? { ...task, goal: undefined } : task;
    const resolver = task.doubt === undefined ? undefined : later.get(doubtKey(task));
    return resolver === undefined || resolver === task ? own : { ...own, doubt: undefined };
  });
}

/**
 * Tells whether a task finds out about a step of another lineage. That lineage's goal digests are made with another key
 * and for another program.
 */
function isForeign({ resolves }: PastTask, known: ReadonlySet<string>): boolean {
  return resolves !== undefined && !known.has(resolves);
}

/**
 * Tells whether the step that a task was to find out about is settled, or is in doubt by this task. A task that never
 * started, because its change was stopped before, says nothing.
 */
function knowsMore({ status, doubt }: PastTask, declined: boolean): boolean {
  return status === 'done' || (status === 'hold' && declined) || doubt !== undefined;
}

/** Returns the tasks of a change. `declined`: those whose handlers reported that they are not to be done. */
function tasksOf(
  { change, records }: PastChange,
  open: OpenEntry,
): { readonly tasks: readonly PastTask[]; readonly declined: readonly PastTask[] } {
  const tasks: PastTask[] = [];
  const declined: PastTask[] = [];
  if (records.length === 0) return { tasks, declined };
  const view = replayChange(records);
  const starts = startsOf(records);
  const undoTasks = undoTasksOf(records);
  for (const task of view.tasks.values()) {
    const urn = text(task.data, 'urn');
    if (urn === undefined || !isUrn(urn)) continue;
    const rollback = text(task.data, 'rollback');
    const past: PastTask = {
      change,
      id: task.id,
      kind: text(task.data, 'step') ?? task.kind,
      urn,
      status: task.status,
      undone: task.status === 'undone',
      ...(undoTasks.has(task.id) && { undoesOnly: true }),
      ...(task.status === 'wait' && starts.get(task.id)?.direction === 'undo' && { undoWasInDoubt: true }),
      goal: text(task.data, 'goal'),
      rollback: isRollbackOption(rollback) ? rollback : undefined,
      ...(task.data['withContainer'] === true && { withContainer: true }),
      ...(task.data['shared'] === true && { shared: true }),
      lanes: task.lanes,
      resolves: text(task.data, 'resolves'),
      doubt: doubtOf(view, task, starts.get(task.id), open, change),
    };
    tasks.push(past);
    if (starts.get(task.id)?.declined === true) declined.push(past);
  }
  return { tasks, declined };
}

/** Returns the tasks that only undo: they are done when they are added. */
function undoTasksOf(records: readonly ChangeRecord[]): ReadonlySet<string> {
  return new Set(
    records.flatMap((each) => (each.record === 'task' && each.status === 'done' ? [each.id] : [])),
  );
}

/** The last start of a task, according to its records. */
interface Start {
  /** True if it has no end, or its end is not known. */
  open: boolean;
  /** True if its handler reported that it is not to be done. Any other hold says nothing. */
  declined: boolean;
  direction: Direction;
  generation: number;
  /** Journal entry of the beginning, sealed. A resolution that starts again has none. */
  entry: unknown;
}

function startsOf(records: readonly ChangeRecord[]): ReadonlyMap<string, Start> {
  const starts = new Map<string, Start>();
  for (const record of records) {
    if (record.record === 'intent') {
      const { direction, generation = 0 } = record;
      const before = starts.get(record.task);
      const entry = record.entry ?? (before?.direction === direction ? before.entry : undefined);
      starts.set(record.task, { open: true, declined: false, direction, generation, entry });
    } else if (record.record === 'outcome') {
      const start = starts.get(record.task);
      if (start === undefined) continue;
      start.open = record.result === 'unknown' || record.result === 'retry';
      start.declined = record.result === 'hold';
    }
  }
  return starts;
}

function doubtOf(
  view: ChangeView,
  task: TaskView,
  start: Start | undefined,
  open: OpenEntry,
  change: string,
): Doubt | undefined {
  if (start === undefined || !(start.open || isUnresolved(task, start))) return undefined;
  const operation = operationOf(start.entry, change);
  if (operation === undefined) return undefined;
  const { direction, generation } = start;
  const { scope, id } = view;
  return {
    type: operation.type,
    // A task that was to find out about an undo, and could not, leaves an undo in doubt.
    direction: text(task.data, 'direction') === 'undo' ? 'undo' : direction,
    resource: open(operation.resource),
    token:
      text(task.data, 'token') ??
      text(task.data, 'idempotencyKey') ??
      idempotencyToken({ scope, change: id, task: task.id, direction, generation }),
    progressId: task.progressId ?? text(task.data, 'progressId'),
  };
}

/** Tells whether a task was to find out about another one and has not. */
function isUnresolved({ kind, status }: TaskView, { declined }: Start): boolean {
  return kind === IN_DOUBT && (status === 'wait' || (status === 'hold' && !declined));
}

function operationOf(entry: unknown, change: string): SerializedOperation | undefined {
  if (entry === undefined) return undefined;
  return takeJournalEntry(entry, `of change ${change}`).operation;
}

function text(data: DataMap, key: string): string | undefined {
  const value = data[key];
  return typeof value === 'string' ? value : undefined;
}
