import type { JournalEnd, MovingChange } from '@cairn/backends';
import type { Json } from '@cairn/state';
import { storedConfig } from './update-info.js';
import type { ChangingUpdate, UpdateRecord } from './update-record.js';

/** File of a journal, as a bucket has it. */
type JournalFile = Readonly<Record<string, unknown>>;

/** Change of a stack: the update that it belongs to, and the files of its journal without its records. */
export interface ServedChange {
  readonly number: number;
  /** Id of its update, or of the lock of a tool that works on a bucket directly. */
  readonly update: string;
  readonly operation: JournalFile;
  /** Undefined while it runs. */
  readonly sealed?: JournalFile;
  /** Set while a tool that works on a bucket directly runs it. */
  readonly running?: true;
}

/** Returns the name of a change. */
export function changeNameOf(number: number): string {
  return String(number).padStart(8, '0');
}

/** Returns the description of the change of an update that starts, without its number and its base. */
export function describedChange(record: ChangingUpdate) {
  const { id, kind, message, environment, config, by, startedAt, createdAt } = record;
  const { process, operation, continues, options, goalKey } = record.change;
  return {
    ...{ lock: id, username: by, ...process },
    ...{ kind, message, startTime: startedAt ?? createdAt, environment },
    config: Object.fromEntries(Object.entries(config).map(([key, value]) => [key, storedConfig(value)])),
    ...{ operation, ...(continues && { continues }) },
    ...(options !== undefined && { options: options as Json }),
    ...(goalKey !== undefined && { goalKey }),
  };
}

/** Returns the change of an update that starts. `base` is the digest of the state that it starts from. */
export function startedChange(
  record: ChangingUpdate,
  { number, base }: { readonly number: number; readonly base: string },
): ServedChange {
  const operation = { change: changeNameOf(number), ...describedChange(record), base };
  return { number, update: record.id, operation };
}

/** Returns the update that represents a change which ended elsewhere. It has no token. */
export function pastUpdateOf(
  stackId: string,
  {
    operation,
    end,
    lock,
    by,
  }: Pick<MovingChange, 'operation' | 'end'> & { readonly lock: string; readonly by: string },
): UpdateRecord {
  const { kind, message, environment, startTime } = operation;
  return {
    ...{ id: lock, stackId, kind, message, environment, by, dryRun: false, config: {} },
    ...{ createdAt: startTime, startedAt: startTime },
    status: end.result === 'succeeded' ? 'succeeded' : 'failed',
  };
}

/** Returns the end of a change as its journal has it. Without `left`, its state could not be stored. */
export function sealedBy(update: string, end: JournalEnd, left: string | undefined): JournalFile {
  return { lock: update, ...end, ...(left === undefined ? { setAside: true } : { checkpoint: left }) };
}
