import { promisify } from 'node:util';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip, gzip } from 'node:zlib';
import type { BlobStore } from '@cairn/blobs';
import { emptyDeployment, readCheckpoint } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { deploymentOf, digestOf } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { decompress } from '../checkpoint/compression.js';
import { getJournalFile, unreadable } from '../journal/journal-files.js';
import { JOURNAL_FILES } from '../layout.js';

const zip = promisify<Uint8Array, { level: number }, Buffer>(gzip);

/**
 * Keeps the state that an operation started from beside its journal, before the checkpoint is replaced. A rollback
 * leads back to it. It is one write per operation, at the fast level because it is rarely read. The text of a large
 * state is no longer in memory, so the checkpoint itself is copied; its compression is detected from its content.
 * Returns false if it is not that state any more.
 */
export async function keepBase(
  store: BlobStore,
  directory: string,
  base: StoredCheckpoint,
): Promise<boolean> {
  const key = directory + JOURNAL_FILES.base;
  if (base.text === undefined) return (await store.copy(base.key, key, { ifVersion: base.version })).ok;
  return (await store.put(key, await zip(base.text, { level: constants.Z_BEST_SPEED }))).ok;
}

/**
 * Returns the checkpoint that an operation started from, with its journal's `digest`. If the operation has written its
 * checkpoint while it ran, the result has the key and version of the stored one. Returns undefined if the stored one is
 * another process's, or the copy of the base is missing. Fails as {@link loadBase} does.
 */
export async function loadStart(
  store: BlobStore,
  directory: string,
  digest: string,
  present: StoredCheckpoint,
): Promise<StoredCheckpoint | undefined> {
  if (present.digest === digest) return present;
  const through = await getJournalFile(store, directory, 'through');
  if (through?.digests.includes(present.digest) !== true) return undefined;
  const text = await loadBaseText(store, directory, digest);
  return text && { ...present, digest, size: text.length, text };
}

/**
 * Returns the state that an operation started from: its copy, or the checkpoint while it still is that state. Returns
 * undefined if neither exists, as for journals of older versions. Fails with `CAIRN-JOURNAL-CORRUPT` when the copy does
 * not match the journal's `digest`.
 */
export async function loadBase(
  store: BlobStore,
  directory: string,
  digest: string,
  checkpoint: StoredCheckpoint | undefined,
): Promise<SerializedDeployment | undefined> {
  if (checkpoint?.digest === digest) return deploymentOf(checkpoint) ?? emptyDeployment;
  const text = await loadBaseText(store, directory, digest);
  return text && deploymentIn(text, directory + JOURNAL_FILES.base);
}

/**
 * Store of journals. One with `checksBases` has compared the copies of states with their journals itself, and may name
 * those of superseded changes differently.
 */
type BaseStore = BlobStore & { readonly checksBases?: true };

/**
 * Returns the text of the copy of the state that an operation started from, or undefined if there is none. Fails with
 * `CAIRN-JOURNAL-CORRUPT` when it does not match the journal's `digest`.
 */
export async function loadBaseText(
  store: BaseStore,
  directory: string,
  digest: string,
): Promise<Uint8Array | undefined> {
  const key = directory + JOURNAL_FILES.base;
  const blob = await store.get(key);
  if (blob === undefined) return undefined;
  const text = await decompress(blob.bytes, key).catch(() => undefined);
  if (text === undefined || (store.checksBases !== true && digestOf(text) !== digest))
    throw unreadable(key, 'it is not the state that the operation started from');
  return text;
}

/**
 * Keeps the new state of an edit before its outcome is recorded, for a state that is too large for a record. Packs it
 * as it is written.
 */
export async function keepEdited(
  store: BlobStore,
  directory: string,
  pieces: Iterable<string>,
): Promise<void> {
  const packed: Buffer[] = [];
  const collect = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) packed.push(chunk);
  };
  await pipeline(pieces, createGzip({ level: constants.Z_BEST_SPEED }), collect);
  await store.put(directory + JOURNAL_FILES.edited, Buffer.concat(packed));
}

/** Returns the state kept by {@link keepEdited}, or undefined if there is none. Fails with `CAIRN-JOURNAL-CORRUPT`. */
export async function loadEdited(
  store: BlobStore,
  directory: string,
): Promise<SerializedDeployment | undefined> {
  const key = directory + JOURNAL_FILES.edited;
  const blob = await store.get(key);
  if (blob === undefined) return undefined;
  const text = await decompress(blob.bytes, key).catch(() => undefined);
  if (text === undefined) throw unreadable(key, 'it cannot be decompressed');
  return deploymentIn(text, key);
}

function deploymentIn(text: Uint8Array, source: string): SerializedDeployment {
  return readCheckpoint(text, source).deployment ?? emptyDeployment;
}
