import type { Urn } from '@cairn/addresses';
import { refersToAny } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { Cell } from '../model/cell.js';
import type { ScopeFacts } from './facts.js';

/**
 * Selects the entries of a refresh without the program, in snapshot order [TGT-12]: all of them, the targets, or those
 * not excluded. With dependents the set grows by entries that refer to its members other than through their provider.
 * Views have no refresh of their own. `flaggedOnly` keeps only the entries that ask for it before every update.
 */
export function selectRefreshes(
  cells: readonly Cell[],
  scope: ScopeFacts,
  flaggedOnly: boolean,
): readonly Cell[] {
  return withinScope(cells, scope).filter(
    ({ entry }) => entry.viewOf === undefined && (!flaggedOnly || entry.refreshBeforeUpdate),
  );
}

function withinScope(cells: readonly Cell[], scope: ScopeFacts): readonly Cell[] {
  const { targets, targetDependents, excludes, excludeDependents } = scope;
  if (targets.constrained) {
    const named = growing((entry) => targets.names(entry.urn), targetDependents);
    return cells.filter((cell) => named(cell.entry));
  }
  if (!excludes.constrained) return cells;
  const excluded = growing((entry) => excludes.names(entry.urn), excludeDependents);
  return cells.filter((cell) => !excluded(cell.entry));
}

/**
 * Returns a membership test for a set that grows by dependents of its members. Entries must be tested in snapshot
 * order.
 */
function growing(
  names: (entry: ResourceEntry) => boolean,
  withDependents: boolean,
): (entry: ResourceEntry) => boolean {
  const members = new Set<Urn>();
  return (entry) => {
    const isMember =
      names(entry) || (withDependents && refersToAny(entry, members, (kind) => kind !== 'provider'));
    if (isMember) members.add(entry.urn);
    return isMember;
  };
}
