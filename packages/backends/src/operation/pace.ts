/**
 * When the checkpoint is written while an operation runs: `paced` now and then, `each-step` with every begin and end of
 * a step (as the other tool does), `end` only at the end.
 */
export type CheckpointPace = 'paced' | 'each-step' | 'end';

export const CHECKPOINT_PACES: readonly CheckpointPace[] = ['paced', 'each-step', 'end'];

/** Nothing is written before so much time has passed. */
const LEAST_MS = 10_000;
/** Writing takes at most one part in so many of the time. */
const SHARE = 20;

/**
 * How long to wait for the next paced write. `sinceMs`: since the last one ended, or the operation began; `lastMs`:
 * what the last one took.
 */
export function waitBefore(sinceMs: number, lastMs: number): number {
  return Math.max(0, Math.max(LEAST_MS, SHARE * lastMs) - sinceMs);
}
