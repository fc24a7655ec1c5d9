import { openBlobStore } from '@cairn/blobs';
import type { BlobStore, OpenOptions } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import type { BucketBackend } from '../backend.js';
import type { BackendPorts, SealingPorts } from '../backend-ports.js';
import { noteworthyVariables } from './noteworthy-variables.js';
import { systemTimer } from '../timer.js';
import type { BackendContext } from './backend-context.js';
import { bucketBackend } from './bucket-backend.js';
import { SealedStore } from './sealed/sealed-store.js';
import { StateKeys } from './sealed/sealing.js';
import { backendSettings } from './settings.js';
import type { BackendSettings } from './settings.js';
import { readMeta, refuseDeprecated } from './stacks/meta.js';
import type { Upgrade, UpgradeSources } from './stacks/upgrade-store.js';
import type { ServedJournals } from './served/served-journals.js';
import type { StateTexts } from './state-texts.js';

/** Opens the backend over the store at an address. Fails as {@link backendForStore} does. */
export async function openBucket(
  url: string,
  ports: BackendPorts,
  options: OpenOptions,
): Promise<BucketBackend> {
  return backendForStore(await openBlobStore(url, options), ports);
}

/**
 * Returns a backend over a blob store. Closing the backend closes the store. Fails when the store's layout is not the
 * project layout.
 */
export async function backendForStore(store: BlobStore, ports: BackendPorts): Promise<BucketBackend> {
  return bucketBackend(await currentContext(store, ports), ports);
}

/** Backend, with its states as texts and its journals. */
interface ServedBackend {
  readonly backend: BucketBackend;
  readonly texts: StateTexts;
  readonly journals: ServedJournals;
}

/** Returns what the state service works with, as {@link backendForStore} does. */
export async function servedBackend(store: BlobStore, ports: BackendPorts): Promise<ServedBackend> {
  const context = await currentContext(store, ports);
  const { servedJournals, stateTexts } = await import('./rare.js');
  const journals = servedJournals(context);
  return { backend: bucketBackend(context, ports), texts: stateTexts(context), journals };
}

/**
 * Moves the stacks of a store of the old layout into their projects; see `upgradeStore`. Opens the store whatever its
 * layout.
 */
export async function upgradeBucket(
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

/** Same as {@link upgradeBucket}, over a store that is open and stays open. */
export async function upgradeOver(
  store: BlobStore,
  ports: BackendPorts,
  sources: UpgradeSources,
): Promise<Upgrade> {
  const { upgradeStore } = await import('./rare.js');
  return upgradeStore(await contextOver(store, ports), sources);
}

async function currentContext(store: BlobStore, ports: BackendPorts): Promise<BackendContext> {
  const context = await contextOver(store, ports);
  refuseDeprecated(context.layout, context.settings, store.url);
  return context;
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
    listed: undefined,
    found: undefined,
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
