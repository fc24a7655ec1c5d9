// NOTICE to the state helper: the lead engineer has implemented this package (see src/file-backend.ts, layout.ts, locked-stack.ts, recovery.ts, locks.ts). Leave packages/backends alone: finish packages/state (decodeCheckpoint, encodeCheckpoint, verifyIntegrity, Replayer, signManifest) and report.
import { checkProjectName, checkStackName, isName } from '@cairn/addresses';

/** A stack on a backend. The organization is always `organization` (state.md 5.8). */
export interface StackIdentity {
  readonly project: string;
  readonly stack: string;
}

/**
 * Where a bucket keeps what: the only place that knows keys. Project mode of state.md 5.2; journals beside it, which the
 * other tool ignores (DESIGN D2). Keys use `/`. Names are checked here, so a key cannot leave its folder.
 */
export const layout = {
  meta: '.pulumi/meta.yaml',
  stacks: '.pulumi/stacks/',
  /** Prefix of a stack's checkpoint in any compression. */
  checkpointBase: (id: StackIdentity) => `.pulumi/stacks/${path(id)}.json`,
  checkpoint: (id: StackIdentity, compression: Compression) =>
    `.pulumi/stacks/${path(id)}.json${EXTENSION[compression]}`,
  /** The previous checkpoint, beside the checkpoint. */
  previous: (checkpointKey: string) => `${checkpointKey}.bak`,
  tags: (id: StackIdentity) => `.pulumi/stacks/${path(id)}.pulumi-tags`,
  history: (id: StackIdentity) => `.pulumi/history/${path(id)}/`,
  historyEntry: (id: StackIdentity, ns: bigint, kind: 'history' | 'checkpoint', compression: Compression) =>
    `.pulumi/history/${path(id)}/${id.stack}-${ns}.${kind}.json${EXTENSION[compression]}`,
  backups: (id: StackIdentity) => `.pulumi/backups/${path(id)}/`,
  backup: (id: StackIdentity, ns: bigint, compression: Compression) =>
    `.pulumi/backups/${path(id)}/${id.stack}.${ns}.json${EXTENSION[compression]}`,
  /** Locks have one level more than the rest: they come from the fully qualified name. */
  locks: (id: StackIdentity) => `.pulumi/locks/organization/${path(id)}/`,
  lock: (id: StackIdentity, holder: string) => `.pulumi/locks/organization/${path(id)}/${holder}.json`,
  journals: (id: StackIdentity) => `.pulumi/journals/${path(id)}/`,
  journalFile: (id: StackIdentity, change: number, file: JournalFile) =>
    `.pulumi/journals/${path(id)}/${change}/${file}`,
} as const;

/** How a checkpoint is stored. Reading goes by content, not by name. */
export type Compression = 'none' | 'gzip';

/** Files of one change's journal: what it started from, its records, the checkpoint it is being folded into, its end. */
export type JournalFile = 'start.json' | '000001.log' | 'folding.json' | 'end.json';

const EXTENSION: Readonly<Record<Compression, string>> = { none: '', gzip: '.gz' };

function path(id: StackIdentity): string {
  return `${checkProjectName(id.project)}/${checkStackName(id.stack)}`;
}

/** The stack whose checkpoint a key is; undefined for every other key below `stacks/`. */
export function stackOfCheckpointKey(key: string): StackIdentity | undefined {
  if (!key.startsWith(layout.stacks)) return undefined;
  const [project, file, ...more] = key.slice(layout.stacks.length).split('/');
  if (project === undefined || file === undefined || more.length > 0) return undefined;
  const stack = /^(.+)\.(?:json|yaml|yml)(?:\.gz|\.zst)?$/.exec(file)?.[1];
  return stack !== undefined && isName(stack) && isName(project) ? { project, stack } : undefined;
}

/** Number of the change and file that a key below a stack's journals names. */
export function changeOfJournalKey(
  id: StackIdentity,
  key: string,
): { change: number; file: string } | undefined {
  const [change, file, ...more] = key.slice(layout.journals(id).length).split('/');
  if (change === undefined || file === undefined || more.length > 0 || !/^[1-9]\d*$/.test(change))
    return undefined;
  return { change: Number(change), file };
}

/** The fully qualified name, as it stands inside a checkpoint. */
export function qualifiedName(id: StackIdentity): string {
  return `organization/${id.project}/${id.stack}`;
}
