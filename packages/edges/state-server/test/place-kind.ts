import path from 'node:path';
import { startAzurite, startFaultProxy, startGcsServer, startS3Server } from '@cairn/testkit/servers';
import type { HttpServer } from '@cairn/testkit/servers';
import { openBucketStore } from '../src/index.js';
import { backendPorts } from './service.js';
import type { StoreKind } from './service.js';

/** Store in a bucket. `fail` has every request to the bucket answered with 503 during some work. */
interface PlaceKind extends StoreKind {
  fail(work: () => Promise<void>): Promise<void>;
}

/**
 * Returns the store in a bucket of a server of its own, which speaks the protocol of a vendor. A test has a prefix in
 * it. Requests to S3 that fail are not repeated.
 */
export function placeKind(vendor: Vendor): PlaceKind {
  let started: Promise<PlaceServer> | undefined;
  const server = (): Promise<PlaceServer> =>
    (started ??= VENDORS[vendor]().then((made) => {
      // The vendor's library looks for credentials in the process's own variables.
      Object.assign(process.env, made.env);
      return made;
    }));
  const urlOf = async (folder: string): Promise<string> => (await server()).urlOf(path.basename(folder));
  return {
    isShared: false,
    open: async (folder) => {
      let clock = 0;
      const monotonic = (): number => clock;
      const url = await urlOf(folder);
      const ports = { ...backendPorts(), env: (await server()).env };
      return {
        store: await openBucketStore(url, ports, { env: ports.env }, monotonic),
        monotonic,
        pass: async (ms) => void (clock += ms),
      };
    },
    urls: async (folder) => ({ store: await urlOf(folder) }),
    close: async () => (await started)?.close(),
    fail: async (work) => {
      const { faults } = await server();
      faults.repeat(1000, { status: 503 });
      try {
        await work();
      } finally {
        faults.clear();
      }
    },
  };
}

type Vendor = 's3' | 'gs' | 'azblob';

/** Server of a vendor's protocol. `urlOf` returns the address of a place in it, by a name of its own. */
interface PlaceServer extends Pick<HttpServer, 'faults' | 'close'> {
  readonly env: Readonly<Record<string, string>>;
  urlOf(name: string): string | Promise<string>;
}

const VENDORS: Readonly<Record<Vendor, () => Promise<PlaceServer>>> = {
  s3: async () => {
    const server = await startS3Server();
    return {
      ...server,
      urlOf: (name: string) => server.bucketUrl('bucket', name, { rate_limiter_capacity: '1' }),
    };
  },
  gs: async () => ({
    ...(await startGcsServer({ buckets: ['bucket'] })),
    urlOf: (name: string) => `gs://bucket/${name}`,
  }),
  azblob: async () => {
    const azurite = await startAzurite();
    const proxy = await startFaultProxy(azurite.url);
    return {
      ...{ faults: proxy.faults, env: azurite.env },
      urlOf: async (name: string) => {
        const container = name.toLowerCase();
        await azurite.createContainer(container);
        return azurite.address(container, new URL(proxy.url).host);
      },
      close: async () => {
        await proxy.close();
        await azurite.close();
      },
    };
  },
};
