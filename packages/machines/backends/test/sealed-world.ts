import { randomBytes } from 'node:crypto';
import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import type { ChangeRecord } from '@cairn/changes';
import { symmetricCrypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import { propertyMap } from '@cairn/values';
import { backendForStore } from '../src/index.js';
import type { BackendPorts, BucketBackend, SealingPorts } from '../src/index.js';
import { ChangeRecorder, operate } from './operations.js';
import { DEV, SECRETS, keysOf, portsOf, root, thing } from './world.js';
import type { TestProcess } from './world.js';

/** Text that is in the planted resource, in the clear. */
export const PLANTED = 'planted-clear-text';

/** Managers by their settings; each has a key of its own. */
export const managers = new Map<string | undefined, Crypter>();
export const open: SealingPorts['open'] = async ({ state }) => {
  const known = managers.get(state) ?? symmetricCrypter(randomBytes(32));
  managers.set(state, known);
  return known;
};
export const closed: SealingPorts['open'] = async () => {
  throw cairnError('CAIRN-PASSPHRASE-WRONG', 'incorrect passphrase');
};

/** Returns a backend that seals. `quiet`: there is no setting for it. */
export function sealing(
  store: BlobStore,
  mode: 'on' | 'off' | 'quiet' = 'on',
  process: TestProcess = { pid: 10, dead: new Set() },
  keys: SealingPorts['open'] = open,
  more: Partial<BackendPorts> = {},
): Promise<BucketBackend> {
  return backendForStore(store, {
    ...portsOf(process),
    ...more,
    sealing: { mode: mode === 'quiet' ? undefined : mode, open: keys },
  });
}

export const planted = thing(PLANTED, { outputs: propertyMap({ note: PLANTED }) });

export function records(): readonly ChangeRecord[] {
  const things = [root, thing('a', { provider: undefined }), { ...planted, provider: undefined }];
  return new ChangeRecorder().creates(...things).records;
}

/** Returns a sealed stack after one operation. */
export async function sealedStack(
  store: BlobStore = memoryBlobStore(),
): Promise<{ store: BlobStore; backend: BucketBackend }> {
  const backend = await sealing(store);
  await backend.create(DEV, SECRETS);
  await operate(backend, records(), 'succeeded');
  return { store, backend };
}

/** Returns keys of blobs that contain a text in the clear. */
export async function holding(store: BlobStore, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const key of await keysOf(store))
    if (Buffer.from((await store.get(key))!.bytes).includes(text)) found.push(key);
  return found;
}
