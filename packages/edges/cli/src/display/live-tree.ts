import { ROOT_STACK_TYPE, rootStackUrn, urnParts, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { formatDuration } from '../terminal/duration.js';
import type { TreeRow } from './live-layout.js';
import { infoText } from './row-line.js';
import { glyphOf, statusText } from './rows.js';
import type { Row, RowModel } from './rows.js';
import { shortType } from './short-type.js';

/** Options for turning rows into a tree. */
interface TreeOptions {
  readonly unicode: boolean;
  readonly nowMs: number;
  /** Spinner beside a running row. */
  readonly spinner: string;
  /** True if failures and their reasons are reported elsewhere. */
  readonly withoutFailures?: boolean | undefined;
  /** Returns further lines for a row, shown below it. */
  readonly detailsOf?: ((row: Row) => readonly string[]) | undefined;
}

/** Returns all rows that have a line, in order of appearance. O(rows). */
export const allListed = (rows: RowModel): readonly Row[] => inOrder(rows.listed, rows);

function inOrder(urns: Iterable<Urn>, rows: RowModel): readonly Row[] {
  return [...urns].flatMap((urn) => rows.byUrn.get(urn) ?? []).sort((a, b) => a.order - b.order);
}

/**
 * Chooses rows for a screen of so many lines: all if they fit, else the failed, the running and the most recently
 * changed ones. `recent` lists URNs in the order of their last change, newest last. O(screen).
 */
export function chosenRows(
  rows: RowModel,
  room: number,
  recent: readonly Urn[],
): { readonly chosen: readonly Row[]; readonly hidden: number } {
  const count = rows.listed.size;
  const chosen = new Set<Urn>();
  const lines = new Set<Urn>();
  const take = (urn: Urn): void => {
    const row = rows.byUrn.get(urn);
    if (row === undefined || chosen.has(urn) || !rows.listed.has(urn)) return;
    const added = [urn, ...ancestors(row, rows).map((above) => above.urn)].filter((each) => !lines.has(each));
    if (lines.size + added.length > room) return;
    chosen.add(urn);
    for (const each of added) lines.add(each);
  };
  const takeFrom = (urns: Iterable<Urn>, most: number): void => {
    let left = most;
    for (const urn of urns) {
      if (left-- <= 0 || lines.size >= room) return;
      take(urn);
    }
  };
  if (count <= room) takeFrom(rows.listed, room * 2);
  else {
    // Running rows remain visible however many rows have failed.
    takeFrom(rows.failed, Math.ceil(room / 2));
    takeFrom(rows.running, room * 4);
    takeFrom(recent.slice(-room * 4).reverse(), room * 4);
  }
  return { chosen: inOrder(chosen, rows), hidden: Math.max(0, count - chosen.size) };
}

/** A line of the tree: a row, or a parent that no event was about so far. */
type Branch = Pick<Row, 'urn' | 'type' | 'name' | 'parent' | 'order'>;

/** Returns the branches above a row. The stack is omitted if it has no line, because everything is below it. */
function ancestors(row: Row, rows: RowModel): readonly Branch[] {
  const above: Branch[] = [];
  for (let at = parentOf(row, rows); at !== undefined && above.length < 64; at = parentOf(at, rows))
    above.push(at);
  return above;
}

function parentOf({ parent: urn, order }: Branch, rows: RowModel): Branch | undefined {
  if (urn === undefined || (urnType(urn) === ROOT_STACK_TYPE && !rows.listed.has(urn))) return undefined;
  return rows.byUrn.get(urn) ?? unseen(urn, order, rows);
}

/**
 * Returns the branch of a component whose children are deleted before it. Its own parent is known only if that is the
 * stack.
 */
function unseen(urn: Urn, order: number, rows: RowModel): Branch {
  const { project, stack, type, qualifiedType } = urnParts(urn);
  const parent = qualifiedType === type ? rootStackUrn(project, stack) : undefined;
  return { urn, type, name: rows.nameOf(urn), parent, order };
}

/** Returns rows below their parents, in tree order. O(rows that are given). */
export function treeOf(listed: readonly Row[], rows: RowModel, options: TreeOptions): readonly TreeRow[] {
  const shown = new Map<Urn, Branch>();
  for (const row of listed)
    for (const each of [row, ...ancestors(row, rows)]) if (!shown.has(each.urn)) shown.set(each.urn, each);
  const children = new Map<Urn | undefined, Branch[]>();
  for (const branch of [...shown.values()].sort((a, b) => a.order - b.order)) {
    const parent = parentOf(branch, rows)?.urn;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [branch]);
    else siblings.push(branch);
  }
  const [fork, last, bar] = options.unicode ? ['├─ ', '└─ ', '│  '] : ['|- ', '`- ', '|  '];
  const tree: TreeRow[] = [];
  const walk = (parent: Urn | undefined, margin: string, top: boolean): void => {
    const siblings = children.get(parent) ?? [];
    siblings.forEach((branch, index) => {
      const end = index === siblings.length - 1;
      const inner = top ? '' : margin + (end ? '   ' : bar);
      const below = inner + (children.has(branch.urn) ? bar : '   ');
      const drawn = { branch: top ? '' : margin + (end ? last : fork), below };
      const row = rows.listed.has(branch.urn) ? rows.byUrn.get(branch.urn) : undefined;
      tree.push(row === undefined ? emptyRow(branch, drawn) : treeRow(row, drawn, options));
      walk(branch.urn, inner, false);
    });
  };
  walk(undefined, '', true);
  return tree;
}

function infoOf(row: Row, { withoutFailures }: TreeOptions): string {
  const isTold = withoutFailures === true && row.status === 'failed' && !row.inDoubt;
  return isTold ? '' : infoText(row, row.status !== 'failed');
}

/** Returns a line that only groups others. */
function emptyRow({ type, name }: Branch, drawn: Pick<TreeRow, 'branch' | 'below'>): TreeRow {
  return {
    ...drawn,
    ...{ glyph: '  ', kind: 'same', kept: undefined, type: shortType(type), name },
    ...{ status: '', info: '', details: [], failed: false, running: false },
  };
}

function treeRow(row: Row, drawn: Pick<TreeRow, 'branch' | 'below'>, options: TreeOptions): TreeRow {
  return {
    ...drawn,
    glyph: glyphOf(row),
    kind: row.kind,
    kept: row.kept,
    type: shortType(row.type),
    name: row.name,
    status: timedStatus(row, options),
    info: infoOf(row, options),
    details: options.detailsOf?.(row) ?? [],
    failed: row.status === 'failed',
    running: row.status === 'running',
  };
}

function timedStatus(row: Row, { nowMs, spinner }: TreeOptions): string {
  const elapsed = row.status === 'running' ? nowMs - row.startedMs : row.elapsedMs;
  const took = row.status !== 'planned' && elapsed >= 100 ? ` (${formatDuration(elapsed)})` : '';
  return `${statusText(row)}${took}${row.status === 'running' && spinner !== '' ? ` ${spinner}` : ''}`;
}
