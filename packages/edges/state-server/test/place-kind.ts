import path from 'node:path';
import { startGcsServer, startS3Server } from '@cairn/testkit/servers';
import type { GcsServer, S3Server } from '@cairn/testkit/servers';
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
export function placeKind(vendor: 's3' | 'gs'): PlaceKind {
  let started: Promise<S3Server | GcsServer> | undefined;
  const server = (): Promise<S3Server | GcsServer> =>
    (started ??= (vendor === 's3' ? startS3Server() : startGcsServer({ buckets: ['bucket'] })).then(
      (made) => {
        // The vendor's library looks for credentials in the process's own variables.
        Object.assign(process.env, made.env);
        return made;
      },
    ));
  const urlOf = async (folder: string): Promise<string> => {
    const prefix = path.basename(folder);
    const made = await server();
    return 'bucketUrl' in made
      ? made.bucketUrl('bucket', prefix, { rate_limiter_capacity: '1' })
      : `gs://bucket/${prefix}`;
  };
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
