import { isUrn, urnName, urnType } from '@cairn/addresses';
import type { ConsoleResourceRow } from '@cairn/http-api';

/** Row of a tree or a list of resources. */
export interface ResourceTreeRow {
  readonly row: ConsoleResourceRow;
  /** Depth below the roots, from 0. 0 in a list. */
  readonly depth: number;
  /** Number of rows directly below it. */
  readonly children: number;
  /** True if the rows below it are shown. */
  readonly isOpen: boolean;
}

/** Choice of rows. */
interface TreeChoice {
  readonly shape: 'tree' | 'list';
  /** Words that a row has in its URN, type or id. */
  readonly filter: string;
  /** URNs whose children are hidden. */
  readonly closed: ReadonlySet<string>;
}

/**
 * Returns the rows of a page of resources. A filter gives a list in a tree too, because the rows above a match need not
 * match. Every resource has a row, also if its parents form a cycle or are missing in a damaged state.
 */
export function treeRows(
  rows: readonly ConsoleResourceRow[],
  { shape, filter, closed }: TreeChoice,
): readonly ResourceTreeRow[] {
  if (shape === 'list' || filter.trim() !== '')
    return rows
      .filter((row) => filter.trim() === '' || hasWords(row, filter))
      .map((row) => ({ row, depth: 0, children: 0, isOpen: true }));
  const children = childrenOf(rows);
  const seen = new Set<ConsoleResourceRow>();
  const found: ResourceTreeRow[] = [];
  const walk = (root: ConsoleResourceRow): void => {
    const waiting = [{ row: root, depth: 0, isShown: true }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { row, depth, isShown } = next;
      if (seen.has(row)) continue;
      seen.add(row);
      const below = children.get(row.urn) ?? [];
      const isOpen = !closed.has(row.urn);
      if (isShown) found.push({ row, depth, children: below.length, isOpen });
      for (let at = below.length - 1; at >= 0; at -= 1)
        waiting.push({ row: below[at] as ConsoleResourceRow, depth: depth + 1, isShown: isShown && isOpen });
    }
  };
  for (const row of children.get(undefined) ?? []) walk(row);
  // What is left has a cycle above it.
  for (const row of rows) if (!seen.has(row)) walk(row);
  return found;
}

function childrenOf(
  rows: readonly ConsoleResourceRow[],
): ReadonlyMap<string | undefined, ConsoleResourceRow[]> {
  const known = new Set(rows.map(({ urn }) => urn));
  const children = new Map<string | undefined, ConsoleResourceRow[]>();
  for (const row of rows) {
    const parent = row.parent !== undefined && known.has(row.parent) ? row.parent : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [row]);
    else siblings.push(row);
  }
  return children;
}

/** Returns true for a resource that has every word of a filter in its URN, type or id. */
export function hasWords({ urn, id = '' }: ConsoleResourceRow, filter: string): boolean {
  const text = `${urn} ${id}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns the name and type of a resource. A text that is no URN is its own name. */
export function nameOfResource(urn: string): { readonly name: string; readonly type: string } {
  return isUrn(urn) ? { name: urnName(urn), type: urnType(urn) } : { name: urn, type: '' };
}
