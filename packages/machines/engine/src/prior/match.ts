import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { RunView } from '../ledger/queries.js';
import type { PriorEntries } from './entries.js';
import type { Cell } from '../model/cell.js';

/** Prior entry that a goal owns: by its own URN first, then by its aliases in order [ADDR-7]. */
type Match =
  | { readonly t: 'found'; readonly cell: Cell; readonly old: Urn }
  | { readonly t: 'none' }
  | { readonly t: 'conflict'; readonly diagnostic: Diagnostic };

/**
 * Finds the prior entry of a registration. Called once per registration, before it is noted. Entries that are pending
 * delete are never matched.
 */
export function matchPrior(urn: Urn, aliases: readonly Urn[], prior: PriorEntries, view: RunView): Match {
  const claimant = view.claimedBy(urn);
  if (claimant !== undefined) {
    return conflict(
      urn,
      `resource ${urn} cannot be registered: ${claimant} has taken it over through an alias`,
    );
  }
  const own = prior.live(urn);
  if (own !== undefined) return { t: 'found', cell: own, old: urn };
  for (const alias of aliases) {
    const cell = prior.live(alias);
    if (cell === undefined) continue;
    return takeOver(urn, alias, cell, view);
  }
  return { t: 'none' };
}

function takeOver(urn: Urn, alias: Urn, cell: Cell, view: RunView): Match {
  if (view.progress(alias) !== undefined) {
    return conflict(urn, `resource ${urn} cannot take over ${alias}: that resource is registered as well`);
  }
  const claimant = view.claimedBy(alias);
  if (claimant !== undefined) {
    return conflict(urn, `resource ${urn} cannot take over ${alias}: ${claimant} has done so already`);
  }
  return { t: 'found', cell, old: alias };
}

function conflict(urn: Urn, summary: string): Match {
  return {
    t: 'conflict',
    diagnostic: errorDiagnostic('CAIRN-RESOURCE-DUPLICATE', summary, {
      urn,
      hint: 'Give each alias to one resource only, and remove it once the renamed resource has been deployed.',
    }),
  };
}
