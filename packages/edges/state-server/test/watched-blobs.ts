import type { BlobStore } from '@cairn/blobs';

/** Returns a bucket that notes its calls, with the number of rows of what they list. */
export function watchedBlobs(blobs: BlobStore, touches: string[]): BlobStore {
  return new Proxy(blobs, {
    get: (target, name: keyof BlobStore) => {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return async (key: string, ...rest: readonly unknown[]) => {
        const call = value.bind(target) as (...args: readonly unknown[]) => Promise<unknown>;
        const result = await call(key, ...rest);
        const rows = Array.isArray(result) ? ` ${result.length}` : '';
        touches.push(`${name} ${String(key).replace(/[0-9a-f]{20,}/g, '*')}${rows}`);
        return result;
      };
    },
  });
}
