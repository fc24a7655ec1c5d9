import type { StackKeys } from '../crypto/stack-keys.js';
import type { ServiceStore } from '../store/service-store.js';

/** Numbers of stacks whose data key was sealed again, and of those that had the current master key already. */
interface Rotation {
  readonly rotated: number;
  readonly current: number;
}

/**
 * Seals the data key of every stack under the current master key. No secret is read, and no ciphertext changes. Works
 * beside services that run, and can be repeated after an interruption. Services that run need both master keys before.
 */
export async function rotateKeys(store: ServiceStore, keys: StackKeys): Promise<Rotation> {
  let rotated = 0;
  let current = 0;
  for (const stack of await store.listStacks()) {
    const changed = await store.turn([stack], (turn) =>
      turn.editStackKey(stack, (stackId, key) => keys.rewrap(stackId, key)),
    );
    if (changed) rotated += 1;
    else current += 1;
  }
  return { rotated, current };
}
