import { checkpointBytes, readCheckpoint } from '@cairn/state';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';
import type { BlobStore } from '@cairn/blobs';
import { COMPRESSION_OF, compress, decompress } from '../checkpoint/compression.js';
import { historyEntryText, readEntry } from '../history/history-store.js';
import type { HistoryEntry } from '../../model/history-entry.js';
import { CHECKPOINT_ENDS } from '../layout.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import type { NewSeal } from '../../model/migration.js';

/** Seals a state again. One that names no manager has no secrets. */
export async function resealedState(
  deployment: SerializedDeployment,
  seal: NewSeal,
): Promise<SerializedDeployment> {
  return deployment.secretsProvider === undefined ? deployment : seal.deployment(deployment);
}

/** Owner of a file, and the manager that seals the secrets of its state now. */
interface Owner {
  readonly stack: StackId;
  readonly manager: SecretsProviderRecord | undefined;
}

const HISTORY = /\.history(?=\.json)/;

/**
 * Returns the bytes of a copy of a state, or of an entry of the history, with its secrets sealed again. An entry's
 * secrets are sealed by the manager of the state beside it, and without one by `manager`. Fails for a file that cannot
 * be read.
 */
export async function resealedFile(
  store: BlobStore,
  key: string,
  seal: NewSeal,
  { stack, manager }: Owner,
): Promise<Uint8Array> {
  if (HISTORY.test(key)) return resealedEntry(store, key, seal, manager);
  const blob = await store.get(key);
  const document = readCheckpoint(await decompress(blob?.bytes ?? new Uint8Array(), key), key);
  const deployment = document.deployment && (await resealedState(document.deployment, seal));
  return packed(key, checkpointBytes(fullStackName(stack), deployment));
}

async function resealedEntry(
  store: BlobStore,
  key: string,
  seal: NewSeal,
  manager: SecretsProviderRecord | undefined,
): Promise<Uint8Array> {
  const entry = (await readEntry(store, key)) as HistoryEntry;
  const beside = key.replace(HISTORY, '.checkpoint');
  const copy = await store.get(beside);
  const state = copy && readCheckpoint(await decompress(copy.bytes, beside), beside).deployment;
  const provider = state?.secretsProvider ?? manager;
  const config = provider === undefined ? entry.config : await seal.config(entry.config, provider);
  return packed(key, Buffer.from(historyEntryText({ ...entry, config })));
}

/** Compresses according to the name of the file. */
function packed(key: string, text: Uint8Array): Promise<Uint8Array> {
  const end = CHECKPOINT_ENDS.findLast((each) => key.includes(each)) ?? '.json';
  return compress(text, COMPRESSION_OF[end]);
}
