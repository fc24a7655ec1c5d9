import { isName } from '@cairn/addresses';
import { fullStackName } from '../stack-id.js';
import type { StackId } from '../stack-id.js';

/**
 * Keys of a backend [STORE-3]: of the project layout and, for a stack without a project, of the layout before it.
 * Nothing else in this package knows how a key is made. Journals are ours: other tools ignore them [JRN-8].
 */
const ROOT = '.pulumi';

/** Ends of names of checkpoints. Of equally new ones, the last in this order wins. */
export const CHECKPOINT_ENDS = ['.json', '.json.gz', '.json.zst'] as const;

/** End of the name of a checkpoint, and of everything that is stored the same way. */
export type CheckpointEnd = (typeof CHECKPOINT_ENDS)[number];

const STACKS = `${ROOT}/stacks/`;

const pathOf = ({ project, stack }: StackId): string => (project === '' ? stack : `${project}/${stack}`);

export const layout = {
  /** A stack's part of every key. */
  pathOf,
  meta: `${ROOT}/meta.yaml`,
  /** Written only to learn how a server treats conditions. */
  scratch: `${ROOT}/cairn-probe`,
  /** Prefix of everything about stacks, checkpoints above all. */
  stacks: STACKS,
  /** Key of a checkpoint without its end. */
  checkpoint: (id: StackId): string => `${STACKS}${pathOf(id)}`,
  tags: (id: StackId): string => `${STACKS}${pathOf(id)}.pulumi-tags`,
  previous: (checkpointKey: string): string => `${checkpointKey}.bak`,
  /** `stamp`: nanoseconds since 1970. */
  retained: (checkpointKey: string, stamp: string): string => `${checkpointKey}.${stamp}`,
  historyOf: (id: StackId): string => `${ROOT}/history/${pathOf(id)}/`,
  /** `end`: the checkpoint's, with its compression. */
  historyEntry: (id: StackId, stamp: string, end: string): string =>
    `${ROOT}/history/${pathOf(id)}/${id.stack}-${stamp}.history${end}`,
  historyCheckpoint: (id: StackId, stamp: string, end: string): string =>
    `${ROOT}/history/${pathOf(id)}/${id.stack}-${stamp}.checkpoint${end}`,
  backupsOf: (id: StackId): string => `${ROOT}/backups/${pathOf(id)}/`,
  backup: (id: StackId, stamp: string, end: string): string =>
    `${ROOT}/backups/${pathOf(id)}/${id.stack}.${stamp}${end}`,
  locksOf: (id: StackId): string => `${ROOT}/locks/${fullStackName(id)}/`,
  lock: (id: StackId, holder: string): string => `${ROOT}/locks/${fullStackName(id)}/${holder}.json`,
  /**
   * Queue of the waiters for a lock. It has a folder of its own, because other tools take every file in a folder of
   * locks for a lock.
   */
  queueOf: (id: StackId): string => `${ROOT}/queue/${fullStackName(id)}/`,
  /** `number` is the number of the turn. `waiter` distinguishes two that drew the same number at the same time. */
  turn: (id: StackId, number: number, waiter: string): string =>
    `${ROOT}/queue/${fullStackName(id)}/${changeName(number)}-${waiter}.json`,
  /** Digests of resources about which providers need not be asked. Their loss costs time only. */
  digests: (id: StackId): string => `${ROOT}/digests/${pathOf(id)}.json`,
  journalsOf: (id: StackId): string => `${ROOT}/journals/${pathOf(id)}/`,
  journalOf: (id: StackId, change: string): string => `${ROOT}/journals/${pathOf(id)}/${change}/`,
} as const;

/** Files of one operation's journal, inside its directory. */
export const JOURNAL_FILES = {
  /** Written first, with create-if-absent: the fence. */
  operation: 'operation.json',
  segment: '000001.log',
  /**
   * Beginning of the names of the pieces in which a state service keeps the records of its clients. The segment is then
   * missing. An empty one says that another process has taken the journal over.
   */
  pieces: 'pieces-',
  /** Checkpoints that the running operation has written, or is about to write, in place of its base. */
  through: 'through.json',
  /** Announcement of a fold. */
  fold: 'fold.json',
  /** Marks a folded journal. Nothing may follow. */
  sealed: 'sealed.json',
  /** Claims of an operation that runs beside others and has claimed more since it began. */
  claims: 'claims.json',
  /**
   * End of an operation that ended while others ran beside it, with its future history entry. It is folded with them.
   */
  ended: 'ended.json',
  /** Checkpoint that the operation started from, gzip. */
  base: 'base.json.gz',
  /** State after an edit, gzip, if it is too large for a record. */
  edited: 'edited.json.gz',
} as const;

/** Returns the end of a checkpoint's key: `.json`, `.json.gz` or `.json.zst`. */
export function checkpointEnd(checkpointKey: string): CheckpointEnd {
  return CHECKPOINT_ENDS.findLast((end) => checkpointKey.endsWith(end)) ?? '.json';
}

/** Returns the stack whose checkpoint has this key, or undefined for every other key. */
export function stackOfKey(key: string): StackId | undefined {
  if (!key.startsWith(STACKS)) return undefined;
  const [project, file, more] = key.slice(STACKS.length).split('/');
  if (project === undefined || file === undefined || more !== undefined) return undefined;
  const stack = checkpointName(file);
  return stack !== undefined && isName(project) ? { project, stack } : undefined;
}

/**
 * Returns the stack whose checkpoint has this key in the layout that predates projects, or undefined for every other
 * key.
 */
export function legacyStackOfKey(key: string): StackId | undefined {
  const file = key.slice(STACKS.length);
  const stack = key.startsWith(STACKS) && !file.includes('/') ? checkpointName(file) : undefined;
  return stack === undefined ? undefined : { project: '', stack };
}

function checkpointName(file: string): string | undefined {
  const name = /^(.+)\.(?:json|ya?ml)(?:\.gz|\.zst)?$/.exec(file)?.[1];
  return name !== undefined && isName(name) ? name : undefined;
}

/** Returns the name of the journal's directory for the number of an operation. */
export function changeName(number: number): string {
  return String(number).padStart(8, '0');
}

/** Returns the number of an operation from the name of its journal's directory, or undefined for other names. */
export function changeNumber(name: string): number | undefined {
  return /^\d{8,15}$/.test(name) ? Number(name) : undefined;
}
