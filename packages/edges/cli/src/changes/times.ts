import { cairnError } from '@cairn/diagnostics';
import { formatAge } from '../terminal/duration.js';

/** Style of points in time: relative to the current time, or exact [CLI-15]. */
export type TimeStyle = { readonly t: 'relative'; readonly now: Date } | { readonly t: 'absolute' };

/** Formats an RFC 3339 time for a column, with `-` for an event that has not happened. */
export function timeText(time: string | undefined, style: TimeStyle): string {
  if (time === undefined) return '-';
  const then = new Date(time);
  if (Number.isNaN(then.getTime())) return 'unknown';
  return style.t === 'absolute' ? then.toISOString() : formatAge(then, style.now);
}

/** Parses the value of `--time`: `abs`, or `rel`, which is the default. Throws CAIRN-USAGE. */
export function timeStyle(text: string | undefined, now: Date): TimeStyle {
  if (text === undefined || text === 'rel') return { t: 'relative', now };
  if (text === 'abs') return { t: 'absolute' };
  throw cairnError('CAIRN-USAGE', `--time takes abs or rel, not ${JSON.stringify(text)}`);
}
