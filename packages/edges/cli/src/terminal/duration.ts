/** Formats a duration: `840ms`, `12s`, `3m04s`, `1h02m` [CLI-12]. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${String(seconds % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Parses a duration such as `90s`, `1h30m` or `1.5h` into milliseconds; `0` needs no unit. Returns undefined for
 * another text, and for more than a year.
 */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^(\d{1,9}(\.\d{1,9})?(ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)([a-z]+)/g)];
  const ms = parts.reduce((sum, [, n, unit]) => sum + Number(n) * UNITS[unit as keyof typeof UNITS], 0);
  return ms <= 366 * UNITS.d ? Math.round(ms) : undefined;
}

/**
 * Formats an age: `just now`, `3 minutes ago`, `2 days ago`. Beyond 60 days it returns the date, and `unknown` for an
 * invalid date.
 */
export function formatAge(then: Date, now: Date): string {
  if (Number.isNaN(then.getTime())) return 'unknown';
  const seconds = Math.max(0, Math.round((now.getTime() - then.getTime()) / 1000));
  if (seconds < 10) return 'just now';
  const units: [number, string][] = [
    [60, 'second'],
    [60, 'minute'],
    [24, 'hour'],
    [60, 'day'],
  ];
  let amount = seconds;
  for (const [size, unit] of units) {
    if (amount < size) return `${amount} ${unit}${amount === 1 ? '' : 's'} ago`;
    amount = Math.floor(amount / size);
  }
  return then.toISOString().slice(0, 10);
}
