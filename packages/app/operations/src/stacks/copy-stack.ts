import { fullStackName } from '@cairn/backends';
import type { Backend, Migration, StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SerializedDeployment } from '@cairn/state';
import { copyChanges } from './copy-changes.js';
import { asThere, copyHistory, isCopied, isRenamed } from './copy-history.js';
import type { CopiedHistory } from './copy-history.js';

/** Copy of a stack between backends of any kinds. */
interface StackCopy extends Migration {
  /** Name of the target in the reason of the lock. Defaults to its address. */
  readonly place?: string;
  /** Continues a copy that was interrupted, and leaves it if it fails. By default the target has no such stack. */
  readonly continues?: boolean;
}

/**
 * Copies state, tags, history and changes of a stack to another backend of any kind that does not have it. History and
 * changes stay where a state service does not take them. The stack of a store of blobs is locked for good
 * with the reason that it moves; that of a state service has to be unchanged at the end. If copying fails, a new copy
 * is removed. Throws CAIRN-STACK-EXISTS, CAIRN-UNFINISHED for a change that did not end, and CAIRN-STORE-CONFLICT.
 */
export async function copyStack(
  source: Backend,
  target: Backend,
  migration: StackCopy,
): Promise<readonly Diagnostic[]> {
  const { from, to, force, place = target.url } = migration;
  const hold = await holdStack(source, from, `${place} as ${fullStackName(to)}`);
  try {
    const { deployment, warnings } = await source.read(from, force ? { integrity: 'skip' } : {});
    await refuseUnfinished(source, from, isRenamed(from, to) ? deployment : undefined);
    const lost = await copyParts(source, target, migration, deployment);
    await hold.moved();
    return [...warnings, ...lost];
  } catch (thrown) {
    await hold.release().catch(() => undefined);
    throw thrown;
  }
}

async function copyParts(
  source: Backend,
  target: Backend,
  migration: StackCopy,
  deployment: SerializedDeployment | undefined,
): Promise<readonly Diagnostic[]> {
  const { from, to, seal, onCopied, continues = false } = migration;
  const secretsProvider = (seal ?? deployment)?.secretsProvider;
  const known = continues && (await target.exists(to));
  if (!known) await target.create(to, secretsProvider);
  const isThere = async ({ isPast, last }: CopiedHistory): Promise<boolean> =>
    isPast || (known && last === undefined && (await isCopied(target, to, deployment)));
  const manager = deployment?.secretsProvider;
  const changes = (hasState: boolean): Promise<readonly Diagnostic[]> =>
    copyChanges(source, target, migration, { manager, hasState });
  try {
    const copied = await copyHistory(source, target, migration, manager);
    const { lost, last } = copied;
    // In a bucket, storing the state is a change, whose number follows those of the others.
    const isChange = target.bucket !== undefined;
    const before = isChange ? await changes(false) : [];
    if (
      deployment !== undefined &&
      JSON.stringify(deployment) !== JSON.stringify(last) &&
      !(await isThere(copied))
    )
      await target.replace(to, await asThere(migration, deployment), `stack migrate from ${source.url}`);
    const after = isChange ? [] : await changes(true);
    const tags = await source.tags(from);
    if (Object.keys(tags).length > 0) await target.editTags(to, (present) => ({ ...present, ...tags }));
    await refuseChanged(source, from, deployment);
    await onCopied(secretsProvider);
    return [...lost, ...before, ...after];
  } catch (thrown) {
    if (!known) await target.remove(to, { force: true, backups: true }).catch(() => undefined);
    throw thrown;
  }
}

/** Hold on the stack that is copied. `moved` keeps it permanently, `release` releases it. */
interface Hold {
  moved(): Promise<void>;
  release(): Promise<void>;
}

/** Holds a stack where that is possible. Throws CAIRN-STATE-LOCKED when an operation works on it. */
async function holdStack(backend: Backend, id: StackId, place: string): Promise<Hold> {
  const { bucket } = backend;
  if (bucket === undefined) {
    await backend.awaitUnlocked(id);
    return { moved: async () => undefined, release: async () => undefined };
  }
  const moving = `moving to ${place}`;
  const begun = (await bucket.locks(id)).find(({ reason }) => reason === moving);
  const lock = begun ?? (await bucket.lockWithReason(id, moving));
  return {
    moved: async () => {
      await bucket.unlock(id, lock);
      await bucket.lockWithReason(id, movedTo(place));
    },
    release: () => bucket.unlock(id, lock),
  };
}

/** Returns the reason of the lock on a stack that has moved. */
export function movedTo(place: string): string {
  return `moved to ${place}`;
}

/** Refuses a stack with a change that did not end, or with pending operations in a state that is to be renamed. */
async function refuseUnfinished(
  backend: Backend,
  id: StackId,
  renamed: SerializedDeployment | undefined,
): Promise<void> {
  const row = await backend.newestChange(id, ({ unfinished }) => unfinished);
  const pending = (renamed?.pendingOperations ?? []).map(({ type, resource }) => `${type} ${resource.urn}`);
  if (row === undefined && pending.length === 0) return;
  throw cairnError('CAIRN-UNFINISHED', `cannot move stack "${id.stack}": a change is not finished`, {
    causes: row === undefined ? pending : [`change ${row.number} can be resumed or rolled back`],
    hint: 'Resume it with `cairn resume`, or roll it back with `cairn rollback`; then move the stack.',
  });
}

async function refuseChanged(
  backend: Backend,
  id: StackId,
  before: SerializedDeployment | undefined,
): Promise<void> {
  const { deployment } = await backend.read(id, { integrity: 'skip' });
  if (JSON.stringify(deployment) === JSON.stringify(before)) return;
  throw cairnError('CAIRN-STORE-CONFLICT', `stack "${id.stack}" was changed while it was copied`, {
    hint: 'Nothing was moved. Run the command again when no operation works on the stack.',
  });
}
