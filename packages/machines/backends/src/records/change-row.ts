import type { ChangeRecord, ChangeView, Status } from '@cairn/changes';
import type { Json, SerializedDeployment } from '@cairn/state';
import type { ControlMessage } from '../control/control-message.js';
import type { ChangeResult } from './change-result.js';
import type { OperationKind, UpdateKind } from './operation-kind.js';

/**
 * How an operation goes on with an earlier one. `edit`: the state was altered in between, and what was unfinished stays
 * so.
 */
export type ContinuesHow = 'resume' | 'rollback' | 'resolve' | 'edit';

/** The change that an operation goes on with. `change`: as its journal's directory is named, e.g. `00000007`. */
export interface Continues {
  readonly change: string;
  readonly how: ContinuesHow;
}

/** How many tasks have come how far, each once. `doubt`: begun, and nobody knows the end, whatever their status. */
export interface TaskCounts {
  readonly total: number;
  readonly done: number;
  readonly undone: number;
  readonly failed: number;
  readonly held: number;
  readonly waiting: number;
  readonly doubt: number;
}

/** One operation of a stack as a listing shows it. */
export interface ChangeRow {
  /** Short number, as people type it. */
  readonly id: string;
  readonly number: number;
  readonly kind: OperationKind;
  readonly status: Status;
  /** Undefined while it runs, and when it died and nobody has taken it over. */
  readonly result: ChangeResult | undefined;
  /** Its process holds the stack and, as far as can be seen, lives. */
  readonly running: boolean;
  /** It can be gone on with, or rolled back because it did not end. */
  readonly unfinished: boolean;
  /** RFC 3339. */
  readonly spawned: string;
  readonly ended: string | undefined;
  /** The message given for it. */
  readonly summary: string;
  readonly tasks: TaskCounts;
  /** Id of the change it goes on with, and how. */
  readonly continues: Continues | undefined;
  /** It is over, and that is not stored yet: whoever takes the stack next does so. */
  readonly unstored?: true;
  /** Why its journal cannot be read: then the rest is what could still be told of it, and the kind means nothing. */
  readonly damage?: string;
}

/** A change that had come to its end when its process died, and whose state is stored only now. */
export interface FinishedChange {
  /** The changes that it goes on with, oldest first, and itself. Not empty. */
  readonly lineage: readonly ChangeRow[];
}

/** Whether a change that was to go on with nothing died before it had done anything: nothing hangs on it. */
export function didNothing({
  result,
  continues,
}: {
  readonly result: ChangeResult | undefined;
  readonly continues: unknown;
}): boolean {
  return result === 'nothing' && continues === undefined;
}

/** What an operation said about itself when it began. `startTime`: seconds since 1970. */
export interface OperationRecord {
  readonly change: string;
  readonly kind: OperationKind;
  readonly update: UpdateKind;
  readonly message: string;
  readonly startTime: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, Json>>;
  readonly pid: number;
  readonly hostname: string;
  readonly continues: Continues | undefined;
  readonly options: Json | undefined;
  readonly goalKey: string | undefined;
}

/** One operation with all that it recorded. */
export interface StoredChange {
  readonly row: ChangeRow;
  /** Name of its journal's directory, e.g. `00000007`. */
  readonly change: string;
  readonly operation: OperationRecord;
  /** In order; a torn end is cut. */
  readonly records: readonly ChangeRecord[];
  /** The records replayed; undefined when not even the change itself was recorded. */
  readonly view: ChangeView | undefined;
  /** What others told it, in order: approvals and answers count for whoever goes on with it. */
  readonly messages: readonly ControlMessage[];
  /** The state that it started from; undefined when its journal has no copy and the state has gone on since. */
  base(): Promise<SerializedDeployment | undefined>;
}

const HOWS = {
  resume: true,
  rollback: true,
  resolve: true,
  edit: true,
} as const satisfies Record<ContinuesHow, true>;

/** Whether the value, read from a file, says what is continued. */
export function isContinues(value: unknown): value is Continues {
  if (typeof value !== 'object' || value === null) return false;
  const { change, how } = value as { change?: unknown; how?: unknown };
  return (
    typeof change === 'string' &&
    /^\d{8,15}$/.test(change) &&
    typeof how === 'string' &&
    Object.hasOwn(HOWS, how)
  );
}
