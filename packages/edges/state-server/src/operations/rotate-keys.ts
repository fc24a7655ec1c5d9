import { ORGANIZATION } from '@cairn/backends';
import type { EditKey, StackKeys } from '../crypto/stack-keys.js';
import { rotateHookKeys } from '../calls/hooks.js';
import { rotateSigners } from '../calls/signing-keys.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import type { ServiceStore, StackStore } from '../store/service-store.js';

/** Numbers of data keys that were sealed again, and of those that had the current master key already. */
interface Rotation {
  readonly rotated: number;
  readonly current: number;
}

/**
 * Seals the data key of every stack, state of Terraform, webhook and signing key under the current master key. No
 * secret is read, and no ciphertext changes. Works beside services that run, and can be repeated after an interruption.
 * Services that run need both master keys before.
 */
export async function rotateKeys(store: ServiceStore, keys: StackKeys): Promise<Rotation> {
  const edit: EditKey = (id, key) => keys.rewrap(id, key);
  let { rotated, current } = await rotateSigners(store, keys);
  for (const organization of await organizationsIn(store)) {
    const stacks = (await store.listStacks({ organization })).map(
      (name) => [name, (turn: StackStore) => turn.editStackKey(name, edit)] as const,
    );
    const states = (await store.terraform.list({ organization })).map(
      (name) => [name, (turn: StackStore) => turn.terraform.editKey(name, edit)] as const,
    );
    const hooks = await rotateHookKeys(store, keys, organization);
    rotated += hooks.rotated;
    current += hooks.current;
    for (const [name, work] of [...stacks, ...states])
      if (await store.turn([name], work)) rotated += 1;
      else current += 1;
  }
  return { rotated, current };
}

async function organizationsIn(store: ServiceStore): Promise<ReadonlySet<string>> {
  const others = await store.listAccess('organizations', SERVICE_WIDE);
  return new Set([ORGANIZATION, ...others.map(({ id }) => id)]);
}
