/** Rounds of the event loop without any activity after which something in memory will never go on. */
const QUIET_ROUNDS = 400;

/**
 * So long nothing must have happened as well: what goes through a socket of this machine waits for the kernel, however
 * many rounds that takes.
 */
const QUIET_MS = 3_000;

/** Rounds of the event loop with activity between them after which work goes round in circles. */
const MOST_ROUNDS = 200_000;

/**
 * Waits for work that lives in memory alone; `undefined` when it will never end, because nothing happens any more or it
 * goes round in circles. `activity` counts whatever happens.
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
