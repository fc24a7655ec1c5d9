import process from 'node:process';

/** How often is looked whether the parent is still there. */
const PARENT_MS = 1000;

/**
 * Calls back once when the process that started this one has ended: one that was killed has not ended what it started,
 * and nobody else calls it. `parent`: its id, read when this process began.
 */
export function whenParentEnds(parent: number, stop: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_MS);
  timer.unref();
}
