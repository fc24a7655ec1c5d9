import type { Urn } from '@cairn/addresses';
import { formatDuration } from '../terminal/duration.js';
import type { TreeRow } from './live-layout.js';
import { infoText } from './row-line.js';
import { glyphOf, isListed, statusText } from './rows.js';
import type { Row, RowModel } from './rows.js';
import { shortType } from './short-type.js';

/** How rows become a tree. */
export interface TreeOptions {
  readonly unicode: boolean;
  readonly nowMs: number;
  /** What turns beside a row that runs. */
  readonly spinner: string;
  /** More to say about a row, below it. */
  readonly detailsOf?: ((row: Row) => readonly string[]) | undefined;
}

/** All rows that have a line, in order of appearance. O(rows). */
export const allListed = (rows: RowModel): readonly Row[] => inOrder(rows.listed, rows);

function inOrder(urns: Iterable<Urn>, rows: RowModel): readonly Row[] {
  return [...urns].flatMap((urn) => rows.byUrn.get(urn) ?? []).sort((a, b) => a.order - b.order);
}

/**
 * Rows for a screen of so many lines: all where they fit, else what failed, what runs and what changed last. `recent`:
 * URNs in the order of their last change, newest last. O(screen).
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
    const added = [urn, ...ancestors(row, rows)].filter((each) => !lines.has(each));
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
    // What runs is seen however much has failed.
    takeFrom(rows.failed, Math.ceil(room / 2));
    takeFrom(rows.running, room * 4);
    takeFrom(recent.slice(-room * 4).reverse(), room * 4);
  }
  return { chosen: inOrder(chosen, rows), hidden: Math.max(0, count - chosen.size) };
}

/** What a row hangs below; not the stack where nothing happens to it, because everything hangs below that. */
function ancestors(row: Row, rows: RowModel): readonly Urn[] {
  const above: Urn[] = [];
  for (let at = parentOf(row, rows); at !== undefined && above.length < 64; at = parentOf(at, rows))
    above.push(at.urn);
  return above;
}

function parentOf(row: Row, rows: RowModel): Row | undefined {
  const parent = row.parent === undefined ? undefined : rows.byUrn.get(row.parent);
  return parent === undefined || (parent.parent === undefined && !isListed(parent)) ? undefined : parent;
}

/** Rows below what holds them together, in tree order. O(rows that are given). */
export function treeOf(listed: readonly Row[], rows: RowModel, options: TreeOptions): readonly TreeRow[] {
  const shown = new Map<Urn, Row>();
  for (const row of listed) {
    shown.set(row.urn, row);
    for (const urn of ancestors(row, rows)) shown.set(urn, rows.byUrn.get(urn) as Row);
  }
  const children = new Map<Urn | undefined, Row[]>();
  for (const row of [...shown.values()].sort((a, b) => a.order - b.order)) {
    const parent = parentOf(row, rows)?.urn;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [row]);
    else siblings.push(row);
  }
  const [fork, last, bar] = options.unicode ? ['├─ ', '└─ ', '│  '] : ['|- ', '`- ', '|  '];
  const tree: TreeRow[] = [];
  const walk = (parent: Urn | undefined, margin: string, top: boolean): void => {
    const siblings = children.get(parent) ?? [];
    siblings.forEach((row, index) => {
      const end = index === siblings.length - 1;
      const inner = top ? '' : margin + (end ? '   ' : bar);
      const below = inner + (children.has(row.urn) ? bar : '   ');
      tree.push(
        treeRow(row, rows.listed.has(row.urn), top ? '' : margin + (end ? last : fork), below, options),
      );
      walk(row.urn, inner, false);
    });
  };
  walk(undefined, '', true);
  return tree;
}

function treeRow(row: Row, listed: boolean, branch: string, below: string, options: TreeOptions): TreeRow {
  return {
    branch,
    below,
    glyph: listed ? glyphOf(row) : '  ',
    kind: listed ? row.kind : 'same',
    kept: listed ? row.kept : undefined,
    type: shortType(row.type),
    name: row.name,
    status: listed ? timedStatus(row, options) : '',
    info: listed ? infoText(row, row.status !== 'failed') : '',
    details: listed ? (options.detailsOf?.(row) ?? []) : [],
    failed: row.status === 'failed',
    running: row.status === 'running',
  };
}

function timedStatus(row: Row, { nowMs, spinner }: TreeOptions): string {
  const elapsed = row.status === 'running' ? nowMs - row.startedMs : row.elapsedMs;
  const took = row.status !== 'planned' && elapsed >= 100 ? ` (${formatDuration(elapsed)})` : '';
  return `${statusText(row)}${took}${row.status === 'running' && spinner !== '' ? ` ${spinner}` : ''}`;
}
