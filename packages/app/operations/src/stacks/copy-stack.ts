import { fullStackName } from '@cairn/backends';
import type { Backend, Migration, StackId } from '@cairn/backends';
import { cairnError, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { renamedStack } from '@cairn/state';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';

/**
 * Copies state and tags of a stack to another backend of any kind that does not have it, and its history to a store of
 * blobs. Records of changes stay. The stack of a store of blobs is locked for good with the reason that it moves; that
 * of a state service has to be unchanged at the end. If copying fails, the copy is removed. Throws CAIRN-STACK-EXISTS,
 * CAIRN-UNFINISHED for a change that did not end, and CAIRN-STORE-CONFLICT.
 */
export async function copyStack(
  source: Backend,
  target: Backend,
  migration: Migration,
): Promise<readonly Diagnostic[]> {
  const { from, to, journals, force } = migration;
  if (journals)
    throw cairnError('CAIRN-USAGE', 'cannot copy the records of changes: a state service is involved', {
      hint: 'Leave --journals out.',
    });
  const hold = await holdStack(source, from, `${target.url} as ${fullStackName(to)}`);
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
  migration: Migration,
  deployment: SerializedDeployment | undefined,
): Promise<readonly Diagnostic[]> {
  const { from, to, seal, onCopied } = migration;
  const secretsProvider = (seal ?? deployment)?.secretsProvider;
  await target.create(to, secretsProvider);
  try {
    const lost = await copyHistory(source, target, migration, deployment?.secretsProvider);
    if (deployment !== undefined)
      await target.replace(to, await asThere(migration, deployment), `stack migrate from ${source.url}`);
    const tags = await source.tags(from);
    if (Object.keys(tags).length > 0) await target.editTags(to, (present) => ({ ...present, ...tags }));
    await refuseChanged(source, from, deployment);
    await onCopied(secretsProvider);
    return lost;
  } catch (thrown) {
    await target.remove(to, { force: true, backups: true }).catch(() => undefined);
    throw thrown;
  }
}

/** Returns a state as the target has it: under the new name, sealed by the new manager. */
async function asThere(
  { from, to, seal }: Migration,
  deployment: SerializedDeployment,
): Promise<SerializedDeployment> {
  const hasManager = deployment.secretsProvider !== undefined;
  const sealed = seal === undefined || !hasManager ? deployment : await seal.deployment(deployment);
  return isRenamed(from, to) ? renamedStack(sealed, from, to) : sealed;
}

/**
 * Copies the history to a store of blobs. A state service has no place for updates that it did not see. Returns
 * warnings about what stays.
 */
async function copyHistory(
  source: Backend,
  { bucket }: Backend,
  migration: Migration,
  manager: SecretsProviderRecord | undefined,
): Promise<readonly Diagnostic[]> {
  const { from, to, seal } = migration;
  if (bucket === undefined)
    return [
      warningDiagnostic('CAIRN-USAGE', `the history of the stack is not copied: it stays in ${source.url}`),
    ];
  const rows = (await source.history(from)).toReversed();
  for (const [order, { number, ...entry }] of rows.entries()) {
    const state = await source.stateAfter(from, number).catch(() => undefined);
    const sealedBy = state?.secretsProvider ?? manager;
    const config =
      seal === undefined || sealedBy === undefined ? entry.config : await seal.config(entry.config, sealedBy);
    await bucket.addHistory(to, {
      entry: { ...entry, config, version: 0 },
      state: state && (await asThere(migration, state)),
      order,
    });
  }
  return [];
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
  const lock = await bucket.lockWithReason(id, `moving to ${place}`);
  return {
    moved: async () => {
      await bucket.unlock(id, lock);
      await bucket.lockWithReason(id, `moved to ${place}`);
    },
    release: () => bucket.unlock(id, lock),
  };
}

function isRenamed(from: StackId, to: StackId): boolean {
  return from.project !== to.project || from.stack !== to.stack;
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
