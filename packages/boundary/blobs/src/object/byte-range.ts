/**
 * Returns the header of a request for the bytes of an object from `from` on, at most `most` of them. Undefined for all
 * of them.
 */
export function rangeOf(from = 0, most?: number): string | undefined {
  if (most !== undefined) return `bytes=${from}-${from + most - 1}`;
  return from === 0 ? undefined : `bytes=${from}-`;
}
