/** Time beyond the end of a lease in which its holder may still write, in seconds. */
const GRACE = 30;

/** Returns the milliseconds that a lease runs from its start or renewal, with the grace. */
export function leaseMs(seconds: number): number {
  return (seconds + GRACE) * 1000;
}
