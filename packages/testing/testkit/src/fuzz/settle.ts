/** Number of quiet rounds of the event loop after which work in memory counts as stuck. */
const QUIET_ROUNDS = 400;

/**
 * Quiet time that must have passed as well, in milliseconds. Data in a socket of this machine waits for the kernel,
 * regardless of the number of rounds.
 */
const QUIET_MS = 3_000;

/** Number of rounds of the event loop with activity after which work counts as endless. */
const MOST_ROUNDS = 200_000;

/**
 * Waits for work that exists in memory alone. Returns `undefined` if it will never end, because nothing happens or it
 * repeats itself. `activity` counts all events.
 */
export async function settle<T>(
  work: Promise<T>,
  activity: () => number,
): Promise<{ readonly value: T } | undefined> {
  let ended: { readonly value: T } | undefined;
  let failed: { readonly thrown: unknown } | undefined;
  work.then(
    (value) => (ended = { value }),
    (thrown: unknown) => (failed = { thrown }),
  );
  let seen = -1;
  let seenAt = performance.now();
  const isQuiet = (rounds: number): boolean =>
    rounds >= QUIET_ROUNDS && performance.now() - seenAt >= QUIET_MS;
  for (let quiet = 0, busy = 0; !isQuiet(quiet) && busy < MOST_ROUNDS; quiet += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (failed !== undefined) throw failed.thrown;
    if (ended !== undefined) return ended;
    const now = activity();
    if (now === seen) continue;
    busy += quiet + 1;
    quiet = 0;
    seen = now;
    seenAt = performance.now();
  }
  return undefined;
}
