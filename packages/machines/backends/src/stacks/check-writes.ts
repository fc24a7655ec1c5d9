import type { BlobStore } from '@cairn/blobs';
import type { Diagnostic } from '@cairn/diagnostics';
import { layout } from '../layout.js';

/**
 * Learns whether conditional writes hold in the store, once in the life of the backend; answers with warnings for the
 * user. Before the first write, because locks and the numbers of operations rest on it.
 */
export async function checkWrites(store: BlobStore): Promise<readonly Diagnostic[]> {
  return (await store.checkWrites?.(layout.scratch)) ?? [];
}
