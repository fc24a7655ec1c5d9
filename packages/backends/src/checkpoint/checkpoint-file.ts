import { createHash } from 'node:crypto';
import type { BlobStore, BlobVersion } from '@cairn/blobs';
import { BugError, cairnError } from '@cairn/diagnostics';
import { readCheckpoint } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { CHECKPOINT_ENDS, layout } from '../layout.js';
import type { BackendSettings } from '../settings.js';
import type { StackId } from '../stack-id.js';
import { COMPRESSION_ENDS, compress, decompress } from './compression.js';

/** A checkpoint as it lies in the store. `version`: of the stored bytes. `digest`: SHA-256 of the text before compression, `size` its bytes. */
export interface StoredCheckpoint {
  readonly key: string;
  readonly version: BlobVersion;
  readonly digest: string;
  readonly size: number;
  /** The text before compression; undefined once a large one was read, so that text and deployment are not both held. */
  readonly text: Uint8Array | undefined;
}

/** A text of so many bytes is not kept beside what was read from it. */
const LARGE = 1 << 25;

/**
 * Key of the stack's checkpoint, or undefined when the stack does not exist: of the names it may have, the one modified last, the
 * later name when two are equal (state.md 5.4).
 */
export async function checkpointKey(store: BlobStore, id: StackId): Promise<string | undefined> {
  const base = layout.checkpoint(id);
  const names = new Set(CHECKPOINT_ENDS.map((end) => base + end));
  let newest: { readonly key: string; readonly modified: number } | undefined;
  for (const row of await store.list(`${base}.json`)) {
    if (names.has(row.key) && (newest === undefined || row.modified >= newest.modified)) newest = row;
  }
  return newest?.key;
}

/** The stack's checkpoint, unpacked but not parsed; undefined when the stack does not exist. */
export async function loadCheckpoint(store: BlobStore, id: StackId): Promise<StoredCheckpoint | undefined> {
  const key = await checkpointKey(store, id);
  const blob = key === undefined ? undefined : await store.get(key);
  if (key === undefined || blob === undefined) return undefined;
  const text = await decompress(blob.bytes, key);
  return { key, version: blob.version, digest: digestOf(text), size: text.length, text };
}

const read = new WeakMap<StoredCheckpoint, { readonly deployment: SerializedDeployment | undefined }>();

/** The deployment in a checkpoint, read once; undefined when it has none yet. Fails with `CAIRN-STATE-…`. */
export function deploymentOf(checkpoint: StoredCheckpoint): SerializedDeployment | undefined {
  const known = read.get(checkpoint);
  if (known !== undefined) return known.deployment;
  const { text, key } = checkpoint;
  if (text === undefined) throw new BugError(`the text of ${key} was let go before it was read`);
  const { deployment } = readCheckpoint(text, key);
  read.set(checkpoint, { deployment });
  letGo(checkpoint);
  return deployment;
}

/** Lets the text of a large checkpoint go that nobody will read. */
export function letGo(checkpoint: StoredCheckpoint): void {
  if (checkpoint.size > LARGE) (checkpoint as { text: Uint8Array | undefined }).text = undefined;
}

/** SHA-256, lower-case hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What a write needs to know. `previous`: the checkpoint it replaces; `stamp`: nanoseconds since 1970. */
export interface CheckpointWrite {
  readonly id: StackId;
  readonly bytes: Uint8Array;
  readonly previous: StoredCheckpoint | undefined;
  readonly settings: BackendSettings;
  readonly stamp: string;
}

/**
 * Puts a new checkpoint in the place of the previous one, which stays as `.bak` (state.md 5.4). Only while the previous one is still what
 * was read: fails with `CAIRN-STORE-CONFLICT` otherwise, and writes nothing. Returns the new key.
 */
export async function storeCheckpoint(store: BlobStore, write: CheckpointWrite): Promise<string> {
  const { id, previous, settings } = write;
  const target = layout.checkpoint(id) + COMPRESSION_ENDS[settings.compression];
  const stored = await compress(write.bytes, settings.compression);
  await keepPrevious(store, target, previous);
  const result = await store.put(target, stored, conditionFor(target, previous));
  if (!result.ok) throw changedMeanwhile(target, id);
  if (previous !== undefined && previous.key !== target)
    await store.delete(previous.key).catch(() => undefined);
  if (settings.retainCheckpoints) await store.put(layout.retained(target, write.stamp), stored);
  return target;
}

/** A missing `.bak` must not keep a state from being stored. */
async function keepPrevious(
  store: BlobStore,
  target: string,
  previous: StoredCheckpoint | undefined,
): Promise<void> {
  const keys = new Set(previous === undefined ? [] : [target, previous.key]);
  for (const key of keys) await store.copy(key, layout.previous(key)).catch(() => undefined);
}

function conditionFor(target: string, previous: StoredCheckpoint | undefined) {
  if (previous === undefined) return { ifAbsent: true };
  return previous.key === target ? { ifVersion: previous.version } : {};
}

function changedMeanwhile(key: string, id: StackId): Error {
  return cairnError(
    'CAIRN-STORE-CONFLICT',
    `cannot store the state of stack "${id.stack}": ${key} was changed by somebody else meanwhile`,
    {
      hint: 'What this operation recorded is in its journal and is kept. Find out who else works on the stack, then run the command again.',
    },
  );
}
