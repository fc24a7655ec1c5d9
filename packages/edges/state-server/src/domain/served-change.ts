import { interruptedEnd } from '@cairn/backends';
import type { SentRecord } from '@cairn/backends';
import { storedConfig } from './update-info.js';
import type { UpdateEnding, UpdateRecord } from './update-record.js';

/** File of a journal, as a bucket has it. */
type JournalFile = Readonly<Record<string, unknown>>;

/** Change of a stack: the update that it belongs to, and the files of its journal without its records. */
export interface ServedChange {
  readonly number: number;
  readonly update: string;
  readonly operation: JournalFile;
  /** Undefined while it runs. */
  readonly sealed?: JournalFile;
}

/** Returns the name of a change. */
export function changeNameOf(number: number): string {
  return String(number).padStart(8, '0');
}

/** Returns the change of an update that starts. `base` is the digest of the state that it starts from. */
export function startedChange(
  record: UpdateRecord & Required<Pick<UpdateRecord, 'change'>>,
  { number, base }: { readonly number: number; readonly base: string },
): ServedChange {
  const { id, kind, message, environment, config, by, startedAt, createdAt } = record;
  const { process, ...described } = record.change;
  const operation = {
    ...{ change: changeNameOf(number), lock: id, username: by, ...process },
    ...{ kind, message, startTime: startedAt ?? createdAt, environment },
    config: Object.fromEntries(Object.entries(config).map(([key, value]) => [key, storedConfig(value)])),
    ...{ base, ...described },
  };
  return { number, update: id, operation };
}

/** Result of an update for its change. Without `left`, its state could not be stored. */
interface StoredResult {
  readonly left: string | undefined;
  readonly records: () => Promise<readonly SentRecord[]>;
}

/**
 * Returns a change with its end. One whose client did not say how it ended has died: its records tell how far it came.
 */
export async function sealedChange(
  change: ServedChange,
  { at, change: said }: UpdateEnding,
  { left, records }: StoredResult,
): Promise<ServedChange> {
  const { result, status, tasks } = said ?? interruptedEnd(await records());
  return {
    ...change,
    sealed: {
      ...{ lock: change.update, result, status, tasks, ended: new Date(at * 1000).toISOString() },
      ...(left === undefined ? { setAside: true } : { checkpoint: left }),
    },
  };
}
