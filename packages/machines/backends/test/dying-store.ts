import type { BlobStore } from '@cairn/blobs';

/** Stops at the n-th write: earlier writes are durable, and nothing happens after it. */
export function dyingStore(inner: BlobStore, writes: number): BlobStore {
  let left = writes;
  const write =
    <A extends unknown[], R>(run: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return run(...given);
    };
  return {
    ...inner,
    put: write((key: string, bytes: Uint8Array, condition?: object) => inner.put(key, bytes, condition)),
    copy: write((...given: Parameters<BlobStore['copy']>) => inner.copy(...given)),
    delete: write((key: string) => inner.delete(key)),
  };
}
