import { STEP_MARKS, STEP_PHRASES, UNDO_PART, isStepKind } from '@cairn/engine/words';
import type { ConsoleChangeRow } from '@cairn/http-api';
import type { TaskRow } from './change-page.js';

/** One thing that a resume or a rollback will do. */
interface RecoveryRow extends Pick<TaskRow, 'name' | 'type' | 'mark' | 'tone' | 'words'> {
  readonly key: string;
}

/** Steps of a resume or a rollback, as far as the records of a lineage tell them. */
export interface RecoverySteps {
  readonly rows: readonly RecoveryRow[];
  /** Number of steps that are done and stay so. Nothing repeats them. */
  readonly kept: number;
}

/**
 * Returns the changes that one continues, oldest first, and the change itself. A change that is not listed any more
 * ends the lineage.
 */
export function lineageOf(changes: readonly ConsoleChangeRow[], number: number): readonly number[] {
  const found: number[] = [];
  for (let next: number | undefined = number; next !== undefined && !found.includes(next);) {
    found.unshift(next);
    const { continues }: ConsoleChangeRow['operation'] =
      changes.find((change) => change.number === next)?.operation ?? {};
    next = continues === undefined ? undefined : Number(continues.change);
  }
  return found;
}

/**
 * Returns what a resume will do: steps in doubt are found out, and steps that did not end well begin again. The program
 * then runs, and decides everything else.
 */
export function resumeSteps(lineage: readonly (readonly TaskRow[])[]): RecoverySteps {
  const tasks = lineage.flat();
  const last = lastOfEach(tasks);
  const rows = [...last.values()].flatMap((task) => {
    if (task.status === 'done' && task.tone !== 'doubt') return [];
    if (isInDoubt(task)) return [rowOf(task, 'doubt', '?', 'find out how it ended')];
    return [rowOf(task, task.tone === 'failed' ? 'update' : task.tone, task.mark, planOf(task.kind))];
  });
  return { rows: doubtsFirst(rows), kept: tasks.filter(({ status }) => status === 'done').length };
}

const TAKEN_BACK = {
  remove: { kind: 'delete', tone: 'delete' },
  restore: { kind: 'update', tone: 'update' },
  recreate: { kind: 'create', tone: 'create' },
} as const;

/** Returns what a rollback will do: steps in doubt are found out, and effects of steps are undone in reverse order. */
export function rollbackSteps(lineage: readonly (readonly TaskRow[])[]): RecoverySteps {
  const rows: RecoveryRow[] = [];
  let kept = 0;
  const undone = new Set<string>();
  for (const task of lineage.flat().reverse()) {
    const { kind, status, urn = task.id } = task;
    const part = isStepKind(kind) ? UNDO_PART[kind] : undefined;
    if (isInDoubt(task)) rows.push(rowOf(task, 'doubt', '?', 'find out how it ended'));
    else if (part === undefined) kept += status === 'done' ? 1 : 0;
    else if (status === 'undone') undone.add(`${urn} ${part}`);
    else if (status === 'done' && !undone.delete(`${urn} ${part}`)) {
      const { kind: step, tone } = TAKEN_BACK[part];
      const isImport = kind.startsWith('import') || kind.startsWith('read');
      const words = part === 'remove' && isImport ? 'leave the state, and stay as it is' : planOf(step);
      rows.push(rowOf(task, tone, STEP_MARKS[step].trim(), words));
    }
  }
  return { rows: doubtsFirst(rows), kept };
}

function isInDoubt({ tone }: TaskRow): boolean {
  return tone === 'doubt';
}

/** The last task of a resource and kind says how far it came. */
function lastOfEach(tasks: readonly TaskRow[]): ReadonlyMap<string, TaskRow> {
  const last = new Map<string, TaskRow>();
  for (const task of tasks) {
    const key = `${task.urn ?? task.id} ${task.kind}`;
    // A step that was done stays done in a later change of its lineage.
    if (last.get(key)?.status !== 'done' || isInDoubt(task)) last.set(key, task);
  }
  return last;
}

function planOf(kind: string): string {
  return isStepKind(kind) ? STEP_PHRASES[kind].plan : kind;
}

function rowOf(task: TaskRow, tone: RecoveryRow['tone'], mark: string, words: string): RecoveryRow {
  return {
    key: `${task.id} ${task.urn ?? ''} ${words}`,
    name: task.name,
    type: task.type,
    tone,
    mark,
    words,
  };
}

function doubtsFirst(rows: readonly RecoveryRow[]): readonly RecoveryRow[] {
  return [...rows.filter(({ tone }) => tone === 'doubt'), ...rows.filter(({ tone }) => tone !== 'doubt')];
}
