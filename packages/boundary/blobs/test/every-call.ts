import type { BlobStore } from '../src/index.js';

/** Every request to a store, by name: for the message of each that fails. */
export const EVERY_CALL = {
  get: (store: BlobStore) => store.get('a'),
  put: (store: BlobStore) => store.put('a', Buffer.from('x')),
  list: (store: BlobStore) => store.list(''),
  delete: (store: BlobStore) => store.delete('a'),
  copy: (store: BlobStore) => store.copy('a', 'b'),
} as const;

export const CALL_NAMES = Object.keys(EVERY_CALL) as (keyof typeof EVERY_CALL)[];
