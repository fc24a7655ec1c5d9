import path from 'node:path';
import { startS3Server } from '@cairn/testkit/servers';
import type { S3Server } from '@cairn/testkit/servers';
import { openBucketStore } from '../src/index.js';
import { backendPorts } from './service.js';
import type { StoreKind } from './service.js';

/** Store in a bucket of the S3 protocol. `fail` has every request to the bucket answered with 503 during some work. */
interface PlaceKind extends StoreKind {
  fail(work: () => Promise<void>): Promise<void>;
}

/**
 * Returns the store in a bucket of a server of its own. The folder of a test is a prefix in it. Requests that fail are
 * not repeated.
 */
export function placeKind(): PlaceKind {
  let started: Promise<S3Server> | undefined;
  const server = (): Promise<S3Server> =>
    (started ??= startS3Server().then((made) => {
      // The vendor's library looks for credentials in the process's own variables.
      Object.assign(process.env, made.env);
      return made;
    }));
  const urlOf = async (folder: string): Promise<string> =>
    (await server()).bucketUrl('bucket', path.basename(folder), { rate_limiter_capacity: '1' });
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
