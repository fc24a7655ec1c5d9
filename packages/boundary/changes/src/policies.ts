/**
 * Effect of a failing task on the others. `rollback`: its lanes are aborted and undone. `stop`: tasks of its lanes that
 * have not started hold, and so do its dependents. Running tasks may finish, and done tasks remain done. `continue`:
 * only its dependents hold [REC-10].
 */
export type OnError = 'rollback' | 'stop' | 'continue';

/** Differences between the product and the bare machine, one switch each [CHG-24]. */
export interface ChangePolicies {
  readonly onError: OnError;
  /** An abort removes the time before which a task must not start, so that a rollback is prompt. */
  readonly clearScheduleOnAbort: boolean;
  /** A task holds at once if it joins a failed lane, or waits for a task that will not be done. */
  readonly lateTasksHold: boolean;
  /** Time that a running handler has after an abort before its signal is aborted. Milliseconds. */
  readonly abortGraceMs: number;
  /**
   * Maximum number of starts of one handler without a result before the task waits for a person. Infinity means no
   * limit.
   */
  readonly maxAttempts: number;
  /** Delay of a retry without one of its own. Milliseconds; 0 means with the next pass, whatever causes it. */
  readonly retryMs: number;
  /**
   * A failed cleanup runs again by itself, after 1 s doubling to 5 min. If false, it runs again with any later pass.
   */
  readonly cleanupBackOff: boolean;
  /** A task of an unknown kind waits for a person. If false, it is ignored. */
  readonly waitOnUnknownKind: boolean;
  /** A task that is blocked while nothing runs is reported as a bug. */
  readonly reportDeadlock: boolean;
}

/** Policies of Cairn. */
export const PRODUCT: ChangePolicies = {
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

/** Policies of the bare machine, on which the scenarios run [CHG-24]. */
export const BARE: ChangePolicies = {
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
