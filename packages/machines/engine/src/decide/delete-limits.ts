import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { closure, eachReference } from '@cairn/state';
import type { RunView } from '../ledger/queries.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import type { Cell } from '../model/cell.js';
import type { ScopeFacts } from './facts.js';

/** What limits the final phase of one operation. */
export interface DeleteLimits {
  /** Whether the entry may be deleted at all. */
  covers(cell: Cell): boolean;
  /** Whether the targets name the entry. */
  names(cell: Cell): boolean;
  /** Whether the entry would go only because it hangs on a target, and dependents were not asked for. */
  isDragged(cell: Cell): boolean;
}

interface LimitFacts {
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
  readonly view: RunView;
  readonly scope: ScopeFacts;
  readonly untouched: readonly Cell[];
}

/**
 * What may be deleted [TGT-9] [TGT-10]. Targets: old entries they name and, transitively, everything that
 * refers to those in the old state; that covers what a delete-first replacement would take along. Excludes: all but the
 * excluded entries and everything they need, with dependents also everything that refers to them. O(V+E).
 */
export function deleteLimits(facts: LimitFacts): DeleteLimits {
  const { targets, targetDependents, excludes } = facts.scope;
  if (targets.constrained) {
    const names = (cell: Cell) => isTargeted(facts, cell);
    const reached = withDependents(facts, facts.entries.cells.filter(names));
    const covers = (cell: Cell) => reached.has(cell);
    return { covers, names, isDragged: (cell) => !targetDependents && !names(cell) };
  }
  const no = () => false;
  if (!excludes.constrained) return { covers: () => true, names: no, isDragged: no };
  const kept = keptByExcludes(facts);
  return { covers: (cell) => !kept.has(cell), names: no, isDragged: no };
}

/**
 * Error for something that would be deleted without having been named [TGT-9]; the summary is the reference's to the
 * letter.
 */
export function deletesUntargeted(urn: Urn): Diagnostic {
  return errorDiagnostic(
    'CAIRN-TARGET',
    `Resource '${urn}' will be destroyed but was not specified in --target list. ` +
      'Either include resource in --target list or pass --target-dependents to proceed.',
    { urn },
  );
}

/** The given entries and everything they refer to, transitively. */
export function neededBy(entries: PriorEntries, roots: readonly Cell[]): ReadonlySet<Cell> {
  return closure(roots, (cell, enter) =>
    eachReference(cell.entry, (urn) => providersOf(entries, urn, cell).forEach(enter)),
  );
}

/**
 * Entries that give a later one its reference: the live one, unless only pending deletes of the URN stand before it.
 * None of the old ones when this run has put a new one in their place.
 */
function providersOf(entries: PriorEntries, urn: Urn, dependent: Cell): readonly Cell[] {
  const live = entries.live(urn);
  if (live?.entry.delete === true) return [];
  if (live !== undefined && (live.place.t === 'new' || entries.position(live) < entries.position(dependent)))
    return [live];
  return entries.all(urn);
}

/** Named under the URN it had, the one it has now, or as a dependent in this run. */
function isTargeted({ scope, view }: LimitFacts, cell: Cell): boolean {
  const { urn } = cell.entry;
  const present = view.claimedBy(urn) ?? urn;
  return scope.targets.names(urn) || scope.targets.names(present) || view.isTargeted(present);
}

function withDependents({ graph }: LimitFacts, roots: readonly Cell[]): ReadonlySet<Cell> {
  return closure(roots, (cell, enter) => graph.dependents(cell.entry.urn).forEach(enter));
}

function keptByExcludes(facts: LimitFacts): ReadonlySet<Cell> {
  const { entries, scope, untouched } = facts;
  const excluded = entries.cells.filter((cell) => scope.excludes.names(cell.entry.urn));
  const roots = scope.excludeDependents ? withDependents(facts, excluded) : excluded;
  return neededBy(entries, [...roots, ...untouched]);
}
