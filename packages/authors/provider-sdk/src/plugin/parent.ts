import process from 'node:process';

/** Interval of the check that the parent still exists. */
const PARENT_MS = 1000;

/**
 * Calls `stop` once when the process that started this one has ended. A killed parent has not ended its children, and
 * no other process does. `parent` is its id, read when this process began.
 */
export function whenParentEnds(parent: number, stop: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_MS);
  timer.unref();
}
