/**
 * Milliseconds that a `Retry-After` header asks for: seconds or a date. `now`: milliseconds since the epoch. A time
 * that is over asks for nothing to wait, and so does what is neither.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
