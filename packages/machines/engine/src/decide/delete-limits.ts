import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { closure, eachReference } from '@cairn/state';
import type { RunView } from '../ledger/queries.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import { providerNamed } from '../model/cell.js';
import type { Cell } from '../model/cell.js';
import type { ScopeFacts } from './facts.js';

/** Limits of the final phase of one operation. */
export interface DeleteLimits {
  /** Returns true if the entry may be deleted at all. */
  covers(cell: Cell): boolean;
  /** Returns true if the targets name the entry. */
  names(cell: Cell): boolean;
  /**
   * Returns true if the entry would be deleted only as a dependent of a target although dependents were not requested.
   */
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
 * Determines the entries that may be deleted [TGT-9] [TGT-10]. Targets: the old entries they name and, transitively,
 * everything that refers to those in the old state. That covers the deletes of a delete-first replacement. Excludes:
 * all except the excluded entries and everything they need. With dependents, everything that refers to them is kept as
 * well. O(V+E).
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

/** Makes the error for a delete of an entry that was not named [TGT-9]. The summary matches the reference literally. */
export function deletesUntargeted(urn: Urn): Diagnostic {
  return errorDiagnostic(
    'CAIRN-TARGET',
    `Resource '${urn}' will be destroyed but was not specified in --target list. ` +
      'Either include resource in --target list or pass --target-dependents to proceed.',
    { urn },
  );
}

/**
 * Returns the given entries and everything they refer to, transitively. A replaced provider is needed by those
 * that still name it.
 */
export function neededBy(entries: PriorEntries, roots: readonly Cell[]): ReadonlySet<Cell> {
  return closure(roots, (cell, enter) =>
    eachReference(cell.entry, (urn, kind, detail) => {
      const named = providerNamed(entries.all(urn), kind, detail);
      if (named === undefined) providersOf(entries, urn, cell).forEach(enter);
      else enter(named);
    }),
  );
}

/**
 * Returns the entries that provide a later one with its reference: the live one, unless only pending deletes of the URN
 * precede it. Returns none of the old ones if this run has added a new one.
 */
function providersOf(entries: PriorEntries, urn: Urn, dependent: Cell): readonly Cell[] {
  const live = entries.live(urn);
  if (live?.entry.delete === true) return [];
  if (live !== undefined && (live.place.t === 'new' || entries.position(live) < entries.position(dependent)))
    return [live];
  return entries.all(urn);
}

/** Returns true if the entry is named under its old or its present URN, or is a dependent in this run. */
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
