/** Waits until something holds. It asks every 20 ms, for at most 100 s. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 100_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`never so: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
