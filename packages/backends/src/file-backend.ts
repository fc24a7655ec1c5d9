import { fail } from '@cairn/diagnostics';
import type { BlobStore } from '@cairn/blobs';
import { emptyDeployment, signManifest } from '@cairn/state';
import type { SecretsProviderRecord } from '@cairn/state';
import type { Backend, RemoveOptions, StackSummary } from './backend.js';
import { checkpointBytes, readCheckpoint, usableDeployment, writeCheckpoint } from './checkpoint-file.js';
import { readHistory } from './history.js';
import { layout, stackOfCheckpointKey } from './layout.js';
import type { StackIdentity } from './layout.js';
import { openLocked, saveDeployment } from './locked-stack.js';
import type { StackTools } from './locked-stack.js';
import { lockStack, releaseAllLocks } from './locks.js';
import { checkMeta } from './meta.js';
import { recover, takenNotes } from './recovery.js';
import type { BackendSettings } from './settings.js';

/**
 * Stacks in a bucket in the project layout of state.md 5.2. Fails with CAIRN-STATE-CORRUPT or CAIRN-STATE-TOO-NEW when the bucket's
 * own description cannot be used.
 */
export async function openBlobBackend(
  url: string,
  store: BlobStore,
  settings: BackendSettings,
): Promise<Backend> {
  await checkMeta(store);
  const tools: StackTools = { store, settings };
  return {
    url,
    list: (project) => listStacks(store, project),
    exists: async (id) => (await readCheckpointKey(store, id)) !== undefined,
    create: (id, secrets) => createStack(tools, id, secrets),
    remove: (id, options) => removeStack(tools, id, options),
    read: async (id, integrity) => {
      const file = await readCheckpoint(store, id);
      if (file === undefined) return noStack(id, url);
      return integrity === 'check' && file.deployment !== undefined
        ? usableDeployment(file, id)
        : file.deployment;
    },
    history: (id, page, pageSize) => readHistory(store, id, page, pageSize),
    lock: async (id) => {
      if ((await readCheckpointKey(store, id)) === undefined) return noStack(id, url);
      const lock = await lockStack(store, id, settings);
      try {
        const notes = await recover(tools, id);
        return await openLocked(tools, lock, [...takenNotes(id, lock.taken), ...notes]);
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
    releaseLocks: (id) => releaseAllLocks(store, id),
    close: () => store.close(),
  };
}

async function readCheckpointKey(store: BlobStore, id: StackIdentity): Promise<string | undefined> {
  const base = layout.checkpointBase(id);
  const names = [base, `${base}.gz`, `${base}.zst`];
  return (await store.list(base)).find((info) => names.includes(info.key))?.key;
}

function noStack(id: StackIdentity, url: string): never {
  return fail(
    'CAIRN-STACK-NOT-FOUND',
    `there is no stack "${id.stack}" of project "${id.project}" in ${url}`,
    {
      hint: `create it with \`cairn stack init ${id.stack}\`, or list the stacks there are with \`cairn stack ls\``,
    },
  );
}

async function listStacks(store: BlobStore, project: string | undefined): Promise<readonly StackSummary[]> {
  const ids = (await store.list(layout.stacks))
    .map((info) => stackOfCheckpointKey(info.key))
    .filter((id) => id !== undefined && (project === undefined || id.project === project)) as StackIdentity[];
  return Promise.all(ids.map((id) => summarise(store, id)));
}

async function summarise(store: BlobStore, id: StackIdentity): Promise<StackSummary> {
  const deployment = await readCheckpoint(store, id).then(
    (file) => file?.deployment,
    () => undefined,
  );
  return { ...id, lastUpdate: deployment?.manifest.time, resourceCount: deployment?.resources.length };
}

async function createStack(
  tools: StackTools,
  id: StackIdentity,
  secrets: SecretsProviderRecord,
): Promise<void> {
  const { store, settings } = tools;
  const lock = await lockStack(store, id, settings);
  try {
    if ((await readCheckpointKey(store, id)) !== undefined) {
      fail('CAIRN-STACK-EXISTS', `stack "${id.stack}" of project "${id.project}" exists already`, {
        hint: `choose it with \`cairn stack select ${id.stack}\``,
      });
    }
    await writeCheckpoint(
      store,
      id,
      undefined,
      checkpointBytes(id, undefined, settings.compression),
      settings.compression,
    );
    const manifest = signManifest({ time: settings.now().toISOString(), version: settings.version });
    await saveDeployment(tools, id, await readCheckpoint(store, id), {
      ...emptyDeployment,
      manifest,
      secretsProvider: secrets,
    });
  } finally {
    await lock.release();
  }
}

async function removeStack(tools: StackTools, id: StackIdentity, options: RemoveOptions): Promise<void> {
  const { store, settings } = tools;
  const key = await readCheckpointKey(store, id);
  if (key === undefined) noStack(id, store.url);
  const lock = await lockStack(store, id, settings);
  try {
    if (!options.force) await refuseWhenNotEmpty(store, id);
    if (options.removeBackups) await deleteBelow(store, layout.backups(id));
    else await store.copy(key, layout.previous(key));
    await store.delete(key);
    if (options.removeBackups) await store.delete(layout.previous(key));
    await store.delete(layout.tags(id));
    await deleteBelow(store, layout.history(id));
    await deleteBelow(store, layout.journals(id));
  } finally {
    await lock.release();
  }
}

async function refuseWhenNotEmpty(store: BlobStore, id: StackIdentity): Promise<void> {
  const resources = (await readCheckpoint(store, id))?.deployment?.resources ?? [];
  const left = resources.filter((resource) => resource.type !== 'pulumi:pulumi:Stack').length;
  if (left === 0) return;
  fail('CAIRN-STACK-NOT-EMPTY', `stack "${id.stack}" still has ${left} resource${left === 1 ? '' : 's'}`, {
    hint: 'run `cairn destroy` first, or pass --force to forget the resources without deleting them',
  });
}

async function deleteBelow(store: BlobStore, prefix: string): Promise<void> {
  for (const { key } of await store.list(prefix)) await store.delete(key);
}
