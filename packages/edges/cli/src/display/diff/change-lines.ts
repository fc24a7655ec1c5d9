import { urnName } from '@cairn/addresses';
import type { ReasonSource } from '@cairn/engine';
import { SECRET_TEXT, formatPath, getAt, isSecret, isUnknown, propertyMap } from '@cairn/values';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import type { Paint } from '../../terminal/paint.js';
import { valueText } from '../value-text.js';
import { changedSpans, quotedPiece, spanText } from './changed-span.js';
import { linesOf, textChange } from './line-diff.js';
import { structuredTexts } from './structured-text.js';
import { readableChanges } from './value-changes.js';
import type { ReadableChange } from './value-changes.js';

/** Style of printed differences. */
export interface DiffStyle {
  readonly paint: Paint;
  readonly showSecrets: boolean;
  /** True if long texts are not shortened. */
  readonly full?: boolean | undefined;
  /** True if characters beyond ASCII may be used. Defaults to true. */
  readonly unicode?: boolean | undefined;
}

/** Marks of the kinds of changes; the path follows. */
export const SIGNS = { add: '+', delete: '-', update: '~', move: '>' } as const satisfies Record<
  ReadableChange['kind'],
  string
>;

/** Returns the colour of a change. */
export function kindPaint(kind: ReadableChange['kind'], paint: Paint): (text: string) => string {
  switch (kind) {
    case 'add':
      return paint.green;
    case 'delete':
      return paint.red;
    case 'update':
      return paint.yellow;
    case 'move':
      return paint.cyan;
  }
}

/** A change, the maps that contain it, and additional facts. */
interface ChangeContext {
  readonly old: PropertyMap;
  readonly new: PropertyMap;
  /** Text behind the change. */
  readonly note?: string;
  /** Sources of values that are not known yet. */
  readonly sources?: readonly ReasonSource[];
  /** Number of spaces in front. */
  readonly indent: number;
}

/**
 * Returns one difference: a line, or a title with lines below it for texts that have lines or a structure of their own.
 */
export function changeLines(
  change: ReadableChange,
  context: ChangeContext,
  style: DiffStyle,
): readonly string[] {
  const { paint, showSecrets } = style;
  const { indent, note = '' } = context;
  const margin = ' '.repeat(indent);
  const path = formatPath(change.path);
  const colour = kindPaint(change.kind, paint);
  const line = (what: string): string => `${margin}${colour(`${SIGNS[change.kind]} ${what}`)}${note}`;
  const masked =
    !showSecrets && (onSecret(context.old, change.oldPath) || onSecret(context.new, change.path));
  const show = (value: PropertyValue | undefined): string =>
    masked ? SECRET_TEXT : valueText(value ?? null, showSecrets, indent + 2, style.full);
  switch (change.kind) {
    case 'add':
      return [line(`${path}: ${show(change.new)}${sourceText(change, context)}`)];
    case 'delete':
      return [line(`${path}: ${show(change.old)}`)];
    case 'move':
      return [line(`${formatPath(change.oldPath)} is now ${path}: ${show(change.new)}`)];
    case 'update':
      break;
  }
  if (!masked && typeof change.old === 'string' && typeof change.new === 'string')
    return textLines(`${SIGNS.update} ${path}`, change.old, change.new, context, style);
  const sides = [show(change.old), show(change.new)] as const;
  const alike = sides[0] === sides[1] ? ' (changed)' : '';
  return [line(`${path}: ${sides.join(' => ')}${alike}${sourceText(change, context)}`)];
}

/** Texts of one line that are longer than this are cut in their unchanged parts. */
const ROOM = 100;

function textLines(
  title: string,
  old: string,
  news: string,
  context: ChangeContext,
  style: DiffStyle,
): readonly string[] {
  const { paint } = style;
  const { indent, note = '' } = context;
  const margin = ' '.repeat(indent);
  const ellipsis = style.unicode === false ? '...' : '…';
  const headed = (what: string, lines: readonly string[]): readonly string[] => [
    `${margin}${paint.yellow(`${title}: ${what}`)}${note}`,
    ...lines,
  ];
  const structured = structuredTexts(old, news);
  if (structured !== undefined) {
    const lines = structuredLines(structured.old, structured.new, indent + 4, style);
    if (lines.length > 0) return headed(structured.format, lines);
  }
  if (linesOf(old).length > 1 || linesOf(news).length > 1) {
    const { title: counts, lines } = textChange(old, news, { paint, ellipsis });
    return headed(
      counts,
      lines.map((each) => `${margin}    ${each}`),
    );
  }
  const [a, b] = changedSpans(old, news);
  const spans = { mark: paint.bold, ellipsis, room: ROOM, write: quotedPiece };
  const place = Math.max(old.length, news.length) <= ROOM ? '' : `  (from character ${a.before.length + 1})`;
  return [
    `${margin}${paint.yellow(`${title}: "${spanText(a, spans)}" => "${spanText(b, spans)}"`)}${paint.dim(place)}${note}`,
  ];
}

/** Lists the differences of two values, one below the other. */
function structuredLines(
  old: PropertyValue,
  news: PropertyValue,
  indent: number,
  style: DiffStyle,
): readonly string[] {
  const sides = { old: propertyMap({ '': old }), new: propertyMap({ '': news }) };
  return readableChanges(sides.old, sides.new).flatMap((change) => {
    const inside = { ...change, path: change.path.slice(1), oldPath: change.oldPath.slice(1) };
    if (inside.path.length === 0) return [];
    return changeLines(inside, { old: propertyMap({}), new: propertyMap({}), indent }, style);
  });
}

/** Names the source resource of a value that is not known yet. */
function sourceText(change: ReadableChange, { sources = [] }: ChangeContext): string {
  if (change.new === undefined || !isUnknown(change.new)) return '';
  const path = formatPath(change.path);
  const source = sources.find(({ key }) => key === path || key === String(change.path[0]));
  return source === undefined ? '' : ` (from ${urnName(source.urn)})`;
}

/** Tells whether the value at the path, or any value that contains it, is secret. */
function onSecret(map: PropertyMap, path: PropertyPath): boolean {
  for (let length = 1; length <= path.length; length++) {
    const value = getAt(map, path.slice(0, length));
    if (value !== undefined && isSecret(value)) return true;
  }
  return false;
}
