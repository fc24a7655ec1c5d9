import { inFlight, openBlobStore } from '@cairn/blobs';
import type { BlobStore, OpenOptions } from '@cairn/blobs';
import { cairnError, isCairnError } from '@cairn/diagnostics';
import { untypedDeploymentText } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { timeOf } from './bucket/backend-context.js';
import type { Backend, ReadOptions, StackSummary, StoredState } from './backend.js';
import type { BackendContext } from './bucket/backend-context.js';
import { checkpointKey, loadCheckpoint } from './bucket/checkpoint/checkpoint-file.js';
import { readHistory, readHistoryState } from './bucket/history/history-store.js';
import { layout, legacyStackOfKey, stackOfKey } from './bucket/layout.js';
import { lockHolders } from './bucket/locks/lock-file.js';
import type { HolderProcess, LockHolder } from './bucket/locks/lock-file.js';
import { openLease, usable } from './bucket/operation/lease.js';
import type { CheckpointPace } from './bucket/operation/pace.js';
import type { ChangeRow } from './model/change-row.js';
import { tellChange } from './bucket/control/tell.js';
import { followChange } from './bucket/records/follow.js';
import { changeRow, listChanges, loadChangeOf, newestChanges } from './bucket/records/read-changes.js';
import { restoreCheckpoint } from './bucket/recovery/restore.js';
import { setAside } from './bucket/recovery/set-aside.js';
import { readUnfolded } from './bucket/recovery/unfolded.js';
import { resealStack } from './bucket/sealed/reseal.js';
import { sealedDocument } from './bucket/sealed/sealed-document.js';
import { SealedStore } from './bucket/sealed/sealed-store.js';
import { StateKeys } from './bucket/sealed/sealing.js';
import type { SealingPorts } from './bucket/sealed/sealing.js';
import { noteworthyVariables } from './bucket/noteworthy-variables.js';
import { stateTexts } from './bucket/state-texts.js';
import type { StateTexts } from './bucket/state-texts.js';
import { backendSettings } from './bucket/settings.js';
import type { BackendSettings } from './bucket/settings.js';
import { awaitUnlocked, lockAndRecover } from './bucket/stacks/locked.js';
import { checkedName, checkedStackId } from './stack-id.js';
import type { StackId } from './stack-id.js';
import { createStack, replaceDeployment } from './bucket/stacks/create-stack.js';
import { editDeployment } from './bucket/stacks/edit-stack.js';
import { legacyNotes, readMeta, refuseDeprecated } from './bucket/stacks/meta.js';
import { moveBetween } from './bucket/stacks/move-between.js';
import { renameStack } from './bucket/stacks/rename-stack.js';
import { editTags, readTags } from './bucket/stacks/tags.js';
import { removeStack } from './bucket/stacks/remove-stack.js';
import { upgradeStore } from './bucket/stacks/upgrade-store.js';
import type { Upgrade, UpgradeSources } from './bucket/stacks/upgrade-store.js';
import { checkWrites } from './bucket/stacks/check-writes.js';
import { systemTimer } from './timer.js';
import type { Timer } from './timer.js';
import { stackNotFound } from './bucket/stacks/stack-not-found.js';

/** Outside facilities that a backend uses. */
export interface BackendPorts {
  /** Variables of the process, or of a test. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
  /** Version text for manifests, e.g. `v0.1.0`. */
  readonly version: string;
  /** The command line without node and script, for the record of a failed integrity check. */
  readonly argv: readonly string[];
  readonly process: HolderProcess;
  /**
   * Renews locks and wakes callers that follow a change or listen for messages. Defaults to the machine's own timer;
   * tests pass another one.
   */
  readonly timer?: Timer;
  /**
   * `skip`: inconsistent states are used and stored without an error [INT-3]. The failure is noted in the state all the
   * same.
   */
  readonly integrity?: 'check' | 'skip';
  /** Longest time to wait for a lock of another process, in milliseconds. Without it there is no waiting. */
  readonly waitForLockMs?: number | undefined;
  /** Notified when the backend waits for something that may take long, e.g. a lock that may not be renewed any more. */
  readonly waiting?: (text: string) => void;
  /**
   * Decides when the checkpoint is written while an operation runs, unless the environment says so. Defaults to
   * `paced`.
   */
  readonly checkpoint?: CheckpointPace | undefined;
  /** Setting and keys for sealing whole states. Without it, sealed states cannot be opened. */
  readonly sealing?: SealingPorts;
}

/** Opens the backend at an address. Fails with `CAIRN-BACKEND-URL`, or as {@link backendForStore} does. */
export async function openBackend(
  url: string,
  ports: BackendPorts,
  options: OpenOptions = {},
): Promise<Backend> {
  return backendForStore(await openBlobStore(url, options), ports);
}

/**
 * Returns a backend over a blob store. Closing the backend closes the store. Fails when the store's layout is not the
 * project layout.
 */
export async function backendForStore(store: BlobStore, ports: BackendPorts): Promise<Backend> {
  const context = await contextOver(store, ports);
  refuseDeprecated(context.layout, context.settings, store.url);
  return blobBackend(context, ports);
}

/** Backend, and its states as texts. */
interface ServedBackend {
  readonly backend: Backend;
  readonly texts: StateTexts;
}

/** Returns what the state service works with, as {@link backendForStore} does. */
export async function servedBackend(store: BlobStore, ports: BackendPorts): Promise<ServedBackend> {
  const context = await contextOver(store, ports);
  refuseDeprecated(context.layout, context.settings, store.url);
  return { backend: blobBackend(context, ports), texts: stateTexts(context) };
}

/** Returns the context of a backend over a store. Reads the store's layout. */
async function contextOver(store: BlobStore, ports: BackendPorts): Promise<BackendContext> {
  const settings = backendSettings(ports.env);
  const meta = await readMeta(store, settings);
  return {
    store: new SealedStore(store, new StateKeys(sealingOf(settings, ports))),
    settings,
    pace: settings.checkpoint ?? ports.checkpoint ?? 'paced',
    layout: meta.layout,
    marked: meta.written,
    now: ports.now,
    instance: ports.newId(),
    version: ports.version,
    command: ports.argv.join(' '),
    variables: noteworthyVariables(ports.env),
    process: ports.process,
    timer: ports.timer ?? systemTimer,
    integrity: ports.integrity ?? 'check',
    waitForLockMs: ports.waitForLockMs ?? 0,
    waiting: ports.waiting,
    held: new Set(),
  };
}

/** Returns the ports for sealing. The environment wins over the caller. */
function sealingOf(settings: BackendSettings, { sealing }: BackendPorts): SealingPorts {
  return {
    mode: settings.stateEncryption ?? sealing?.mode,
    open: (manager) => (sealing === undefined ? Promise.reject(noSecrets()) : sealing.open(manager)),
  };
}

function noSecrets(): Error {
  return cairnError('CAIRN-STATE-SEALED', 'secrets providers are not available here');
}

/**
 * Moves the stacks of a store of the old layout into their projects; see `upgradeStore`. Opens the store whatever its
 * layout.
 */
export async function upgradeBackend(
  url: string,
  ports: BackendPorts,
  options: OpenOptions,
  sources: UpgradeSources,
): Promise<Upgrade> {
  const store = await openBlobStore(url, options);
  try {
    return await upgradeOver(store, ports, sources);
  } finally {
    await store.close();
  }
}

/** Same as {@link upgradeBackend}, over a store that is open and stays open. */
export async function upgradeOver(
  store: BlobStore,
  ports: BackendPorts,
  sources: UpgradeSources,
): Promise<Upgrade> {
  return upgradeStore(await contextOver(store, ports), sources);
}

function blobBackend(context: BackendContext, ports: BackendPorts): Backend {
  const { store, settings } = context;
  // A store of the old layout knows no projects: a stack is found by its name, whatever project the caller gives.
  const own = (id: StackId): StackId =>
    checkedStackId(context.layout === 'legacy' ? { ...id, project: '' } : id);
  return {
    url: store.url,
    layout: context.layout,
    checkWrites: () => checkWrites(store),
    notes: async () => (tellsOld(context) ? legacyNotes(store) : []),
    list: (project) => listStacks(context, project),
    summary: (id) => summarize(context, own(id)),
    summaries: async (project) =>
      inFlight(await listStacks(context, project), settings.parallel, (id) =>
        summarize(context, id).catch(() => id),
      ),
    exists: async (id) => (await checkpointKey(store, own(id))) !== undefined,
    create: (id, secretsProvider) => createStack(context, own(id), secretsProvider),
    remove: (id, options = {}) => removeStack(context, own(id), options),
    read: (id, options = {}) => readState(context, own(id), options),
    history: (id, page = {}) => readHistory(store, own(id), page),
    changes: (id) => changesOf(context, own(id)),
    newestChange: (id, isWanted = () => true) => newestChangeOf(context, own(id), isWanted),
    changeRow: (id, number) => changeRow(context, own(id), number),
    change: (id, number) => loadChangeOf(context, own(id), number),
    tell: (id, number, message) => tellChange(context, own(id), number, message),
    follow: (id, number, onRecords, signal) => followChange(context, own(id), number, onRecords, signal),
    exportText: async (id) =>
      untypedDeploymentText((await readState(context, own(id), { integrity: 'skip' })).deployment),
    sealDocument: async (id, pieces) => {
      if (!store.keys.hasManager(layout.pathOf(own(id)))) await loadCheckpoint(store, own(id));
      return sealedDocument(pieces, await store.keys.keyFor(layout.pathOf(own(id))));
    },
    reseal: (id) => resealAlone(context, own(id)),
    replace: (id, deployment, message) => replaceDeployment(context, own(id), deployment, message),
    edit: (id, change, message, options) => editDeployment(context, own(id), change, { message, ...options }),
    move: (source, dest, change, message) =>
      moveBetween(context, { source: own(source), dest: own(dest), message }, change),
    rename: (from, to) => renameStack(context, own(from), own(to)),
    tags: async (id) => {
      await mustExist(context, own(id));
      return readTags(store, own(id));
    },
    editTags: async (id, change) => {
      await mustExist(context, own(id));
      await editTags(store, own(id), change);
    },
    stateAfter: async (id, version) => {
      await mustExist(context, own(id));
      return readHistoryState(store, own(id), version);
    },
    lease: (id, options) => openLease(context, own(id), options),
    awaitUnlocked: (id, interrupted) => awaitUnlocked(context, own(id), interrupted),
    restore: (id, agree) => restoreCheckpoint(context, own(id), agree),
    setAside: (id, agree) => setAside(context, own(id), agree),
    locks: (id) => lockHolders(store, own(id)),
    releaseLocks: (id) => releaseLocks(context, own(id)),
    lockWithReason: async (id, reason) => {
      await mustExist(context, own(id));
      const { lockWithReason } = await import('./bucket/stacks/reasoned-lock.js');
      return lockWithReason(context, own(id), reason, ports.newId());
    },
    migrate: (target, migration) => target.receive(context, { ...migration, from: own(migration.from) }),
    receive: async (source, migration) => {
      const { migrateStack } = await import('./bucket/stacks/migrate-stack.js');
      return migrateStack(source, context, { ...migration, to: own(migration.to) }, ports.newId());
    },
    unlock: async (id, lock) => {
      const { unlockStack } = await import('./bucket/stacks/reasoned-lock.js');
      await unlockStack(context, own(id), lock);
    },
    close: () => store.close(),
  };
}

/**
 * Returns true if the user should hear of stacks of the old layout beside the new one. A store without a mark would be
 * of the old layout itself if it had such stacks.
 */
function tellsOld({ settings, layout: kept, marked }: BackendContext): boolean {
  return !settings.silentLegacy && kept === 'project' && marked;
}

async function resealAlone(context: BackendContext, id: StackId): Promise<number> {
  const { lock } = await lockAndRecover(context, id);
  try {
    return await resealStack(context, id);
  } finally {
    await lock.release();
  }
}

async function listStacks(
  { store, layout: kept }: BackendContext,
  project: string | undefined,
): Promise<readonly StackId[]> {
  const stacks = new Map<string, StackId>();
  if (project !== undefined) checkedName('project', project);
  const prefix = project === undefined || kept === 'legacy' ? layout.stacks : `${layout.stacks}${project}/`;
  for (const { key } of await store.list(prefix)) {
    const id = kept === 'legacy' ? legacyStackOfKey(key) : stackOfKey(key);
    if (id !== undefined) stacks.set(layout.checkpoint(id), id);
  }
  return [...stacks.values()];
}

async function mustExist({ store }: BackendContext, id: StackId): Promise<void> {
  if ((await checkpointKey(store, id)) === undefined) throw stackNotFound(id);
}

async function changesOf(context: BackendContext, id: StackId): Promise<readonly ChangeRow[]> {
  await mustExist(context, id);
  return listChanges(context, id);
}

async function newestChangeOf(
  context: BackendContext,
  id: StackId,
  isWanted: (row: ChangeRow) => boolean,
): Promise<ChangeRow | undefined> {
  await mustExist(context, id);
  for await (const row of newestChanges(context, id)) if (isWanted(row)) return row;
  return undefined;
}

/** Summarizes a stack without any key: for a sealed stack, only what is known without one. */
async function summarize(context: BackendContext, id: StackId): Promise<StackSummary> {
  const keyless = { ...context, store: context.store.withKeys(new StateKeys(undefined)) };
  try {
    return summaryOf(id, (await readState(keyless, id, { integrity: 'skip' })).deployment);
  } catch (thrown) {
    if (!isCairnError(thrown) || thrown.diagnostics[0]?.code !== 'CAIRN-STATE-SEALED') throw thrown;
    const key = await checkpointKey(context.store, id);
    const row = (await context.store.list(layout.checkpoint(id))).find((each) => each.key === key);
    const lastUpdate = row === undefined ? undefined : new Date(row.modified).toISOString();
    return { ...id, resources: undefined, lastUpdate, sealed: true };
  }
}

function summaryOf(id: StackId, deployment: SerializedDeployment | undefined): StackSummary {
  const time = timeOf(deployment?.manifest.time);
  return {
    ...id,
    resources: deployment?.resources.length ?? 0,
    lastUpdate: time === undefined || time.startsWith('0001-') ? undefined : time,
  };
}

async function readState(context: BackendContext, id: StackId, options: ReadOptions): Promise<StoredState> {
  const checkpoint = await loadCheckpoint(context.store, id);
  if (checkpoint === undefined) throw stackNotFound(id);
  const { deployment, warnings } = await readUnfolded(context, id, checkpoint);
  const skip = (options.integrity ?? context.integrity) === 'skip';
  const oddities = deployment === undefined || skip ? [] : usable(deployment);
  const sealed = context.store.keys.seals(layout.pathOf(id));
  return { stack: id, deployment, sealed, warnings: [...warnings, ...oddities] };
}

async function releaseLocks({ store }: BackendContext, id: StackId): Promise<readonly LockHolder[]> {
  const holders = (await lockHolders(store, id)).filter(({ reason }) => reason === undefined);
  for (const { key } of holders) await store.delete(key);
  await store.sweep?.(layout.locksOf(id));
  return holders;
}
