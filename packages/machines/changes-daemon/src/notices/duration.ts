const UNITS = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
const TEXT = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** Writes milliseconds as hours, minutes, seconds and milliseconds, e.g. `24h`, `1h30m`, `1500ms` as `1s500ms`. */
export function formatNoticeDuration(ms: number): string {
  let rest = Math.round(ms);
  const parts = Object.entries(UNITS).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return parts.join('') || '0s';
}

/**
 * Returns milliseconds, or `undefined` if the text is not a duration that {@link formatNoticeDuration} writes. Days are
 * not supported.
 */
export function parseNoticeDuration(text: string): number | undefined {
  const [whole, h = '0', m = '0', s = '0', ms = '0'] = TEXT.exec(text) ?? [];
  if (whole === undefined || whole === '') return undefined;
  return Number(h) * UNITS.h + Number(m) * UNITS.m + Number(s) * UNITS.s + Number(ms) * UNITS.ms;
}
