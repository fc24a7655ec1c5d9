import { openBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { startAzurite, startFaultProxy, startGcsServer, startS3Server } from '@cairn/testkit/servers';
import type { HttpServer } from '@cairn/testkit/servers';

/**
 * Bucket of its own on a server that speaks a vendor's protocol. `open` makes a client of its own, as another process
 * has.
 */
export interface Place {
  readonly server: HttpServer;
  readonly open: () => Promise<BlobStore>;
}

/** One for all buckets: it takes some seconds to start. */
let azurite: ReturnType<typeof startAzurite> | undefined;
let containers = 0;

/** Closes what the places of a file of tests share. */
export async function closePlaces(): Promise<void> {
  await (await azurite)?.close();
  azurite = undefined;
}

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  S3: async () => {
    const server = await startS3Server();
    // The vendor's library looks for credentials in the process's own variables.
    Object.assign(process.env, server.env);
    return { server, open: () => openBlobStore(server.bucketUrl('bucket'), { env: server.env }) };
  },
  'Google Cloud': async () => {
    const server = await startGcsServer({ buckets: ['bucket'] });
    return { server, open: () => openBlobStore('gs://bucket', { env: server.env }) };
  },
  Azure: async () => {
    const container = `state${(containers += 1)}`;
    const emulator = await (azurite ??= startAzurite());
    await emulator.createContainer(container);
    const server = await startFaultProxy(emulator.url);
    const address = emulator.address(container, new URL(server.url).host);
    return { server, open: () => openBlobStore(address, { env: emulator.env }) };
  },
};

/** CI sets CAIRN_ALL_STORES=1; `npm test` takes samples. */
export const ALL_PLACES = process.env['CAIRN_ALL_STORES'] === '1';

type NamedPlace = readonly [string, () => Promise<Place>];

/**
 * Returns every place by its name. Without {@link ALL_PLACES} it returns so many of them, with Azure last: it takes its
 * time.
 */
export function placesUpTo(some: 1 | 2): readonly NamedPlace[] {
  return Object.entries(PLACES).slice(0, ALL_PLACES ? undefined : some);
}
