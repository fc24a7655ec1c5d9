import { cairnError } from '@cairn/diagnostics';
import { formatAge } from '../terminal/duration.js';

/** How points in time are written: relative to now, or exactly [CLI-15]. */
export type TimeStyle = { readonly t: 'relative'; readonly now: Date } | { readonly t: 'absolute' };

/** RFC 3339 text as a column shows it; `-` for what has not happened. */
export function timeText(time: string | undefined, style: TimeStyle): string {
  if (time === undefined) return '-';
  const then = new Date(time);
  if (Number.isNaN(then.getTime())) return 'unknown';
  return style.t === 'absolute' ? then.toISOString() : formatAge(then, style.now);
}

/** What `--time` asks for: `abs` or `rel`, which is the default. Throws CAIRN-USAGE. */
export function timeStyle(text: string | undefined, now: Date): TimeStyle {
  if (text === undefined || text === 'rel') return { t: 'relative', now };
  if (text === 'abs') return { t: 'absolute' };
  throw cairnError('CAIRN-USAGE', `--time takes abs or rel, not ${JSON.stringify(text)}`);
}
