import type { Claim } from './claims.js';
import type { Status, WaitedStatus } from './status.js';

/** Which of a task's two handlers. */
export type Direction = 'do' | 'undo';

/** What a handler's run came to. */
export type OutcomeResult = 'ok' | 'error' | 'retry' | 'wait' | 'hold' | 'unknown';

/** A JSON object with values of any kind, stored as it is. */
export type DataMap = Readonly<Record<string, unknown>>;

/** How far a handler has come. `done` is at most `total`. */
export interface Progress {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

/**
 * Version of the format that this code writes. A log of a newer one is refused; older ones are brought forward when
 * they are read (`log-version.ts`). It changes when a record's meaning does, not when a member is added that readers
 * may ignore.
 */
export const LOG_VERSION = 1;

/** A change exists. First record of every change log. */
interface ChangeOpened {
  readonly record: 'change';
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  /** What the change is about, e.g. a stack's identity; part of every idempotency token. */
  readonly scope: string;
  /** Version of the log's format (see {@link LOG_VERSION}); absent: 1. */
  readonly version?: number;
  readonly data?: DataMap;
  /** Tasks are added while it runs: it is not ready before a `complete` record. */
  readonly growing?: true;
}

/** A task exists. Durable before the task first starts. Every task that it waits for has a record before this one. */
export interface TaskAdded {
  readonly record: 'task';
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  /** Ids of the tasks that must be done first. */
  readonly waits?: readonly string[];
  /** Lanes, in order; absent: lane 0. */
  readonly lanes?: readonly number[];
  /** Smaller starts first; absent: 0. */
  readonly priority?: number;
  /** Absent: `do`. */
  readonly status?: Status;
  readonly waited?: WaitedStatus;
  /** RFC 3339: not to be started before. */
  readonly notBefore?: string;
  readonly data?: DataMap;
}

/** A handler is about to be called. Durable before it is. */
export interface Intent {
  readonly record: 'intent';
  readonly task: string;
  readonly direction: Direction;
  /** Status with this record: `doing`, `undoing`, or `abort` while an aborted task is being resolved. */
  readonly status: Status;
  /** Starts in this direction without a result so far, this one included. */
  readonly attempt: number;
  /** How many definite failures came before: part of the idempotency token. */
  readonly generation?: number;
  /** Belongs to whoever gave it (the journal's begin entry); never looked into here. */
  readonly entry?: unknown;
}

/** The provider named the object or the running operation. Durable before polling goes on. */
interface ProgressId {
  readonly record: 'progress-id';
  readonly task: string;
  readonly id: string;
}

/** A handler has returned: the task's status and the entry in one record. Durable before dependents start. */
export interface OutcomeRecord {
  readonly record: 'outcome';
  readonly task: string;
  readonly direction: Direction;
  readonly result: OutcomeResult;
  readonly status: Status;
  readonly waited?: WaitedStatus;
  /** Text of an error, or why it waits, holds or tries again. */
  readonly reason?: string;
  /** RFC 3339: not to be started again before. */
  readonly notBefore?: string;
  /** Milliseconds spent in the handler. */
  readonly ms: number;
  readonly progress?: Progress;
  /** Belongs to whoever gave it (the journal's success or failure entry); never looked into here. */
  readonly entry?: unknown;
}

/** Any other transition. Without `task` it is the change's own explicit status (`null` clears it). */
interface StatusRecord {
  readonly record: 'status';
  readonly task?: string;
  readonly status: Status | null;
  readonly waited?: WaitedStatus;
  readonly reason?: string;
}

/**
 * A task is in other lanes from here on: in `join` as well, in `leave` no more. A lane that was joined counts as alive
 * until it fails, whether or not it has other tasks (who uses something need not have tasks) [CHG-15].
 */
export interface LanesChanged {
  readonly record: 'lanes';
  readonly task: string;
  readonly join?: readonly number[];
  readonly leave?: readonly number[];
}

/** Sets or clears (`null`) the time before which a task must not start. RFC 3339. */
interface Schedule {
  readonly record: 'schedule';
  readonly task: string;
  readonly notBefore: string | null;
}

/** One key of a task's or (without `task`) the change's data; `null` removes it. */
interface DataSet {
  readonly record: 'data';
  readonly task?: string;
  readonly key: string;
  readonly value: unknown;
}

/** What the change holds from here on, in addition to what it held. Durable before the first step. */
interface ClaimRecord {
  readonly record: 'claim';
  readonly claims: readonly Claim[];
}

/** With `task`: its cleanup is over. Without: every task is clean but those in `except`. */
interface Cleaned {
  readonly record: 'cleaned';
  readonly task?: string;
  readonly except?: readonly string[];
}

/** Lines for a task's log, oldest first. May be lost in a crash. */
interface LogRecord {
  readonly record: 'log';
  readonly task: string;
  readonly lines: readonly string[];
}

/** A journal entry that belongs to no task. */
interface EntryRecord {
  readonly record: 'entry';
  readonly entry: unknown;
}

/** No task will be added any more. */
interface Complete {
  readonly record: 'complete';
}

/** The change is over and nothing may follow. */
interface Seal {
  readonly record: 'seal';
  readonly status: Status;
}

/** One line of a change log without its stamp: a closed union [CHG-25]. */
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

/** What every record carries besides its content. */
interface RecordStamp {
  /** Counts from 1 through the change, without gaps. */
  readonly seq: number;
  /** Counts transactions from 1; the records of one transaction stand together and count only together. */
  readonly tx: number;
  /** Whether more records of the same transaction follow. */
  readonly more?: true;
  /** RFC 3339, UTC. */
  readonly at: string;
}

/** One line of a change log. */
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

/** Whether the text names a kind of record. */
export function isRecordName(text: unknown): text is RecordName {
  return typeof text === 'string' && Object.hasOwn(NAMES, text);
}
