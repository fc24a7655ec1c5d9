import { visible } from '../../terminal/controls.js';

/** A text cut into what is the same on both sides and what differs between. */
interface Span {
  readonly before: string;
  readonly changed: string;
  readonly after: string;
}

/**
 * The shortest span of either text outside of which they are the same. Never cuts between the halves of a character
 * that has two.
 */
export function changedSpans(old: string, news: string): readonly [Span, Span] {
  const most = Math.min(old.length, news.length);
  let start = 0;
  while (start < most && old[start] === news[start]) start += 1;
  if (start > 0 && isHigh(old, start - 1)) start -= 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === news[news.length - 1 - end]) end += 1;
  if (end > 0 && isLow(old, old.length - end)) end -= 1;
  const cut = (text: string): Span => ({
    before: text.slice(0, start),
    changed: text.slice(start, text.length - end),
    after: text.slice(text.length - end),
  });
  return [cut(old), cut(news)];
}

const isHigh = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text[at] ?? '');
const isLow = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '');

/** How many characters of what is the same stand beside a change where a text is too long to be shown whole. */
const BESIDE = 24;
/** A changed span longer than this is cut at its end. */
const LONGEST = 400;

/** What marks where something was left out. */
interface SpanStyle {
  readonly mark: (text: string) => string;
  readonly ellipsis: string;
  /** Characters that fit; a longer text is cut where it is the same as the other one. */
  readonly room: number;
  /** How a piece is written: as it is, or as inside of a JSON string. */
  readonly write: (text: string) => string;
}

/** A piece of a text as it stands inside of a JSON string. */
export const quotedPiece = (text: string): string => visible(JSON.stringify(text)).slice(1, -1);

/** One side of a change with its changed span marked. What is the same is cut from the far ends first. */
export function spanText({ before, changed, after }: Span, style: SpanStyle): string {
  const { mark, ellipsis, room, write } = style;
  const middle = changed.length > LONGEST ? `${write(changed.slice(0, LONGEST))}${ellipsis}` : write(changed);
  const marked = changed === '' ? '' : mark(middle);
  if (before.length + changed.length + after.length <= room) return write(before) + marked + write(after);
  const head = before.length > BESIDE ? ellipsis + write(before.slice(-BESIDE)) : write(before);
  const tail = after.length > BESIDE ? write(after.slice(0, BESIDE)) + ellipsis : write(after);
  return head + marked + tail;
}
