import type { ChangeRecord, ChangeView, Status } from '@cairn/changes';
import type { Json, SerializedDeployment } from '@cairn/state';
import type { ControlMessage } from './control-message.js';
import type { ChangeResult } from './change-result.js';
import type { ChangeKind, UpdateKind } from './operation-kind.js';

/**
 * Way in which an operation continues an earlier one. `edit`: the state was altered in between, and unfinished work
 * stays unfinished.
 */
export type ContinuesHow = 'resume' | 'rollback' | 'resolve' | 'edit';

/** Change that an operation continues. `change` is the name of its journal's directory, e.g. `00000007`. */
export interface Continues {
  readonly change: string;
  readonly how: ContinuesHow;
}

/**
 * Numbers of tasks by progress, each task counted once. `doubt` counts tasks that began and whose end is unknown,
 * whatever their status.
 */
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
  /** Short number, as users type it. */
  readonly id: string;
  readonly number: number;
  readonly kind: ChangeKind;
  readonly status: Status;
  /** Undefined while it runs, and when it died and no process has taken it over. */
  readonly result: ChangeResult | undefined;
  /** True if its process holds the stack and seems to be alive. */
  readonly running: boolean;
  /** True if it can be continued, or rolled back because it did not end. */
  readonly unfinished: boolean;
  /** RFC 3339. */
  readonly spawned: string;
  readonly ended: string | undefined;
  /** Message given for it. */
  readonly summary: string;
  readonly tasks: TaskCounts;
  /** Id of the change that it continues, and the way in which it does. */
  readonly continues: Continues | undefined;
  /** Set if it has ended and that is not stored yet. The next process that takes the stack stores it. */
  readonly unstored?: true;
  /**
   * Reason why its journal cannot be read. The other fields then hold what is still known, and the kind is meaningless.
   */
  readonly damage?: string;
}

/** Change that had ended when its process died, and whose state is stored only now. */
export interface FinishedChange {
  /** The changes that it continues, oldest first, and itself. Not empty. */
  readonly lineage: readonly ChangeRow[];
}

/** Returns true if a change that continues no other died before it had done anything. Nothing depends on it. */
export function didNothing({
  result,
  continues,
}: {
  readonly result: ChangeResult | undefined;
  readonly continues: unknown;
}): boolean {
  return result === 'nothing' && continues === undefined;
}

/** Description of an operation from its beginning. `startTime` is in seconds since 1970. */
export interface OperationRecord {
  readonly change: string;
  readonly kind: ChangeKind;
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

/** One operation with all its records. */
export interface StoredChange {
  readonly row: ChangeRow;
  /** Name of its journal's directory, e.g. `00000007`. */
  readonly change: string;
  readonly operation: OperationRecord;
  /** In order. A torn end is cut. */
  readonly records: readonly ChangeRecord[];
  /** Replayed records. Undefined when not even the change itself was recorded. */
  readonly view: ChangeView | undefined;
  /** Messages of other processes, in order. Approvals and answers count for a process that continues the change. */
  readonly messages: readonly ControlMessage[];
  /**
   * Returns the state that it started from, or undefined when its journal has no copy and the state has changed since.
   */
  base(): Promise<SerializedDeployment | undefined>;
}

const HOWS = {
  resume: true,
  rollback: true,
  resolve: true,
  edit: true,
} as const satisfies Record<ContinuesHow, true>;

/** Returns true if the value, read from a file, is a valid continuation. */
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
