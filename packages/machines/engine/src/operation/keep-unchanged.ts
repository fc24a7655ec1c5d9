import type { Chains } from '../execute/chain.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Cell } from '../model/cell.js';
import { sameStep } from '../model/make-step.js';

/**
 * Gives unregistered entries a `same` step of their own, in the given order. They are out of scope and remain as they
 * are [TGT-5] [TGT-7] [TGT-11]. A `same` ends at once.
 */
export function keepUnchanged(cells: readonly Cell[], ledger: Ledger, chains: Chains): void {
  for (const cell of cells) {
    ledger.note({ t: 'kept', cell });
    void chains.run([sameStep(cell, cell.entry, cell.entry, { t: 'out-of-scope' })]);
  }
}
