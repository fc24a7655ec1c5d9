import { BugError } from '@cairn/diagnostics';

/**
 * Where a task or a change stands. `hold`: will not run. `abort`: was doing, must stop and then be undone. `wait`: the
 * handler did its part and something outside must happen before the task goes on to its waited status [CHG-7].
 */
export type Status =
  'do' | 'doing' | 'done' | 'abort' | 'undo' | 'undoing' | 'undone' | 'hold' | 'error' | 'wait';

/** Where a wait may lead: every status but `wait` itself. */
export type WaitedStatus = Exclude<Status, 'wait'>;

/**
 * What can happen to a task. `start`: its handler is called. `succeed`, `fail`, `retry`, `wait`, `doubt`: what the
 * handler answered (`doubt`: nobody knows whether it took effect). `finish`: the handler declares success before it
 * returns. `park`: it waits without a handler's answer. `decline`: the handler answered that this is not to be done.
 * `abort`: the task, its lane or its change is rolled back. `lane-failed`: a failure elsewhere means it must not start.
 * `turn-back` and `give-up`: an aborted task with nothing running has, or has not, an undo handler. `skip`: its undo
 * has come and there is no undo handler. `resolve`: what a waiting task waited for has happened. `resume` and
 * `take-back`: a successor takes up what held or failed on its way forward, or on its way back [CHG-29]; within one
 * change they cannot happen.
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
 * names them; every other event without a row is a mistake of ours. `wait` is read through {@link transition}:
 * resolving leads to the waited status, and an abort looks at the waited status.
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

/** Whether a task of this status has come to its end [CHG-10]. */
export function isReady(status: Status): boolean {
  return READY.has(status);
}

/** Whether the text is the name of a status. */
export function isStatus(text: unknown): text is Status {
  return typeof text === 'string' && Object.hasOwn(TRANSITIONS, text);
}

/** The status that counts for lanes and aborts: a waiting task counts as what it will become [CHG-15]. */
export function effectiveStatus(status: Status, waited: WaitedStatus | undefined): WaitedStatus {
  return status === 'wait' ? (waited ?? 'done') : status;
}

/** The status after `event`. Throws BugError when the table has no such transition. */
export function transition(status: Status, event: StatusEvent, waited?: WaitedStatus): Status {
  if (status === 'wait' && event === 'resolve') return waited ?? 'done';
  const row: Row =
    TRANSITIONS[status === 'wait' && event === 'abort' ? effectiveStatus(status, waited) : status];
  const next = row[event];
  if (next !== undefined) return next;
  if (event === 'abort' || event === 'lane-failed') return status;
  throw new BugError(`no transition from ${status} on ${event}`);
}
