import { stringWidth } from './width.js';

/**
 * Splits a text into the units that are read as one character. The table of Unicode is loaded only for text that is not
 * ASCII.
 */
const graphemes = (text: string): readonly string[] =>
  /^[\x20-\x7e]*$/.test(text)
    ? [...text]
    : Array.from(
        (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(text),
        (each) => each.segment,
      );
let segmenter: Intl.Segmenter | undefined;

/** Returns the mark of an omission. */
export const ellipsisOf = (unicode: boolean): string => (unicode ? '…' : '...');

/**
 * Returns the maximum number of columns of the text: some terminals show the parts of a joined character side by side.
 */
export function widestWidth(text: string): number {
  const width = stringWidth(text);
  if (!/\u200d|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}]/u.test(text)) return width;
  return Math.max(
    width,
    [...text].reduce((sum, character) => sum + stringWidth(character), 0),
  );
}

/** Returns as many of the first characters as fit. */
function fitting(characters: readonly string[], width: number): readonly string[] {
  let used = 0;
  let count = 0;
  for (const character of characters) {
    used += stringWidth(character);
    if (used > width) break;
    count += 1;
  }
  return characters.slice(0, count);
}

/** Cuts text to a width in columns at its end. */
export function fitEnd(text: string, width: number, unicode: boolean): string {
  if (stringWidth(text) <= width) return text;
  const mark = ellipsisOf(unicode);
  return fitting(graphemes(text), width - mark.length).join('') + mark;
}

/** Cuts text to a width in columns in its middle. `head` is the share of the width for its beginning. */
export function fitMiddle(text: string, width: number, unicode: boolean, head = 0.5): string {
  if (stringWidth(text) <= width) return text;
  const mark = ellipsisOf(unicode);
  const room = Math.max(0, width - mark.length);
  const characters = graphemes(text);
  const begin = fitting(characters, Math.round(room * head));
  const end = fitting(characters.toReversed(), room - stringWidth(begin.join('')));
  return `${begin.join('')}${mark}${end.toReversed().join('')}`;
}

/** Shares for a name's beginning. They are tried in turn if several names would look alike. */
const SHARES = [0.5, 0.7, 0.3, 0.85, 0.15, 1, 0];

/**
 * Returns names cut to a width, by name, so that no two different ones look alike. If they differ only in the middle,
 * that part is shown. If even that is not sufficient, they are numbered. O(names).
 */
export function distinctFits(
  names: Iterable<string>,
  width: number,
  unicode: boolean,
): ReadonlyMap<string, string> {
  const fitted = new Map<string, string>();
  let alike = [...new Set(names)];
  for (const share of SHARES) {
    alike = settle(alike, (name) => fitMiddle(name, width, unicode, share), fitted);
    if (alike.length === 0) return fitted;
  }
  const mark = ellipsisOf(unicode);
  const start = commonStart(alike);
  const around = (name: string): string =>
    mark + fitMiddle(graphemes(name).slice(start).join(''), width - mark.length, unicode, 1);
  alike = settle(alike, around, fitted);
  alike.forEach((name, index) => {
    const number = `${mark}${index + 1}`;
    fitted.set(name, fitting(graphemes(name), width - number.length).join('') + number);
  });
  return fitted;
}

/** Fits names; returns those that still look like another one. */
function settle(
  names: readonly string[],
  fit: (name: string) => string,
  fitted: Map<string, string>,
): string[] {
  const taken = new Set(fitted.values());
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const text = fit(name);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [name]);
    else group.push(name);
  }
  const alike: string[] = [];
  for (const [text, group] of groups) {
    const [only] = group;
    if (only !== undefined && group.length === 1 && !taken.has(text)) fitted.set(only, text);
    else alike.push(...group);
  }
  return alike;
}

/** Counts the characters that all names begin with. */
function commonStart(names: readonly string[]): number {
  const [first = [], ...others] = names.map(graphemes);
  const at = first.findIndex((character, index) => others.some((other) => other[index] !== character));
  return at < 0 ? first.length : at;
}

/**
 * Wraps the text into lines of at most `width` columns, at spaces if possible. With `whole`, a longer word remains in
 * one piece, so that it can be copied.
 */
export function wrapped(text: string, width: number, whole = false): readonly string[] {
  if (stringWidth(text) <= width) return text === '' ? [] : [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = whole ? [word] : piecesOf(word, Math.max(2, width));
    line = pieces.pop() ?? '';
    for (const piece of pieces) lines.push(piece);
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Splits a word into pieces of at most so many columns. */
function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of graphemes(word)) {
    const columns = stringWidth(character);
    if (piece !== '' && used + columns > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += character;
    used += columns;
  }
  pieces.push(piece);
  return pieces;
}
