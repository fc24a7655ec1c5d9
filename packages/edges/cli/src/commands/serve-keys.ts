import { EXIT } from '@cairn/diagnostics';
import { rotateKeys } from '@cairn/state-server';
import type { Command } from '../command-spec.js';
import type { Texts } from '../flags/flag-spec.js';
import { openStackKeys } from '../flows/master-keys.js';
import type { KeyFlags } from '../flows/master-keys.js';
import { withServiceStore } from '../flows/service-store.js';
import type { StoreFlags } from '../flows/service-store.js';

/** `serve rotate-keys`: seals the data key of every stack under the current master key. */
export const rotate: Command<KeyFlags & Texts<StoreFlags>> = async ({ flags }, context) => {
  const keys = await openStackKeys(context, flags, 'rotate keys');
  return withServiceStore(context, flags, async (store) => {
    const { rotated, current } = await rotateKeys(store, keys);
    const before = current === 0 ? '' : `; ${stacks(current)} had it already`;
    context.stderr.write(`Sealed the keys of ${stacks(rotated)} under the current master key${before}\n`);
    return EXIT.ok;
  });
};

function stacks(count: number): string {
  return count === 1 ? '1 stack' : `${count} stacks`;
}
