import { openBlobStore } from '@cairn/blobs';
import type { BlobStore, OpenOptions } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { Connections } from '../../store/postgres/connections.js';
import { BackupWriter, readVerified, refuseFiles, verifiedManifest } from './backup-files.js';
import type { BackupManifest } from './backup-files.js';
import { copyBucket, fillBucket } from './bucket-backup.js';
import { copyDatabase, fillDatabase } from './database-backup.js';

/** Addresses of a store: a bucket, or a database and the place of its blobs. */
export interface StoreUrls {
  readonly store: string;
  readonly blobs?: string | undefined;
}

/** Number of files and bytes of a backup. */
interface BackupSize {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies everything that the service keeps into an empty place, while services run. The copy shows one moment. Master
 * keys are not in it.
 */
export async function backUpService(
  urls: StoreUrls,
  to: string,
  { now, options }: { readonly now: () => Date; readonly options: OpenOptions },
): Promise<BackupSize> {
  const target = await openBlobStore(to, { ...options, createDirectory: true });
  try {
    const writer = await BackupWriter.open(target);
    const at = now().toISOString();
    return await withStore(urls, options, async (blobs, connections) => {
      if (connections === undefined) {
        await copyBucket(blobs, writer);
        return sizeOf(await writer.finish({ kind: 'bucket', at }));
      }
      const schema = await copyDatabase({ connections, blobs }, writer);
      return sizeOf(await writer.finish({ kind: 'postgres', at, schema }));
    });
  } finally {
    await target.close();
  }
}

/**
 * Fills an empty store from a backup, after every file of it was compared with its digest. Fails with `CAIRN-USAGE` for
 * a store that has contents, and for a backup of the other kind of store.
 */
export async function restoreService(
  from: string,
  urls: StoreUrls,
  { options }: { readonly options: OpenOptions },
): Promise<BackupSize> {
  const source = await openBlobStore(from, options);
  try {
    const manifest = await verifiedManifest(source);
    const files = new Map(manifest.files.map((file) => [file.name, file]));
    const read = (name: string): Promise<Uint8Array> =>
      readVerified(source, files.get(name) ?? { name, bytes: 0, sha256: '' });
    await withStore(urls, options, async (blobs, connections) => {
      if ((manifest.kind === 'bucket') !== (connections === undefined))
        throw cairnError(
          'CAIRN-USAGE',
          `cannot restore from ${from}: it is a backup of another kind of store`,
          {
            hint: `Give --store an address of ${manifest.kind === 'bucket' ? 'a bucket' : 'PostgreSQL'}.`,
          },
        );
      await refuseFiles(blobs, 'restore into', 'Give a new directory or prefix.');
      if (connections === undefined) await fillBucket(blobs, [...files.keys()], read);
      else await fillDatabase({ connections, blobs }, manifest, read);
    });
    return sizeOf(manifest);
  } finally {
    await source.close();
  }
}

async function withStore<T>(
  { store, blobs: place }: StoreUrls,
  options: OpenOptions,
  work: (blobs: BlobStore, connections: Connections | undefined) => Promise<T>,
): Promise<T> {
  const blobs = await openBlobStore(place ?? store, options);
  const connections = place === undefined ? undefined : new Connections(store, 2);
  try {
    return await work(blobs, connections);
  } finally {
    await connections?.close();
    await blobs.close();
  }
}

function sizeOf({ files }: BackupManifest): BackupSize {
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
