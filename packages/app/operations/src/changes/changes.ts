import { RESULT_PHRASES } from '@cairn/backends/words';
import type { ChangeRow, StoredChange } from '@cairn/backends';
import { changeError } from '@cairn/changes';
import type { TaskView } from '@cairn/changes';
import { cairnError } from '@cairn/diagnostics';
import type { OpenStack } from '../access/open-stack.js';
import { whoAsks } from '../access/this-process.js';
import { parseChoice } from './choose-change.js';
import type { ChangeChoice } from './choose-change.js';

type Stack = Pick<OpenStack, 'backend' | 'id'>;

/** Changes that a listing includes. */
export type Selection = 'all' | 'in-progress' | 'ready';

/** Tells listings whether a change has ended: it does not run, and nothing is left to continue. */
export function isEnded({ running, unfinished }: Pick<ChangeRow, 'running' | 'unfinished'>): boolean {
  return !running && !unfinished;
}

/** Returns the changes of the stack whose records are kept, oldest first [CHG-23]. */
export async function stackChanges(
  { backend, id }: Stack,
  selection: Selection = 'all',
): Promise<readonly ChangeRow[]> {
  return selectChanges(await backend.changes(id), selection);
}

/** Returns the selected changes, oldest first [CHG-23]. */
export function selectChanges<T extends Pick<ChangeRow, 'number' | 'running' | 'unfinished'>>(
  changes: readonly T[],
  selection: Selection,
): readonly T[] {
  const wanted = changes.filter(
    (change) => selection === 'all' || isEnded(change) === (selection === 'ready'),
  );
  return wanted.toSorted((a, b) => a.number - b.number);
}

/**
 * Finds the change that a command line means; `undefined` when `--last=KIND?` finds none [CHG-23]. Throws CAIRN-USAGE,
 * CAIRN-CHANGE-UNKNOWN, CAIRN-JOURNAL-CORRUPT.
 */
export async function findChange(stack: Stack, choice: ChangeChoice): Promise<ChangeRow | undefined> {
  const chosen = parseChoice(choice);
  if (chosen.t === 'number') return stack.backend.changeRow(stack.id, chosen.number);
  await stack.backend.service?.requireChanges();
  const newest = await stack.backend.newestChange(stack.id, ({ kind }) => kind === chosen.kind);
  if (newest !== undefined || chosen.optional) return newest;
  throw cairnError('CAIRN-CHANGE-UNKNOWN', `no changes of type "${chosen.word}" found`, {
    hint: 'Run `cairn changes` to list the recorded changes.',
  });
}

/** A change with the contents of its records. */
interface ShownChange {
  readonly row: ChangeRow;
  readonly tasks: readonly TaskView[];
  /** Error of the change, if any. */
  readonly error: string | undefined;
  /** Environment that was recorded when the change started. */
  readonly environment: StoredChange['operation']['environment'];
}

/** Reads one change of the stack. Throws CAIRN-CHANGE-UNKNOWN, CAIRN-JOURNAL-CORRUPT. */
export async function shownChange({ backend, id }: Stack, row: ChangeRow): Promise<ShownChange> {
  const { view, operation } = await backend.change(id, row.number);
  return {
    row,
    tasks: [...(view?.tasks.values() ?? [])],
    error: view === undefined ? undefined : changeError(view),
    environment: operation.environment,
  };
}

/**
 * Asks a running change to stop, and to roll back its steps unless `keep` is set. The change receives the request
 * within about a second. Throws CAIRN-CHANGE-ENDED for a change that does not run.
 */
export async function abortChange(
  { backend, id }: Stack,
  row: ChangeRow,
  { keep = false }: { readonly keep?: boolean } = {},
): Promise<void> {
  refuseEnded(row);
  await backend.tell(id, row.number, { t: 'abort', rollback: !keep, by: whoAsks() });
  // It may have ended before it could receive the request.
  refuseEnded(await backend.changeRow(id, row.number));
}

function refuseEnded({ id, running, unfinished, result }: ChangeRow): void {
  if (running) return;
  const how = RESULT_PHRASES[result ?? 'interrupted'];
  throw cairnError('CAIRN-CHANGE-ENDED', `cannot abort change ${id}: it ${how}`, {
    hint: unfinished
      ? `No process works on it: run \`cairn rollback ${id}\` to roll it back.`
      : `Run \`cairn change ${id}\` to see how it ended${result === 'succeeded' ? `, or \`cairn rollback ${id}\` to roll it back` : ''}.`,
  });
}

/** A task that was approved. */
interface ApprovedTask {
  readonly row: ChangeRow;
  readonly task: TaskView;
  /** Next step of the change: it continues on its own if it runs, otherwise once it is resumed or rolled back. */
  readonly next: 'runs' | 'resume' | 'rollback';
}

/**
 * Approves the request of a waiting task of a change. Throws CAIRN-CHANGE-UNKNOWN when there is no such task, and
 * CAIRN-CHANGE-ENDED when it does not wait.
 */
export async function approveTask(
  { backend, id }: Stack,
  change: number,
  number: string,
): Promise<ApprovedTask> {
  const row = await backend.changeRow(id, change);
  const { view } = await backend.change(id, change);
  const task = view?.tasks.get(number);
  if (task === undefined)
    throw cairnError('CAIRN-CHANGE-UNKNOWN', `change ${change} has no task ${number}`, {
      hint: `Run \`cairn change ${change}\` to list its tasks.`,
    });
  if (task.status !== 'wait')
    throw cairnError('CAIRN-CHANGE-ENDED', `task ${change}/${number} is not waiting for anything`, {
      hint: `Run \`cairn change ${change}\` to see its status.`,
    });
  await backend.tell(id, change, { t: 'approve', task: number, by: whoAsks() });
  // Resuming passes a gate; everything else that can be approved belongs to a rollback.
  const resting = task.kind === 'gate' ? 'resume' : 'rollback';
  return { row, task, next: row.running ? 'runs' : resting };
}
