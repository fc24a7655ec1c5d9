/**
 * Returns the milliseconds that a `Retry-After` header asks for, given as seconds or a date. `now`: milliseconds since
 * the epoch. Returns 0 for a date in the past and `undefined` for any other text.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
