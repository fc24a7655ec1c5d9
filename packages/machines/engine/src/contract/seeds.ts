import { createHmac } from 'node:crypto';
import type { Urn } from '@cairn/addresses';

/** Length of a seed and of its key, in bytes [PROV-11]. */
export const SEED_BYTES = 32;

/**
 * Returns the seed from which a provider makes up the name of a resource. One key gives each resource its own seed, the
 * same in a preview and in the operation after it. So the operation applies the made-up name that the preview showed.
 */
export function seedOf(key: Uint8Array, urn: Urn): Uint8Array {
  return createHmac('sha256', key).update(urn).digest();
}
