import type { ChainRunner } from '../execute/chain-runner.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Slot } from '../model/slot.js';
import { same } from '../model/make-step.js';

/**
 * Gives entries that nobody has registered a `same` step of their own, in the given order: they are out of scope and
 * stay as they are [TGT-5] [TGT-7] [TGT-11]. A `same` is bookkeeping and ends at once.
 */
export function keepAsTheyAre(slots: readonly Slot[], ledger: Ledger, chains: ChainRunner): void {
  for (const slot of slots) {
    ledger.note({ t: 'kept', slot });
    void chains.run([same(slot, slot.entry, slot.entry, true)]);
  }
}
