import { sortByKey } from '../src/blob-key.js';
import { failedCondition, versionOf } from '../src/blob-version.js';
import type { ObjectClient } from '../src/object/object-client.js';

/** One call in the network between the store and the bucket. */
export interface Call {
  readonly name: 'get' | 'put' | 'listPage' | 'delete' | 'copy';
  readonly key: string;
}

/** Network between store and bucket: it runs the call, or does not, and returns the answer, or loses it. */
export type Network = <T>(call: Call, run: () => T) => Promise<T>;

/** Bucket in memory, shared by several clients. */
export interface Bucket {
  readonly objects: Map<string, { readonly bytes: Uint8Array; readonly modified: number }>;
  client(network?: Network): ObjectClient;
}

const PAGE = 7;

/** Returns an empty bucket whose requests take no time. Listings have pages of seven. */
export function memoryBucket(): Bucket {
  const objects: Bucket['objects'] = new Map();
  let clock = 0;
  const write = (key: string, bytes: Uint8Array): string => {
    clock += 1;
    objects.set(key, { bytes: Uint8Array.from(bytes), modified: clock * 1000 });
    return versionOf(bytes);
  };
  const version = (key: string): string | undefined => {
    const held = objects.get(key);
    return held === undefined ? undefined : versionOf(held.bytes);
  };
  const calm: Network = async (_call, run) => run();
  const client = (network = calm): ObjectClient => ({
    url: 'memory://bucket',
    get: (key, from = 0, most) =>
      network({ name: 'get', key }, () => {
        const held = objects.get(key);
        return (
          held && {
            ...held,
            bytes: held.bytes.slice(from, most && from + most),
            version: versionOf(held.bytes),
          }
        );
      }),
    put: (key, bytes, condition = {}) =>
      network({ name: 'put', key }, () => {
        const conditional = condition.ifAbsent === true || condition.ifVersion !== undefined;
        const reason = conditional ? failedCondition(condition, version(key)) : undefined;
        return reason === undefined ? { ok: true, version: write(key, bytes) } : { ok: false, reason };
      }),
    listPage: (prefix, token = '') =>
      network({ name: 'listPage', key: prefix }, () => {
        const rows = sortByKey(
          [...objects].map(([key, { bytes, modified }]) => {
            return { key, size: bytes.length, modified, version: versionOf(bytes) };
          }),
        ).filter(
          ({ key }) =>
            key.startsWith(prefix) &&
            (token === '' || Buffer.compare(Buffer.from(key), Buffer.from(token)) > 0),
        );
        const page = rows.slice(0, PAGE);
        const next = rows.length > PAGE ? page.at(-1)?.key : undefined;
        return { rows: page, ...(next !== undefined && { next }) };
      }),
    delete: (key, condition = {}) =>
      network({ name: 'delete', key }, () => {
        const reason = failedCondition(condition, version(key));
        return reason === undefined ? { ok: true, existed: objects.delete(key) } : { ok: false, reason };
      }),
    copy: (from, to, { ifVersion } = {}) =>
      network({ name: 'copy', key: to }, () => {
        const held = objects.get(from);
        if (held === undefined) return { ok: false, reason: 'missing' };
        if (ifVersion !== undefined && version(from) !== ifVersion) return { ok: false, reason: 'changed' };
        write(to, held.bytes);
        return { ok: true };
      }),
    close: async () => undefined,
  });
  return { objects, client };
}
