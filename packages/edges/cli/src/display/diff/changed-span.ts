import { visible } from '../../terminal/controls.js';

/** A text cut into the parts that are the same on both sides and the differing part between them. */
interface Span {
  readonly before: string;
  readonly changed: string;
  readonly after: string;
}

/**
 * Returns the shortest span of either text outside of which they are the same. Never cuts between the halves of a
 * character that has two.
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

/** Number of unchanged characters beside a change if a text is too long to be shown whole. */
const BESIDE = 24;
/** A changed span longer than this is cut at its end. */
const LONGEST = 400;

/** Style for marking a changed span and omissions. */
interface SpanStyle {
  readonly mark: (text: string) => string;
  readonly ellipsis: string;
  /** Number of characters that fit; a longer text is cut in its unchanged parts. */
  readonly room: number;
  /** Writes a piece, either literally or as the inside of a JSON string. */
  readonly write: (text: string) => string;
}

/** Returns a piece of a text as it is written inside a JSON string. */
export const quotedPiece = (text: string): string => visible(JSON.stringify(text)).slice(1, -1);

/** Returns one side of a change with its changed span marked. Unchanged text is cut from the far ends first. */
export function spanText({ before, changed, after }: Span, style: SpanStyle): string {
  const { mark, ellipsis, room, write } = style;
  const middle = changed.length > LONGEST ? `${write(changed.slice(0, LONGEST))}${ellipsis}` : write(changed);
  const marked = changed === '' ? '' : mark(middle);
  if (before.length + changed.length + after.length <= room) return write(before) + marked + write(after);
  const head = before.length > BESIDE ? ellipsis + write(before.slice(-BESIDE)) : write(before);
  const tail = after.length > BESIDE ? write(after.slice(0, BESIDE)) + ellipsis : write(after);
  return head + marked + tail;
}
