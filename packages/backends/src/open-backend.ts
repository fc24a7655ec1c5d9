import { openBlobStore } from '@cairn/blobs';
import type { BlobStore, OpenOptions } from '@cairn/blobs';
import { untypedDeploymentText } from '@cairn/state';
import type { Backend, ReadOptions, StackSummary, StoredState } from './backend.js';
import type { BackendContext } from './backend-context.js';
import { checkpointKey, loadCheckpoint } from './checkpoint/checkpoint-file.js';
import { readHistory } from './history/history-store.js';
import { layout, stackOfKey } from './layout.js';
import { lockHolders } from './locks/lock-file.js';
import type { HolderProcess, LockHolder } from './locks/lock-file.js';
import { openLease, usable } from './operation/lease.js';
import type { ChangeRow } from './records/change-row.js';
import { tellChange } from './control/tell.js';
import { followChange } from './records/follow.js';
import { listChanges, loadChangeOf } from './records/read-changes.js';
import { readUnfolded } from './recovery/unfolded.js';
import { backendSettings } from './settings.js';
import type { StackId } from './stack-id.js';
import { createStack, editDeployment, replaceDeployment } from './stacks/create-stack.js';
import { checkMeta, legacyNotes } from './stacks/meta.js';
import { removeStack } from './stacks/remove-stack.js';
import { systemTimer } from './timer.js';
import type { Timer } from './timer.js';
import { stackNotFound } from './stacks/stack-not-found.js';

/** What a backend may use from outside. */
export interface BackendPorts {
  /** The process's variables, or a test's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** A fresh UUID. */
  readonly newId: () => string;
  /** Version text for manifests, e.g. `v0.1.0`. */
  readonly version: string;
  /** The command line without node and script, for the record of a failed integrity check. */
  readonly argv: readonly string[];
  readonly process: HolderProcess;
  /** Wakes those who follow a change or listen for messages; the machine's own unless a test hands in another. */
  readonly timer?: Timer;
}

/** Opens the backend an address names. Fails with `CAIRN-BACKEND-URL`, or as {@link backendOver} does. */
export async function openBackend(
  url: string,
  ports: BackendPorts,
  options: OpenOptions = {},
): Promise<Backend> {
  return backendOver(await openBlobStore(url, options), ports);
}

/** A backend over a blob store, which it closes with itself. Fails when the store's layout is not the project layout. */
export async function backendOver(store: BlobStore, ports: BackendPorts): Promise<Backend> {
  const context: BackendContext = {
    store,
    settings: backendSettings(ports.env),
    now: ports.now,
    instance: ports.newId(),
    version: ports.version,
    command: ports.argv.join(' '),
    process: ports.process,
    timer: ports.timer ?? systemTimer,
    held: new Set(),
  };
  await checkMeta(store);
  return blobBackend(context);
}

function blobBackend(context: BackendContext): Backend {
  const { store, settings } = context;
  return {
    url: store.url,
    notes: async () => (settings.silentLegacy ? [] : legacyNotes(store)),
    list: (project) => listStacks(context, project),
    summary: (id) => summarize(context, id),
    exists: async (id) => (await checkpointKey(store, id)) !== undefined,
    create: (id, secretsProvider) => createStack(context, id, secretsProvider),
    remove: (id, options = {}) => removeStack(context, id, options),
    read: (id, options = {}) => readState(context, id, options),
    history: (id, page = {}) => readHistory(store, id, page),
    changes: (id) => changesOf(context, id),
    change: (id, number) => loadChangeOf(context, id, number),
    tell: (id, number, message) => tellChange(context, id, number, message),
    follow: (id, number, onRecords, signal) => followChange(context, id, number, onRecords, signal),
    exportText: async (id) =>
      untypedDeploymentText((await readState(context, id, { integrity: 'skip' })).deployment),
    replace: (id, deployment, message) => replaceDeployment(context, id, deployment, message),
    edit: (id, change, message) => editDeployment(context, id, change, message),
    lease: (id, options) => openLease(context, id, options),
    locks: (id) => lockHolders(store, id),
    releaseLocks: (id) => releaseLocks(context, id),
    close: () => store.close(),
  };
}

async function listStacks(
  { store }: BackendContext,
  project: string | undefined,
): Promise<readonly StackId[]> {
  const stacks = new Map<string, StackId>();
  const prefix = project === undefined ? layout.stacks : `${layout.stacks}${project}/`;
  for (const { key } of await store.list(prefix)) {
    const id = stackOfKey(key);
    if (id !== undefined) stacks.set(layout.checkpoint(id), id);
  }
  return [...stacks.values()];
}

async function changesOf(context: BackendContext, id: StackId): Promise<readonly ChangeRow[]> {
  if ((await checkpointKey(context.store, id)) === undefined) throw stackNotFound(id);
  return listChanges(context, id);
}

async function summarize(context: BackendContext, id: StackId): Promise<StackSummary> {
  const { deployment } = await readState(context, id, { integrity: 'skip' });
  const time = deployment?.manifest.time;
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
  const oddities = deployment === undefined || options.integrity === 'skip' ? [] : usable(deployment);
  return { stack: id, deployment, warnings: [...warnings, ...oddities] };
}

async function releaseLocks({ store }: BackendContext, id: StackId): Promise<readonly LockHolder[]> {
  const holders = await lockHolders(store, id);
  for (const { key } of holders) await store.delete(key);
  return holders;
}
