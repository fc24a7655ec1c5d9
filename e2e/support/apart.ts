/** Signals that come closer together count as one (`packages/edges/cli/src/flows/interrupts.ts`). Milliseconds. */
const SAME_MS = 150;

/** Resolves when a further signal counts on its own. Call it after the command has reported the last one. */
export function apart(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SAME_MS + 10));
}
