import type { BlobStore } from '@cairn/blobs';
import type { Diagnostic } from '@cairn/diagnostics';
import { layout } from '../layout.js';

/**
 * Finds out if conditional writes hold in the store, once in the life of the backend. Returns warnings for the user.
 * Runs before the first write, because locks and the numbers of operations depend on it.
 */
export async function checkWrites(store: BlobStore): Promise<readonly Diagnostic[]> {
  return (await store.checkWrites?.(layout.scratch)) ?? [];
}
