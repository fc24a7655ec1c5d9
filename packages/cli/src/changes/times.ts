import { formatAge } from '../terminal/duration.js';

/** How points in time are written: relative to now, or exactly (CLI.md 2.31). */
export type TimeStyle = { readonly t: 'relative'; readonly now: Date } | { readonly t: 'absolute' };

/** RFC 3339 text as a column shows it; `-` for what has not happened. */
export function timeText(time: string | undefined, style: TimeStyle): string {
  if (time === undefined) return '-';
  const then = new Date(time);
  return style.t === 'absolute' ? then.toISOString() : formatAge(then, style.now);
}
