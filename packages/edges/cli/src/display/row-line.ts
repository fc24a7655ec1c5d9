import { ROOT_STACK_TYPE, isRootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { reasonText } from '@cairn/engine';
import type { StepKind } from '@cairn/engine';
import { formatDuration } from '../terminal/duration.js';
import type { Paint } from '../terminal/paint.js';
import { visibleName } from '../terminal/controls.js';
import { stripEscapes } from '../terminal/paint.js';
import { KEPT_CHANGES } from './kept-change.js';
import { glyphOf, statusText } from './rows.js';
import { shortType } from './short-type.js';
import type { Row, Rows } from './rows.js';

/** Returns the components that contain a resource, nearest first; the stack is not one. */
function componentsOf(row: Row, rows: Rows): readonly Urn[] {
  let above: Urn[] | undefined;
  let at: Row | undefined = row;
  while (at?.parent !== undefined && (above?.length ?? 0) < 64) {
    if (!isRootStackUrn(at.parent)) (above ??= []).push(at.parent);
    at = rows.byUrn.get(at.parent);
  }
  return above ?? NONE;
}

const NONE: readonly Urn[] = [];

/**
 * Depths of rows that are written one below the other. A row is indented below a component only if all rows between
 * them are in that component too.
 */
export class WrittenTree {
  readonly #path: Urn[] = [];

  /** Returns the indent of the next row. */
  indent(row: Row, rows: Rows): string {
    if (row.parent === undefined) {
      this.#path.length = 0;
      return '';
    }
    const above = componentsOf(row, rows);
    while (this.#path.length > 0 && !above.includes(this.#path.at(-1) as Urn)) this.#path.pop();
    this.#path.push(row.urn);
    return '  '.repeat(this.#path.length);
  }
}

/** Sorts items with a row, each below its nearest component among them; siblings keep their order. */
export function inTreeOrder<T extends { readonly row: Row }>(all: readonly T[], rows: Rows): readonly T[] {
  const shown = new Set(all.map(({ row }) => row.urn));
  const below = new Map<Urn | undefined, T[]>();
  for (const each of all) {
    const parent = componentsOf(each.row, rows).find((urn) => shown.has(urn));
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [each]);
    else siblings.push(each);
  }
  const walk = (parent: Urn | undefined): readonly T[] =>
    (below.get(parent) ?? []).flatMap((each) => [each, ...walk(each.row.urn)]);
  return walk(undefined);
}

/** Returns the colour of a kind of step. */
export function paintKind(kind: StepKind, paint: Paint): (text: string) => string {
  switch (kind) {
    case 'create':
    case 'import':
      return paint.green;
    case 'create-replacement':
    case 'delete-replaced':
    case 'replace':
    case 'import-replacement':
    case 'read-replacement':
      return paint.magenta;
    case 'update':
    case 'refresh':
      return paint.yellow;
    case 'delete':
      return paint.red;
    case 'read':
    case 'read-discard':
    case 'discard-replaced':
    case 'remove-pending-replace':
      return paint.cyan;
    case 'same':
      return paint.dim;
  }
}

/** Returns the colour of a row's mark and words. */
export function paintRow({ kind, kept }: Pick<Row, 'kind' | 'kept'>, paint: Paint): (text: string) => string {
  return kind === 'same' && kept !== undefined ? paint[KEPT_CHANGES[kept].colour] : paintKind(kind, paint);
}

/** Returns the text of the last column: the failure or message, else the reason. */
export function infoText(row: Row, includeReason: boolean): string {
  if (row.status === 'failed') return row.inDoubt ? 'in doubt: it may have taken effect' : row.message;
  if (row.message !== '') return row.message;
  const why = whyOf(row, includeReason);
  return includeReason && row.was !== '' && !row.undo
    ? [row.was, why].filter((text) => text !== '').join('; ')
    : why;
}

/** Returns the reason, unless it is obvious. */
function whyOf(row: Row, includeReason: boolean): string {
  const looked = row.reason.t === 'refresh' && row.kind !== 'delete' && row.kind !== 'update';
  const obvious = looked || OBVIOUS.has(row.reason.t);
  return includeReason && !obvious && row.kind !== 'same' && row.type !== ROOT_STACK_TYPE && !row.undo
    ? whyText(row)
    : '';
}

/** Reasons that the words for the step already express. */
const OBVIOUS: ReadonlySet<Row['reason']['t']> = new Set(['new', 'rollback', 'read', 'kept']);

/** Returns the finding of a look-up that found something, else the reason. */
function whyText({ kind, reason }: Row): string {
  if (reason.t === 'refresh' && kind === 'delete') return 'its object is gone';
  if (reason.t === 'refresh' && kind === 'update') return 'its object was changed outside';
  return reasonText(reason);
}

/** Returns one line for append-only output, with `indent` behind its mark and the duration of a finished step. */
export function plainLine(row: Row, indent: string, paint: Paint, includeReason: boolean): string {
  const colour = row.status === 'failed' ? paint.red : paintRow(row, paint);
  const took =
    (row.status === 'done' || row.status === 'failed') && row.elapsedMs >= 1
      ? ` (${formatDuration(row.elapsedMs)})`
      : '';
  const info = infoText(row, includeReason);
  const tail = info === '' ? '' : `  ${paint.dim(stripEscapes(info))}`;
  return ` ${colour(glyphOf(row))} ${indent}${visibleName(shortType(row.type))} ${paint.bold(visibleName(row.name))} ${colour(statusText(row) + took)}${tail}`;
}
