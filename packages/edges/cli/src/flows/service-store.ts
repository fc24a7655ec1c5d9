import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { cairnError } from '@cairn/diagnostics';
import { thisProcess, userOf } from '@cairn/operations/stacks';
import { Administration, openBucketStore, openPostgresStore } from '@cairn/state-server';
import type { ServiceStore, StoreUrls } from '@cairn/state-server';
import type { CommandContext } from '../command-context.js';
import type { Texts } from '../flags/flag-spec.js';
import { cairnVersion } from './version.js';

/** Flags that name the store of the service. */
export type StoreFlags = 'store' | 'blobs';

/** Returns the addresses of the store. Refuses a database without a place for states, and a bucket with one. */
export function storeUrlsOf({ store, blobs }: Texts<StoreFlags>): StoreUrls {
  if (store === undefined)
    throw cairnError('CAIRN-USAGE', 'cannot open the store of the service: none is given', {
      hint: 'Give --store URL, for example --store file:///srv/cairn.',
    });
  const isDatabase = /^postgres(?:ql)?:/.test(store);
  if (isDatabase && blobs === undefined)
    throw cairnError('CAIRN-USAGE', 'cannot open the store of the service: no place for states is given', {
      hint: 'Give --blobs URL, for example --blobs s3://states.',
    });
  if (!isDatabase && blobs !== undefined)
    throw cairnError('CAIRN-USAGE', 'cannot use --blobs: the store keeps states itself', {
      hint: 'Leave --blobs out, or give --store postgres://….',
    });
  return { store, blobs };
}

/** Returns options for opening buckets and directories. */
export function blobOptions(context: CommandContext) {
  const { env, cwd } = context;
  return { home: userOf(context).userHome, cwd, env, createDirectory: false };
}

/** Opens the store of the service: a bucket, or a database with a place for states. */
export async function openServiceStore(
  context: CommandContext,
  flags: Texts<StoreFlags>,
): Promise<ServiceStore> {
  const { store, blobs } = storeUrlsOf(flags);
  const { env, now, argv } = context;
  const options = blobOptions(context);
  const version = `v${cairnVersion()}`;
  if (blobs !== undefined) return openPostgresStore({ database: store, blobs }, { now, version }, options);
  const process = thisProcess(false);
  const ports = { env, now, newId: randomUUID, version, argv, process };
  return openBucketStore(store, ports, options, () => performance.now());
}

/** Does work with the store of the service, and closes it. */
export async function withServiceStore(
  context: CommandContext,
  flags: Texts<StoreFlags>,
  work: (store: ServiceStore) => Promise<number>,
): Promise<number> {
  const store = await openServiceStore(context, flags);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Returns the administration of a store, in the name of the user of this machine. */
export function administrationOf(
  { now }: CommandContext,
  store: ServiceStore,
  organization?: string,
): Administration {
  return new Administration({ store, now, newId: randomUUID, by: userInfo().username }, organization);
}
