import { createHash } from 'node:crypto';
import type { BlobStore, BlobVersion, PutCondition } from '@cairn/blobs';
import { BugError, cairnError } from '@cairn/diagnostics';
import { readCheckpoint } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { CHECKPOINT_ENDS, layout } from '../layout.js';
import type { BackendSettings } from '../settings.js';
import type { StackId } from '../stack-id.js';
import { COMPRESSION_ENDS, compress, decompress } from './compression.js';

/**
 * A checkpoint as it lies in the store. `version`: of the stored bytes. `digest`: SHA-256 of the text before
 * compression, `size` its bytes.
 */
export interface StoredCheckpoint {
  readonly key: string;
  readonly version: BlobVersion;
  /**
   * Older checkpoints of the stack under its other names, which nobody reads: what a write with another compression
   * will replace.
   */
  readonly others: ReadonlyMap<string, BlobVersion>;
  readonly digest: string;
  readonly size: number;
  /**
   * The text before compression; undefined once a large one was read, so that text and deployment are not both held.
   */
  readonly text: Uint8Array | undefined;
}

/** A text of so many bytes is not kept beside what was read from it. */
const LARGE = 1 << 25;

/**
 * Key of the stack's checkpoint, or undefined when the stack does not exist: of the names it may have, the one modified
 * last, the later name when two are equal [STORE-6] [STORE-7].
 */
export async function checkpointKey(store: BlobStore, id: StackId): Promise<string | undefined> {
  return (await checkpointKeys(store, id)).at(-1);
}

/** Names under which the stack has a checkpoint, the one that counts last. */
async function checkpointKeys(store: BlobStore, id: StackId): Promise<readonly string[]> {
  const base = layout.checkpoint(id);
  const names = new Set(CHECKPOINT_ENDS.map((end) => base + end));
  const folder = base.slice(0, base.lastIndexOf('/') + 1);
  const there = (await store.names?.(folder))?.map((name) => folder + name).filter((key) => names.has(key));
  // When they were written matters only where there are several.
  if (there !== undefined && there.length < 2) return there;
  const rows = (await store.list(`${base}.json`)).filter(({ key }) => names.has(key));
  return rows.sort((a, b) => a.modified - b.modified).map(({ key }) => key);
}

/** The stack's checkpoint, unpacked but not parsed; undefined when the stack does not exist. */
export async function loadCheckpoint(store: BlobStore, id: StackId): Promise<StoredCheckpoint | undefined> {
  const keys = await checkpointKeys(store, id);
  const key = keys.at(-1);
  if (key === undefined) return undefined;
  const others = new Map<string, BlobVersion>();
  for (const other of keys.slice(0, -1)) {
    const blob = await store.get(other).catch(() => undefined);
    if (blob !== undefined) others.set(other, blob.version);
  }
  // Last: what is learnt of the stack's files on the way must be of this one.
  const blob = await store.get(key);
  if (blob === undefined) return undefined;
  const text = await decompress(blob.bytes, key);
  return { key, version: blob.version, others, digest: digestOf(text), size: text.length, text };
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

/**
 * What a write needs to know. `previous`: the checkpoint it replaces; `keepsPrevious`: as `.bak`, which a state in the
 * middle of an operation does not become. `stamp`: nanoseconds since 1970, for a retained copy; without it none is
 * made.
 */
interface CheckpointWrite {
  readonly id: StackId;
  readonly bytes: Uint8Array;
  readonly previous: StoredCheckpoint | undefined;
  readonly settings: BackendSettings;
  readonly keepsPrevious: boolean;
  readonly stamp?: string;
}

/** Where a checkpoint was written, and as what. */
export type WrittenCheckpoint = Pick<StoredCheckpoint, 'key' | 'version'>;

/**
 * Puts a new checkpoint in the place of the previous one, which stays as `.bak` [STORE-6] [STORE-7]. Only while the
 * previous one is still what was read: fails with `CAIRN-STORE-CONFLICT` otherwise, and overwrites nothing.
 */
export async function storeCheckpoint(store: BlobStore, write: CheckpointWrite): Promise<WrittenCheckpoint> {
  const { id, previous, settings } = write;
  const target = layout.checkpoint(id) + COMPRESSION_ENDS[settings.compression];
  const stored = await compress(write.bytes, settings.compression);
  const moves = previous !== undefined && previous.key !== target;
  if (write.keepsPrevious) await keepPrevious(store, target, previous);
  if (moves && (await checkpointKey(store, id)) !== previous.key) throw changedMeanwhile(previous.key, id);
  const result = await store.put(target, stored, conditionFor(target, previous));
  if (!result.ok) throw changedMeanwhile(target, id);
  const { version } = result;
  if (moves) await removePrevious(store, id, previous, { key: target, version });
  const { stamp } = write;
  if (settings.retainCheckpoints && stamp !== undefined)
    await store.put(layout.retained(target, stamp), stored);
  return { key: target, version };
}

/**
 * A missing `.bak` must not keep a state from being stored. Who was overtaken does not make one of what is not the
 * previous one any more.
 */
async function keepPrevious(
  store: BlobStore,
  target: string,
  previous: StoredCheckpoint | undefined,
): Promise<void> {
  if (previous === undefined) return;
  const versions = new Map([...previous.others, [previous.key, previous.version]]);
  for (const key of new Set([target, previous.key])) {
    const ifVersion = versions.get(key);
    if (ifVersion !== undefined)
      await store.copy(key, layout.previous(key), { ifVersion }).catch(() => undefined);
  }
}

function conditionFor(target: string, previous: StoredCheckpoint | undefined): PutCondition {
  const ifVersion = previous?.key === target ? previous.version : previous?.others.get(target);
  return ifVersion === undefined ? { ifAbsent: true } : { ifVersion };
}

/**
 * The previous checkpoint lay under another name. When it is not there any more as it was read, somebody else has
 * stored a state beside ours, and ours gives way. One that cannot be removed is older, and nobody reads it.
 */
async function removePrevious(
  store: BlobStore,
  id: StackId,
  previous: StoredCheckpoint,
  written: WrittenCheckpoint,
): Promise<void> {
  const removed = await store
    .delete(previous.key, { ifVersion: previous.version })
    .catch(() => ({ ok: true }) as const);
  if (removed.ok) return;
  await store.delete(written.key, { ifVersion: written.version });
  throw changedMeanwhile(previous.key, id);
}

function changedMeanwhile(key: string, id: StackId): Error {
  return cairnError(
    'CAIRN-STORE-CONFLICT',
    `cannot store the state of stack "${id.stack}": ${key} was changed by somebody else meanwhile`,
    {
      hint: 'What this operation recorded is in its journal and is kept. Find out who else works on the stack; then `cairn state repair` shows what is recorded and goes on from the state as it is.',
    },
  );
}
