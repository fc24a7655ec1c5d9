import { createHmac } from 'node:crypto';
import type { Urn } from '@cairn/addresses';

/** Length of a seed and of its key, in bytes [PROV-11]. */
export const SEED_BYTES = 32;

/**
 * The seed a provider makes up the name of a resource from. One key gives each resource its own seed, and the same in a
 * preview and in the operation after it: so a made-up name that was shown is the one that is applied.
 */
export function seedOf(key: Uint8Array, urn: Urn): Uint8Array {
  return createHmac('sha256', key).update(urn).digest();
}
