import { diffArrays } from 'diff';
import { visible } from '../../terminal/controls.js';
import type { Paint } from '../../terminal/paint.js';
import { changedSpans, quotedPiece, spanText } from './changed-span.js';

/** A line of a comparison: on both sides, only on the old one, or only on the new one. Numbers count from 1. */
interface ComparedLine {
  readonly side: 'both' | 'old' | 'new';
  readonly number: number;
  readonly text: string;
}

/** In a longer run of lines that were only removed, or only added, just the first and the last ones are shown. */
const LONG_RUN = 20;
const RUN_HEAD = 8;
const RUN_TAIL = 3;
/** Number of unchanged lines shown around a change. */
const CONTEXT = 2;
/** Maximum number of changed lines that are shown; the rest is counted. */
const MOST = 120;
/** Beyond this number of edits the difference is unreadable, and finding the smallest one takes long. */
const MOST_EDITS = 2000;
/** Lines longer than this are cut in their unchanged parts. */
const ROOM = 140;

/** Returns the lines of a text. A line break at its end does not begin a further line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns both texts line by line, in order. */
export function compareLines(old: readonly string[], news: readonly string[]): readonly ComparedLine[] {
  const parts = diffArrays([...old], [...news], { maxEditLength: MOST_EDITS }) ?? [
    { value: [...old], removed: true, added: false },
    { value: [...news], removed: false, added: true },
  ];
  const compared: ComparedLine[] = [];
  let oldNumber = 0;
  let number = 0;
  for (const { value, removed, added } of parts)
    for (const text of value) {
      if (!added) oldNumber += 1;
      if (!removed) number += 1;
      if (removed) compared.push({ side: 'old', number: oldNumber, text });
      else compared.push({ side: added ? 'new' : 'both', number, text });
    }
  return compared;
}

/** Style of a comparison of texts. */
interface LineStyle {
  readonly paint: Paint;
  /** Text that replaces omitted lines. */
  readonly ellipsis: string;
}

/** Number of changed lines, and the changed lines with those around them. */
interface TextChange {
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * Returns the difference of two texts by lines: line numbers, context, and a mark for the changed span of an altered
 * line.
 */
export function textChange(old: string, news: string, style: LineStyle): TextChange {
  const compared = compareLines(linesOf(old), linesOf(news));
  const count = (side: ComparedLine['side']): number => compared.filter((line) => line.side === side).length;
  const [removed, added] = [count('old'), count('new')];
  const ends = endsText(old, news);
  const title = [removed === 0 && added === 0 ? '' : `${amount(removed, 'removed')}, ${added} added`, ends]
    .filter((part) => part !== '')
    .join('; ');
  return { title, lines: hunkLines(compared, style) };
}

const amount = (count: number, what: string): string => `${count} ${count === 1 ? 'line' : 'lines'} ${what}`;

function endsText(old: string, news: string): string {
  if (old === '' || news === '' || old.endsWith('\n') === news.endsWith('\n')) return '';
  return news.endsWith('\n') ? 'now ends in a line break' : 'no longer ends in a line break';
}

function hunkLines(compared: readonly ComparedLine[], style: LineStyle): readonly string[] {
  const shown = shownLines(compared);
  const width = String(Math.max(0, ...[...shown.keys()].map((at) => compared[at]?.number ?? 0))).length;
  const marked = markedTexts(compared, style);
  const { paint, ellipsis } = style;
  const lines: string[] = [];
  let last = -1;
  let more = compared.filter(({ side }, at) => side !== 'both' && !shown.has(at)).length;
  for (const at of shown) {
    const { side, number, text } = compared[at] as ComparedLine;
    if (at > last + 1) {
      const left = changedIn(compared, last + 1, at);
      const words = left === 0 ? '' : ` ${left} more changed lines`;
      lines.push(paint.dim(`  ${' '.repeat(width)} ${ellipsis}${words}`));
      more -= left;
    }
    last = at;
    const place = String(number).padStart(width);
    if (side === 'both') lines.push(paint.dim(`  ${place}  ${plainLine(text, ellipsis)}`.trimEnd()));
    else {
      const colour = side === 'old' ? paint.red : paint.green;
      const shownText = marked.get(at) ?? plainLine(text, ellipsis);
      lines.push(colour(`${side === 'old' ? '-' : '+'} ${place}  ${shownText}`.trimEnd()));
    }
  }
  if (more > 0) lines.push(paint.dim(`  ${ellipsis} ${more} more changed lines`));
  return lines;
}

/** Counts the changed lines between two positions. */
function changedIn(compared: readonly ComparedLine[], from: number, to: number): number {
  return compared.slice(from, to).filter(({ side }) => side !== 'both').length;
}

/** Returns the positions of the lines to show, in order: the first changed ones with those around them. */
function shownLines(compared: readonly ComparedLine[]): ReadonlySet<number> {
  const shown = new Set<number>();
  let changed = 0;
  for (let at = 0; at < compared.length && changed < MOST; at++) {
    const side = compared[at]?.side;
    if (side === 'both' || side === undefined) continue;
    const skipped = skippedAt(compared, at, side);
    if (skipped > 0) {
      at += skipped - 1;
      continue;
    }
    changed += 1;
    for (let near = at - CONTEXT; near < at; near++)
      if (compared[near]?.side === 'both' && near >= 0) shown.add(near);
    shown.add(at);
    for (let near = at + 1; near <= at + CONTEXT && compared[near]?.side === 'both'; near++) shown.add(near);
  }
  return new Set([...shown].sort((a, b) => a - b));
}

/** Counts the lines from here on that are in the middle of a long run. */
function skippedAt(compared: readonly ComparedLine[], at: number, side: ComparedLine['side']): number {
  if (at < RUN_HEAD || compared[at - RUN_HEAD]?.side !== side || compared[at - RUN_HEAD - 1]?.side === side)
    return 0;
  const length = RUN_HEAD + runOf(compared, at, side);
  return length > LONG_RUN ? length - RUN_HEAD - RUN_TAIL : 0;
}

/**
 * Returns the texts of lines that were altered rather than removed or added, with their differences marked. These are
 * runs of equal length.
 */
function markedTexts(compared: readonly ComparedLine[], style: LineStyle): ReadonlyMap<number, string> {
  const marked = new Map<number, string>();
  for (let at = 0; at < compared.length;) {
    const olds = runOf(compared, at, 'old');
    const news = runOf(compared, at + olds, 'new');
    if (olds > 0 && olds === news)
      for (let line = 0; line < olds; line++) {
        const [a, b] = alteredTexts(
          compared[at + line]?.text ?? '',
          compared[at + olds + line]?.text ?? '',
          style,
        );
        marked.set(at + line, a);
        marked.set(at + olds + line, b);
      }
    at += Math.max(1, olds + news);
  }
  return marked;
}

function runOf(compared: readonly ComparedLine[], from: number, side: ComparedLine['side']): number {
  let length = 0;
  while (compared[from + length]?.side === side) length += 1;
  return length;
}

/** Quotes lines that differ only in white space: on a screen, trailing spaces, tabs and the like look the same. */
function alteredTexts(old: string, news: string, { paint, ellipsis }: LineStyle): readonly [string, string] {
  const blank = old.replace(/\s+/g, '') === news.replace(/\s+/g, '');
  const quote = blank ? '"' : '';
  const [a, b] = changedSpans(old, news);
  const style = { mark: paint.bold, ellipsis, room: ROOM, write: blank ? quotedPiece : visible };
  return [`${quote}${spanText(a, style)}${quote}`, `${quote}${spanText(b, style)}${quote}`];
}

function plainLine(text: string, ellipsis: string): string {
  return text.length <= ROOM ? visible(text) : `${visible(text.slice(0, ROOM))}${ellipsis}`;
}
