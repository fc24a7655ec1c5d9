/** Rounds of the event loop without any activity after which something in memory will never go on. */
const QUIET_ROUNDS = 400;

/**
 * Waits for work that lives in memory alone; `undefined` when it will never end, because nothing happens any more.
 * `activity` counts whatever happens.
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
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (failed !== undefined) throw failed.thrown;
    if (ended !== undefined) return ended;
    const now = activity();
    if (now !== seen) quiet = 0;
    seen = now;
  }
  return undefined;
}
