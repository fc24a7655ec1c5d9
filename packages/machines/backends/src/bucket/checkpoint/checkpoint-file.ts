import { createHash } from 'node:crypto';
import type { BlobStore, BlobVersion, PutCondition } from '@cairn/blobs';
import { BugError, cairnError } from '@cairn/diagnostics';
import { readCheckpoint } from '@cairn/state';
import type { CopySource, SerializedDeployment } from '@cairn/state';
import { CHECKPOINT_ENDS, layout } from '../layout.js';
import type { BackendSettings } from '../settings.js';
import type { StackId } from '../../stack-id.js';
import { COMPRESSION_ENDS, compress, decompress } from './compression.js';
import { endsDigestOf } from './outline.js';

/**
 * Checkpoint as stored. `version` is of the stored bytes. `digest` is the SHA-256 of the text before compression,
 * `size` its length in bytes.
 */
export interface StoredCheckpoint {
  readonly key: string;
  readonly version: BlobVersion;
  /**
   * Older checkpoints of the stack under its other names, which no one reads. A write with another compression replaces
   * them.
   */
  readonly others: ReadonlyMap<string, BlobVersion>;
  readonly digest: string;
  readonly size: number;
  /** When the store says that it was written, in milliseconds since 1970. Undefined for one that was not read. */
  readonly modified?: number;
  /**
   * Text before compression. Undefined once a large one was read, so that text and deployment are not both in memory.
   */
  readonly text: Uint8Array | undefined;
}

/** A text of this many bytes is not kept beside the deployment that was read from it. */
const LARGE = 1 << 25;

/**
 * Returns the key of the stack's checkpoint, or undefined when the stack does not exist. Of its possible names, the one
 * modified last counts; of two equally new ones, the later name [STORE-6] [STORE-7].
 */
export async function checkpointKey(store: BlobStore, id: StackId): Promise<string | undefined> {
  return (await checkpointKeys(store, id)).at(-1);
}

/** Returns the names under which the stack has a checkpoint; the last one counts. */
async function checkpointKeys(store: BlobStore, id: StackId): Promise<readonly string[]> {
  const base = layout.checkpoint(id);
  const names = checkpointNames(id);
  const folder = base.slice(0, base.lastIndexOf('/') + 1);
  const there = (await store.names?.(folder))?.map((name) => folder + name).filter((key) => names.has(key));
  // Modification times matter only if there are several.
  if (there !== undefined && there.length < 2) return there;
  return (await checkpointRows(store, id)).map(({ key }) => key);
}

/** Returns the checkpoints of the stack as a listing shows them; the last one counts. */
export async function checkpointRows(store: BlobStore, id: StackId): ReturnType<BlobStore['list']> {
  const names = checkpointNames(id);
  const rows = (await store.list(`${layout.checkpoint(id)}.json`)).filter(({ key }) => names.has(key));
  return rows.sort((a, b) => a.modified - b.modified);
}

function checkpointNames(id: StackId): ReadonlySet<string> {
  return new Set(CHECKPOINT_ENDS.map((end) => layout.checkpoint(id) + end));
}

/**
 * Returns the stack's checkpoint, unpacked but not parsed, or undefined when the stack does not exist. `only`: the only
 * name that it had a moment ago. If nothing is there any more, all names are looked for.
 */
export async function loadCheckpoint(
  store: BlobStore,
  id: StackId,
  only?: string,
): Promise<StoredCheckpoint | undefined> {
  const keys = only === undefined ? await checkpointKeys(store, id) : [only];
  const key = keys.at(-1);
  if (key === undefined) return undefined;
  const others = new Map<string, BlobVersion>();
  for (const other of keys.slice(0, -1)) {
    const blob = await store.get(other).catch(() => undefined);
    if (blob !== undefined) others.set(other, blob.version);
  }
  // Read last: anything learnt on the way about the stack's files must be about this one.
  const blob = await store.get(key);
  if (blob === undefined) return only === undefined ? undefined : loadCheckpoint(store, id);
  const text = await decompress(blob.bytes, key);
  const { version, modified } = blob;
  return { key, version, others, digest: digestOf(text), size: text.length, modified, text };
}

/** Deployments of checkpoints, with the places of their resources in the text. */
const read = new WeakMap<
  StoredCheckpoint,
  Pick<ReturnType<typeof readCheckpoint>, 'deployment' | 'places'>
>();

/** Returns the deployment in a checkpoint, read once, or undefined when it has none yet. Fails with `CAIRN-STATE-…`. */
export function deploymentOf(checkpoint: StoredCheckpoint): SerializedDeployment | undefined {
  const known = read.get(checkpoint);
  if (known !== undefined) return known.deployment;
  const { text, key } = checkpoint;
  if (text === undefined) throw new BugError(`the text of ${key} was let go before it was read`);
  const { deployment, places } = readCheckpoint(text, key);
  letGo(checkpoint);
  read.set(checkpoint, { deployment, places: checkpoint.text && places });
  return deployment;
}

/** Facts by which a checkpoint is known as one that this version of the software wrote. */
interface Writer {
  /** Digest of the checkpoint that the operation before left, if it is known. */
  readonly checkpoint: string | undefined;
  readonly version: string;
}

/** Characters that the format escapes only in a person's document [STATE-1]. */
const ESCAPED_HTML = ['\\u003c', '\\u003e', '\\u0026'];

/**
 * Returns the resources of a checkpoint with their texts, which need not be written again. Undefined if it was not
 * read, if its text was let go, or if the writer might make another text of them.
 */
export function copySourceOf(checkpoint: StoredCheckpoint, writer: Writer): CopySource | undefined {
  const { text: bytes, digest } = checkpoint;
  const { deployment, places } = read.get(checkpoint) ?? {};
  if (bytes === undefined || deployment === undefined || places === undefined) return undefined;
  if (digest !== writer.checkpoint || deployment.manifest.version !== writer.version) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (ESCAPED_HTML.some((escape) => text.includes(escape))) return undefined;
  return { bytes, resources: deployment.resources, places };
}

/** Releases the text of a large checkpoint that no one will read. */
export function letGo(checkpoint: StoredCheckpoint): void {
  if (checkpoint.size > LARGE) (checkpoint as { text: Uint8Array | undefined }).text = undefined;
}

/** Returns the SHA-256 in lower-case hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Input of a write. `previous` is the checkpoint that it replaces. `keepsPrevious` keeps that one as `.bak`; a state in
 * the middle of an operation does not become a `.bak`. `stamp` is in nanoseconds since 1970, for a retained copy;
 * without it none is made.
 */
interface CheckpointWrite {
  readonly id: StackId;
  readonly bytes: Uint8Array;
  readonly previous: StoredCheckpoint | undefined;
  readonly settings: BackendSettings;
  readonly keepsPrevious: boolean;
  readonly stamp?: string;
}

/** Checkpoint as it was written. */
export interface WrittenCheckpoint extends Pick<StoredCheckpoint, 'key' | 'version'> {
  /** Its bytes, compressed, for copies of a small one. Undefined for one that is not small or was not written here. */
  readonly bytes?: Uint8Array | undefined;
  /** Digest of its ends before a seal. Undefined for one that was not written here. */
  readonly ends?: string | undefined;
}

/** A checkpoint of this many bytes is small: to write it again is no more work than to copy it. */
const SMALL = 1 << 18;

/**
 * Replaces the previous checkpoint, which stays as `.bak` [STORE-6] [STORE-7]. Writes only while the previous one is
 * still as it was read. Otherwise fails with `CAIRN-STORE-CONFLICT` and overwrites nothing.
 */
export async function storeCheckpoint(store: BlobStore, write: CheckpointWrite): Promise<WrittenCheckpoint> {
  const { id, previous, settings } = write;
  const target = layout.checkpoint(id) + COMPRESSION_ENDS[settings.compression];
  const stored = await compress(write.bytes, settings.compression);
  const moves = previous !== undefined && previous.key !== target;
  if (write.keepsPrevious) await keepPrevious(store, id, settings, previous);
  if (moves && (await checkpointKey(store, id)) !== previous.key) throw changedMeanwhile(previous.key, id);
  const result = await store.put(target, stored, conditionFor(target, previous));
  if (!result.ok) throw changedMeanwhile(target, id);
  const { version } = result;
  if (moves) await removePrevious(store, id, previous, { key: target, version });
  const { stamp } = write;
  if (settings.retainCheckpoints && stamp !== undefined)
    await store.put(layout.retained(target, stamp), stored);
  const bytes = stored.length > SMALL ? undefined : stored;
  return { key: target, version, bytes, ends: endsDigestOf(stored) };
}

/**
 * Keeps the previous checkpoint as `.bak`. A missing `.bak` must not keep a state from being stored. A writer that was
 * overtaken makes no `.bak` of a checkpoint that is no longer the previous one.
 */
export async function keepPrevious(
  store: BlobStore,
  id: StackId,
  { compression }: BackendSettings,
  previous: StoredCheckpoint | undefined,
): Promise<void> {
  if (previous === undefined) return;
  const target = layout.checkpoint(id) + COMPRESSION_ENDS[compression];
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
 * Removes the previous checkpoint, which has another name. If it has changed since it was read, another process has
 * stored a state, and ours is dropped. One that cannot be removed is older, and no one reads it.
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
    `cannot store the state of stack "${id.stack}": ${key} was changed by another process meanwhile`,
    {
      hint: 'What this operation recorded is in its journal and is kept. Find out who else works on the stack; then run `cairn state repair` to see what is recorded and to continue from the current state.',
    },
  );
}
