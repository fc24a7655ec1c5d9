import { createHash } from 'node:crypto';
import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';

const MANIFEST = 'manifest.json';
const FORMAT = 1;

interface BackupFile {
  readonly name: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** List of the files of a backup. It is written last, so that a backup without one is no backup. */
export interface BackupManifest {
  readonly format: number;
  readonly kind: 'bucket' | 'postgres';
  readonly at: string;
  /** Migrations of the schema of a database. */
  readonly schema?: readonly number[];
  readonly files: readonly BackupFile[];
}

/** Backup that is being written. */
export class BackupWriter {
  readonly #files = new Map<string, BackupFile>();
  readonly #blobs: BlobStore;

  private constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /** Begins a backup in an empty place. Fails with `CAIRN-USAGE` for one that has files. */
  static async open(blobs: BlobStore): Promise<BackupWriter> {
    await refuseFiles(blobs, 'write a backup to', 'Give --to a new directory or prefix.');
    return new BackupWriter(blobs);
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#blobs.put(name, bytes);
    this.#files.set(name, { name, bytes: bytes.length, sha256: digestOf(bytes) });
  }

  async remove(name: string): Promise<void> {
    if (this.#files.delete(name)) await this.#blobs.delete(name);
  }

  async finish(facts: Omit<BackupManifest, 'format' | 'files'>): Promise<BackupManifest> {
    const manifest = { format: FORMAT, ...facts, files: [...this.#files.values()] };
    await this.#blobs.put(MANIFEST, Buffer.from(JSON.stringify(manifest)));
    return manifest;
  }
}

/** Reads the manifest of a backup, and compares every file with it. Fails with `CAIRN-STATE-CORRUPT`. */
export async function verifiedManifest(blobs: BlobStore): Promise<BackupManifest> {
  const found = await blobs.get(MANIFEST);
  if (found === undefined)
    throw cairnError('CAIRN-USAGE', `cannot restore from ${blobs.url}: it has no backup that is complete`);
  const manifest = JSON.parse(Buffer.from(found.bytes).toString('utf8')) as BackupManifest;
  if (manifest.format !== FORMAT)
    throw cairnError('CAIRN-STATE-TOO-NEW', `cannot restore from ${blobs.url}: its format is another`, {
      hint: 'Run the version of Cairn that wrote it, or a newer one.',
    });
  for (const file of manifest.files) await readVerified(blobs, file);
  return manifest;
}

/** Reads a file of a backup. Fails with `CAIRN-STATE-CORRUPT` if its bytes are not those of the manifest. */
export async function readVerified(blobs: BlobStore, { name, sha256 }: BackupFile): Promise<Uint8Array> {
  const bytes = (await blobs.get(name))?.bytes;
  if (bytes !== undefined && digestOf(bytes) === sha256) return bytes;
  const what = bytes === undefined ? 'is gone' : 'has other bytes than when it was written';
  throw cairnError('CAIRN-STATE-CORRUPT', `cannot restore from ${blobs.url}: ${name} ${what}`, {
    hint: 'Restore from another backup. Nothing was changed.',
  });
}

/** Fails with `CAIRN-USAGE` for a place that has files. */
export async function refuseFiles(blobs: BlobStore, wanted: string, hint: string): Promise<void> {
  const [first] = await blobs.list('');
  if (first !== undefined)
    throw cairnError('CAIRN-USAGE', `cannot ${wanted} ${blobs.url}: it has files, such as ${first.key}`, {
      hint,
    });
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
