import { isName } from '@cairn/addresses';
import { fullStackName } from './stack-id.js';
import type { StackId } from './stack-id.js';

/**
 * The keys of a backend [STORE-3], of the project layout and, for a stack without a project, of the layout before it.
 * Nothing else in this package knows how a key is made. Journals are ours: other tools ignore them [JRN-8].
 */
const ROOT = '.pulumi';

/** Ends of names of checkpoints, in the order in which an equally new one is preferred last. */
export const CHECKPOINT_ENDS = ['.json', '.json.gz', '.json.zst'] as const;

/** End of the name of a checkpoint, and of everything that is stored as checkpoints are. */
export type CheckpointEnd = (typeof CHECKPOINT_ENDS)[number];

const STACKS = `${ROOT}/stacks/`;

const pathOf = ({ project, stack }: StackId): string => (project === '' ? stack : `${project}/${stack}`);

export const layout = {
  /** A stack's part of every key. */
  pathOf,
  meta: `${ROOT}/meta.yaml`,
  /** Written to learn what a server does with conditions, and for nothing else. */
  scratch: `${ROOT}/cairn-probe`,
  /** Prefix of everything about stacks, checkpoints above all. */
  stacks: STACKS,
  /** A checkpoint without its end. */
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
  /** Who waits for a lock, in a folder of its own: other tools take every file in a folder of locks for one. */
  queueOf: (id: StackId): string => `${ROOT}/queue/${fullStackName(id)}/`,
  /** `number`: of the turn. Two that drew the same number at once are told apart by `waiter`. */
  turn: (id: StackId, number: number, waiter: string): string =>
    `${ROOT}/queue/${fullStackName(id)}/${changeName(number)}-${waiter}.json`,
  journalsOf: (id: StackId): string => `${ROOT}/journals/${pathOf(id)}/`,
  journalOf: (id: StackId, change: string): string => `${ROOT}/journals/${pathOf(id)}/${change}/`,
} as const;

/** Files of one operation's journal, inside its directory. */
export const JOURNAL_FILES = {
  /** Written first, with create-if-absent: the fence. */
  operation: 'operation.json',
  segment: '000001.log',
  /** What the operation has written, or is about to write, in the place of its base while it runs. */
  through: 'through.json',
  /** What folding is about to write. */
  fold: 'fold.json',
  /** The journal is folded; nothing may follow. */
  sealed: 'sealed.json',
  /** What an operation holds that runs beside others and has claimed more since it began. */
  claims: 'claims.json',
  /** It ended while others ran beside it: how, and what its history entry is to be. It is folded with them. */
  ended: 'ended.json',
  /** The checkpoint that the operation started from, gzip. */
  base: 'base.json.gz',
  /** What an edit made of it, gzip, when that is too large for a record. */
  edited: 'edited.json.gz',
} as const;

/** End of a checkpoint's key: `.json`, `.json.gz` or `.json.zst`. */
export function endOf(checkpointKey: string): CheckpointEnd {
  return CHECKPOINT_ENDS.findLast((end) => checkpointKey.endsWith(end)) ?? '.json';
}

/** The stack whose checkpoint a key is; undefined for every other key. */
export function stackOfKey(key: string): StackId | undefined {
  if (!key.startsWith(STACKS)) return undefined;
  const [project, file, more] = key.slice(STACKS.length).split('/');
  if (project === undefined || file === undefined || more !== undefined) return undefined;
  const stack = checkpointName(file);
  return stack !== undefined && isName(project) ? { project, stack } : undefined;
}

/** The stack whose checkpoint a key is in the layout that came before projects; undefined for every other key. */
export function legacyStackOfKey(key: string): StackId | undefined {
  const file = key.slice(STACKS.length);
  const stack = key.startsWith(STACKS) && !file.includes('/') ? checkpointName(file) : undefined;
  return stack === undefined ? undefined : { project: '', stack };
}

function checkpointName(file: string): string | undefined {
  const name = /^(.+)\.(?:json|ya?ml)(?:\.gz|\.zst)?$/.exec(file)?.[1];
  return name !== undefined && isName(name) ? name : undefined;
}

/** Number of an operation as the name of its journal's directory. */
export function changeName(number: number): string {
  return String(number).padStart(8, '0');
}

/** Number of an operation by the name of its journal's directory; undefined for other names. */
export function changeNumber(name: string): number | undefined {
  return /^\d{8,15}$/.test(name) ? Number(name) : undefined;
}
