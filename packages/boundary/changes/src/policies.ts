/**
 * What a failing task does to the others. `rollback`: its lanes are aborted and undone. `stop`: what has not started in
 * its lanes, and what depends on it, holds; what runs may finish; what is done stays. `continue`: only what depends on
 * it holds [REC-10].
 */
export type OnError = 'rollback' | 'stop' | 'continue';

/** Where the product deviates from the bare machine, each one a switch [CHG-24]. */
export interface Policies {
  readonly onError: OnError;
  /** An abort forgets the time before which a task must not start, so that a rollback is prompt. */
  readonly clearScheduleOnAbort: boolean;
  /** A task that joins a lane that has failed, or waits for a task that will not be done, holds at once. */
  readonly lateTasksHold: boolean;
  /** How long a running handler may go on after an abort before its signal fires. Milliseconds. */
  readonly abortGraceMs: number;
  /** Starts of one handler without a result before the task waits for a person; Infinity: no limit. */
  readonly maxAttempts: number;
  /** Delay of a retry that names none. Milliseconds; 0: with the next pass, whatever causes it. */
  readonly retryMs: number;
  /** A failed cleanup comes again by itself, after 1 s doubling to 5 min. Off: with any later pass. */
  readonly cleanupBackOff: boolean;
  /** A task of an unknown kind waits for a person; off: it is left alone. */
  readonly waitOnUnknownKind: boolean;
  /** A task that is blocked while nothing runs is reported as a bug. */
  readonly reportDeadlock: boolean;
}

/** What Cairn uses. */
export const PRODUCT: Policies = {
  onError: 'stop',
  clearScheduleOnAbort: true,
  lateTasksHold: true,
  abortGraceMs: 60_000,
  maxAttempts: 5,
  retryMs: 1_000,
  cleanupBackOff: true,
  waitOnUnknownKind: true,
  reportDeadlock: true,
};

/** The bare machine, on which the scenarios run [CHG-24]. */
export const BARE: Policies = {
  onError: 'rollback',
  clearScheduleOnAbort: false,
  lateTasksHold: false,
  abortGraceMs: 0,
  maxAttempts: Infinity,
  retryMs: 0,
  cleanupBackOff: false,
  waitOnUnknownKind: false,
  reportDeadlock: false,
};
