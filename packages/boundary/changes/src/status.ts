import { BugError } from '@cairn/diagnostics';

/**
 * Status of a task or a change. `hold`: will not run. `abort`: was doing, must stop and then be undone. `wait`: the
 * handler did its part. Something outside must happen before the task gets its waited status [CHG-7].
 */
export type Status =
  'do' | 'doing' | 'done' | 'abort' | 'undo' | 'undoing' | 'undone' | 'hold' | 'error' | 'wait';

/** Status that a wait may lead to: every status but `wait` itself. */
export type WaitedStatus = Exclude<Status, 'wait'>;

/**
 * Event of a task.
 * `start`: its handler is called. `succeed`, `fail`, `retry`, `wait`, `doubt`: the handler's answer (`doubt`: the
 * effect is not known). `finish`: the handler declares success before it returns. `park`: the task waits without a
 * handler's answer. `decline`: the handler answered that the task must not be done.
 * `abort`: the task, its lane or its change is rolled back. `lane-failed`: a failure elsewhere prevents its start.
 * `turn-back` and `give-up`: an aborted task with nothing running has, or lacks, an undo handler. `skip`: its undo is
 * due and there is no undo handler. `resolve`: the event that a waiting task waited for has happened.
 * `resume` and `take-back`: a successor continues held or failed work forward, or backward [CHG-29]; within one change
 * they cannot happen.
 */
export type StatusEvent =
  | 'start'
  | 'succeed'
  | 'finish'
  | 'fail'
  | 'retry'
  | 'wait'
  | 'park'
  | 'doubt'
  | 'decline'
  | 'abort'
  | 'lane-failed'
  | 'turn-back'
  | 'give-up'
  | 'skip'
  | 'resolve';

type Row = Partial<Readonly<Record<StatusEvent, Status>>>;

/**
 * The one transition table [CHG-8]. `abort` and `lane-failed` may happen to any task and change nothing where no row
 * names them. Every other event without a row is a bug. `wait` is read through {@link transition}: resolving leads to
 * the waited status, and an abort uses the row of the waited status.
 */
export const TRANSITIONS = {
  do: { start: 'doing', park: 'wait', abort: 'hold', 'lane-failed': 'hold' },
  doing: {
    start: 'doing',
    succeed: 'done',
    finish: 'done',
    fail: 'error',
    retry: 'doing',
    wait: 'wait',
    park: 'wait',
    doubt: 'wait',
    decline: 'hold',
    abort: 'abort',
  },
  done: { finish: 'done', abort: 'undo' },
  abort: {
    start: 'abort',
    succeed: 'undo',
    finish: 'abort',
    fail: 'error',
    park: 'abort',
    doubt: 'wait',
    decline: 'hold',
    'turn-back': 'undo',
    'give-up': 'hold',
  },
  undo: { start: 'undoing', park: 'wait', skip: 'done' },
  undoing: {
    start: 'undoing',
    succeed: 'undone',
    finish: 'undone',
    fail: 'error',
    retry: 'undoing',
    wait: 'wait',
    park: 'wait',
    doubt: 'wait',
    decline: 'hold',
  },
  undone: { finish: 'undone' },
  hold: {},
  error: {},
  wait: { park: 'wait' },
} as const satisfies Record<Status, Row>;

/** Every status, in the order in which a change takes the status of its tasks [CHG-9]. */
export const STATUSES = [
  'abort',
  'undoing',
  'undo',
  'doing',
  'do',
  'wait',
  'error',
  'undone',
  'done',
  'hold',
] as const satisfies readonly Status[];

const READY: ReadonlySet<Status> = new Set<Status>(['done', 'undone', 'hold', 'error']);

/** Tells if a task of this status has ended [CHG-10]. */
export function isReady(status: Status): boolean {
  return READY.has(status);
}

/** Recognises the name of a status. */
export function isStatus(text: unknown): text is Status {
  return typeof text === 'string' && Object.hasOwn(TRANSITIONS, text);
}

/** Returns the status that counts for lanes and aborts: a waiting task counts as its waited status [CHG-15]. */
export function effectiveStatus(status: Status, waited: WaitedStatus | undefined): WaitedStatus {
  return status === 'wait' ? (waited ?? 'done') : status;
}

/** Returns the status after `event`. Throws BugError if the table has no such transition. */
export function transition(status: Status, event: StatusEvent, waited?: WaitedStatus): Status {
  if (status === 'wait' && event === 'resolve') return waited ?? 'done';
  const row: Row =
    TRANSITIONS[status === 'wait' && event === 'abort' ? effectiveStatus(status, waited) : status];
  const next = row[event];
  if (next !== undefined) return next;
  if (event === 'abort' || event === 'lane-failed') return status;
  throw new BugError(`no transition from ${status} on ${event}`);
}
