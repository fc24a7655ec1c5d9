import type { Claim } from './claims.js';
import type { Status, WaitedStatus } from './status.js';

/** One of a task's two handlers. */
export type Direction = 'do' | 'undo';

/** Result of a handler's run. */
export type OutcomeResult = 'ok' | 'error' | 'retry' | 'wait' | 'hold' | 'unknown';

/** JSON object with values of any kind, stored unchanged. */
export type DataMap = Readonly<Record<string, unknown>>;

/** Progress of a handler. `done` is at most `total`. */
export interface TaskProgress {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

/**
 * Version of the format that this code writes. A log of a newer version is refused; older ones are upgraded when they
 * are read (`log-version.ts`). It changes if a record's meaning changes, not if a member is added that readers may
 * ignore.
 */
export const LOG_VERSION = 1;

/** Opens a change. First record of every change log. */
interface ChangeOpened {
  readonly record: 'change';
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  /** Scope of the change, e.g. a stack's identity. It is part of every idempotency token. */
  readonly scope: string;
  /** Version of the log's format (see {@link LOG_VERSION}). Defaults to 1. */
  readonly version?: number;
  readonly data?: DataMap;
  /** True if tasks are added while it runs: it is not ready before a `complete` record. */
  readonly growing?: true;
}

/** Properties of a task that are stored. */
export interface TaskProperties {
  readonly kind: string;
  readonly summary: string;
  /** Ids of tasks that must be done first. They cannot change later. */
  readonly waits?: readonly string[];
  /** Failure domains, in order [CHG-15]. Defaults to lane 0. */
  readonly lanes?: readonly number[];
  /** Smaller starts first. Defaults to 0. Tasks of equal priority start in the order of creation. */
  readonly priority?: number;
  /**
   * Initial status. Defaults to `do`. For tasks of a successor, which continue where an earlier change left them.
   * `done` counts as an effect that an abort undoes. `doing`, `undoing` and `abort` count as starts with an unknown
   * end, so that `resolve` is called first. Adding ready tasks alone does not make a change ready: that happens with
   * the next task that becomes ready, or with `complete()`.
   */
  readonly status?: Status;
  /** Status after the wait of a task that is added in `wait`. Defaults to `done`. */
  readonly waited?: WaitedStatus;
  /** JSON, stored with the task; secrets must be sealed. */
  readonly data?: DataMap;
}

/** Adds a task. Durable before the task first starts. Every task that it waits for has a record before this one. */
export interface TaskAdded extends TaskProperties {
  readonly record: 'task';
  readonly id: string;
  /** RFC 3339 time before which it must not start. */
  readonly notBefore?: string;
}

/** Announces a call of a handler. Durable before the call. */
export interface Intent {
  readonly record: 'intent';
  readonly task: string;
  readonly direction: Direction;
  /** Status with this record: `doing`, `undoing`, or `abort` while an aborted task is being resolved. */
  readonly status: Status;
  /** Number of starts in this direction without a result so far, this one included. */
  readonly attempt: number;
  /** Number of definite failures before this start. It is part of the idempotency token. */
  readonly generation?: number;
  /** Entry of the caller (the journal's begin entry); not interpreted here. */
  readonly entry?: unknown;
}

/** Records the provider's name for the object or the running operation. Durable before polling continues. */
interface ProgressId {
  readonly record: 'progress-id';
  readonly task: string;
  readonly id: string;
}

/**
 * Records that a handler has returned: the task's status and the entry in one record. Durable before dependents start.
 */
export interface OutcomeRecord {
  readonly record: 'outcome';
  readonly task: string;
  readonly direction: Direction;
  readonly result: OutcomeResult;
  readonly status: Status;
  readonly waited?: WaitedStatus;
  /** Text of an error, or the reason why it waits, holds or is retried. */
  readonly reason?: string;
  /** RFC 3339 time before which it must not start again. */
  readonly notBefore?: string;
  /** Milliseconds spent in the handler. */
  readonly ms: number;
  readonly progress?: TaskProgress;
  /** Entry of the caller (the journal's success or failure entry); not interpreted here. */
  readonly entry?: unknown;
}

/** Records any other transition. Without `task` it is the change's own explicit status (`null` clears it). */
interface StatusRecord {
  readonly record: 'status';
  readonly task?: string;
  readonly status: Status | null;
  readonly waited?: WaitedStatus;
  readonly reason?: string;
}

/**
 * Moves a task to other lanes: it joins those in `join` and leaves those in `leave`. A joined lane counts as alive
 * until it fails, even without other tasks, because a user of a task's result need not have tasks [CHG-15].
 */
export interface LanesChanged {
  readonly record: 'lanes';
  readonly task: string;
  readonly join?: readonly number[];
  readonly leave?: readonly number[];
}

/** Sets or clears (`null`) the RFC 3339 time before which a task must not start. */
interface Schedule {
  readonly record: 'schedule';
  readonly task: string;
  readonly notBefore: string | null;
}

/** Sets one key of a task's or (without `task`) the change's data; `null` removes it. */
interface DataSet {
  readonly record: 'data';
  readonly task?: string;
  readonly key: string;
  readonly value: unknown;
}

/** Adds claims to those of the change. Durable before the first step. */
interface ClaimRecord {
  readonly record: 'claim';
  readonly claims: readonly Claim[];
}

/** With `task`, its cleanup is over. Without, every task is clean except those in `except`. */
interface Cleaned {
  readonly record: 'cleaned';
  readonly task?: string;
  readonly except?: readonly string[];
}

/** Adds lines to a task's log, oldest first. May be lost in a crash. */
interface LogRecord {
  readonly record: 'log';
  readonly task: string;
  readonly lines: readonly string[];
}

/** Journal entry that belongs to no task. */
interface EntryRecord {
  readonly record: 'entry';
  readonly entry: unknown;
}

/** Ends the addition of tasks. */
interface Complete {
  readonly record: 'complete';
}

/** Ends the change; nothing may follow. */
interface Seal {
  readonly record: 'seal';
  readonly status: Status;
}

/** Line of a change log without its stamp: a closed union [CHG-25]. */
export type RecordBody =
  | ChangeOpened
  | TaskAdded
  | Intent
  | ProgressId
  | OutcomeRecord
  | StatusRecord
  | LanesChanged
  | Schedule
  | DataSet
  | ClaimRecord
  | Cleaned
  | LogRecord
  | EntryRecord
  | Complete
  | Seal;

/** Name of a kind of record. */
export type RecordName = RecordBody['record'];

/** Stamp of every record besides its content. */
interface RecordStamp {
  /** Counts from 1 through the change, without gaps. */
  readonly seq: number;
  /** Counts transactions from 1. The records of one transaction are adjacent and count only together. */
  readonly tx: number;
  /** True if more records of the same transaction follow. */
  readonly more?: true;
  /** RFC 3339, UTC. */
  readonly at: string;
}

/** Line of a change log. */
export type ChangeRecord = RecordStamp & RecordBody;

const NAMES = {
  change: true,
  task: true,
  intent: true,
  'progress-id': true,
  outcome: true,
  status: true,
  lanes: true,
  schedule: true,
  data: true,
  claim: true,
  cleaned: true,
  log: true,
  entry: true,
  complete: true,
  seal: true,
} as const satisfies Record<RecordName, true>;

/** Recognises the name of a kind of record. */
export function isRecordName(text: unknown): text is RecordName {
  return typeof text === 'string' && Object.hasOwn(NAMES, text);
}
