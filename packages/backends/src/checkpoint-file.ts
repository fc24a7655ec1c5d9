import { gunzipSync, gzipSync } from 'node:zlib';
import { cairnError } from '@cairn/diagnostics';
import type { BlobStore, BlobVersion } from '@cairn/blobs';
import { decodeCheckpoint, emptyDeployment, encodeCheckpoint, verifyIntegrity } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { layout, qualifiedName } from './layout.js';
import type { Compression, StackIdentity } from './layout.js';

/** A stack's checkpoint as it was found. `version` marks its content for a conditional write. */
export interface CheckpointFile {
  readonly key: string;
  readonly version: BlobVersion;
  readonly bytes: Uint8Array;
  readonly compression: Compression;
  /** Undefined for a stack that was created and never given a state. */
  readonly deployment: SerializedDeployment | undefined;
}

/** Reads the checkpoint; undefined when the stack does not exist. Of several compressions the newest wins (state.md 5.4). */
export async function readCheckpoint(
  store: BlobStore,
  id: StackIdentity,
): Promise<CheckpointFile | undefined> {
  const key = await currentKey(store, id);
  const blob = key === undefined ? undefined : await store.get(key);
  if (key === undefined || blob === undefined) return undefined;
  const gzip = blob.bytes[0] === 0x1f && blob.bytes[1] === 0x8b;
  const text = gzip ? unpack(key, blob.bytes) : Buffer.from(blob.bytes).toString('utf8');
  const { deployment } = decodeCheckpoint(text, `${store.url}/${key}`);
  return { key, version: blob.version, bytes: blob.bytes, compression: gzip ? 'gzip' : 'none', deployment };
}

async function currentKey(store: BlobStore, id: StackIdentity): Promise<string | undefined> {
  const base = layout.checkpointBase(id);
  const names = new Set([base, `${base}.gz`, `${base}.zst`]);
  const found = (await store.list(base)).filter((info) => names.has(info.key));
  const newest = found.reduce<(typeof found)[number] | undefined>(
    (best, info) => (best === undefined || info.modified >= best.modified ? info : best),
    undefined,
  );
  if (newest?.key.endsWith('.zst')) {
    throw cairnError(
      'CAIRN-STATE-CORRUPT',
      `cannot read the state of stack "${id.stack}": it is compressed with zstd`,
      {
        causes: [`${store.url}/${newest.key}`],
        hint: 'write it once without PULUMI_DIY_BACKEND_ZSTD, or with PULUMI_DIY_BACKEND_GZIP, and try again',
      },
    );
  }
  return newest?.key;
}

function unpack(key: string, bytes: Uint8Array): string {
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch (error) {
    throw cairnError(
      'CAIRN-STATE-CORRUPT',
      `the checkpoint ${key} is damaged: it cannot be unpacked`,
      { causes: [String(error)], hint: `the checkpoint before it is in ${layout.previous(key)}` },
      error,
    );
  }
}

/** The bytes of a checkpoint file holding the deployment. */
export function checkpointBytes(
  id: StackIdentity,
  deployment: SerializedDeployment | undefined,
  compression: Compression,
): Uint8Array {
  const bytes = Buffer.from(encodeCheckpoint(qualifiedName(id), deployment));
  return compression === 'gzip' ? gzipSync(bytes, { level: 1 }) : bytes;
}

/**
 * Puts new bytes in the place of the checkpoint that was read, which becomes `.bak`. Fails with CAIRN-STORE-CONFLICT and changes
 * nothing when somebody else wrote meanwhile. A change of compression deletes the file of the old name afterwards.
 */
export async function writeCheckpoint(
  store: BlobStore,
  id: StackIdentity,
  before: CheckpointFile | undefined,
  bytes: Uint8Array,
  compression: Compression,
): Promise<void> {
  const key = layout.checkpoint(id, compression);
  if (before !== undefined) await store.copy(before.key, layout.previous(before.key));
  const condition =
    before === undefined ? { ifAbsent: true } : before.key === key ? { ifVersion: before.version } : {};
  const put = await store.put(key, bytes, condition);
  if (!put.ok) throw conflict(store, id, key);
  if (before !== undefined && before.key !== key)
    await store.delete(before.key, { ifVersion: before.version });
}

function conflict(store: BlobStore, id: StackIdentity, key: string): Error {
  return cairnError(
    'CAIRN-STORE-CONFLICT',
    `the state of stack "${id.stack}" was changed by somebody else meanwhile`,
    {
      causes: [`${store.url}/${key} is not what this operation started from; it was left as it is`],
      hint: 'what this operation did is in its journal; run the command again',
    },
  );
}

/** The deployment for reading it in an operation: fails with CAIRN-STATE-INTEGRITY when it breaks a rule (state.md 2.4). */
export function usableDeployment(file: CheckpointFile | undefined, id: StackIdentity): SerializedDeployment {
  const deployment = file?.deployment ?? emptyDeployment;
  const [problem] = verifyIntegrity(deployment, 'read');
  if (problem === undefined) return deployment;
  throw cairnError(
    'CAIRN-STATE-INTEGRITY',
    `the state of stack "${id.stack}" is not sound; refusing to use it`,
    {
      ...(problem.urn === undefined ? {} : { urn: problem.urn }),
      causes: [problem.summary],
      hint: `correct it with \`cairn stack export\` and \`cairn stack import\`, or restore ${layout.previous(file?.key ?? '')}`,
    },
  );
}
