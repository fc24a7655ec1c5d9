/** Time beyond the end of a lease in which its holder may still write, in milliseconds. */
const GRACE_MS = 30_000;

/** Returns the end of a lease on the monotonic clock of the process. All times are in milliseconds. */
export function leaseEnd(nowMs: number, seconds: number): number {
  return nowMs + seconds * 1000 + GRACE_MS;
}
