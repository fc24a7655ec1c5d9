/** Rounds of the event loop without any activity after which something in memory will never go on. */
const QUIET_ROUNDS = 400;

/** Rounds of the event loop after which work in memory goes round in circles, whatever happens in them. */
const MOST_ROUNDS = 200_000;

/**
 * Waits for work that lives in memory alone; `undefined` when it will never end, because nothing happens any more or it goes round in
 * circles. `activity` counts whatever happens.
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
  for (let quiet = 0, rounds = 0; quiet < QUIET_ROUNDS && rounds < MOST_ROUNDS; quiet += 1, rounds += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (failed !== undefined) throw failed.thrown;
    if (ended !== undefined) return ended;
    const now = activity();
    if (now !== seen) quiet = 0;
    seen = now;
  }
  return undefined;
}
