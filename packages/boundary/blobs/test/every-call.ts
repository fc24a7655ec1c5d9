import type { BlobStore } from '../src/index.js';

/** Every way to ask a store for something, by name: for what each has to say when it cannot. */
export const EVERY_CALL = {
  get: (store: BlobStore) => store.get('a'),
  put: (store: BlobStore) => store.put('a', Buffer.from('x')),
  list: (store: BlobStore) => store.list(''),
  delete: (store: BlobStore) => store.delete('a'),
  copy: (store: BlobStore) => store.copy('a', 'b'),
} as const;

export const CALL_NAMES = Object.keys(EVERY_CALL) as (keyof typeof EVERY_CALL)[];
