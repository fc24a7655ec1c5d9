import { ROOT_STACK_TYPE } from '@cairn/addresses';
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

/** Depth of a row below the stack; parents that have no row yet count as the stack. */
function depthOf(row: Row, rows: Rows): number {
  let depth = 0;
  let parent: Urn | undefined = row.parent;
  while (parent !== undefined && depth < 64) {
    depth += 1;
    parent = rows.byUrn.get(parent)?.parent;
  }
  return depth;
}

/** The colour of what happens. */
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

/** Mark and words of a row in the colour of what happens. */
export function paintRow({ kind, kept }: Pick<Row, 'kind' | 'kept'>, paint: Paint): (text: string) => string {
  return kind === 'same' && kept !== undefined ? paint[KEPT_CHANGES[kept].colour] : paintKind(kind, paint);
}

/** What the last column says: the failure or message, else why. */
export function infoText(row: Row, includeReason: boolean): string {
  if (row.status === 'failed') return row.inDoubt ? 'in doubt: it may have taken effect' : row.message;
  if (row.message !== '') return row.message;
  const why = whyOf(row, includeReason);
  return includeReason && row.was !== '' && !row.undo
    ? [row.was, why].filter((text) => text !== '').join('; ')
    : why;
}

/** Why it happens, where that is not obvious. */
function whyOf(row: Row, includeReason: boolean): string {
  const looked = row.reason.t === 'refresh' && row.kind !== 'delete' && row.kind !== 'update';
  const obvious = looked || OBVIOUS.has(row.reason.t);
  return includeReason && !obvious && row.kind !== 'same' && row.type !== ROOT_STACK_TYPE && !row.undo
    ? whyText(row)
    : '';
}

/** Reasons that the words for the step say already. */
const OBVIOUS: ReadonlySet<Row['reason']['t']> = new Set(['new', 'rollback', 'read', 'kept']);

/** A look-up that found something says what; everything else says why it happens. */
function whyText({ kind, reason }: Row): string {
  if (reason.t === 'refresh' && kind === 'delete') return 'its object is gone';
  if (reason.t === 'refresh' && kind === 'update') return 'its object was changed outside';
  return reasonText(reason);
}

/** One line for append-only output: indented by depth, with the time a finished step took. */
export function plainLine(row: Row, rows: Rows, paint: Paint, includeReason: boolean): string {
  const colour = row.status === 'failed' ? paint.red : paintRow(row, paint);
  const indent = '  '.repeat(depthOf(row, rows));
  const took =
    (row.status === 'done' || row.status === 'failed') && row.elapsedMs >= 1
      ? ` (${formatDuration(row.elapsedMs)})`
      : '';
  const info = infoText(row, includeReason);
  const tail = info === '' ? '' : `  ${paint.dim(stripEscapes(info))}`;
  return ` ${colour(glyphOf(row))} ${indent}${visibleName(shortType(row.type))} ${paint.bold(visibleName(row.name))} ${colour(statusText(row) + took)}${tail}`;
}
