import type { CheckpointPace } from '../../backend-ports.js';

export const CHECKPOINT_PACES: readonly CheckpointPace[] = ['paced', 'each-step', 'end'];

/** Least time between the beginnings of two paced writes, in milliseconds. */
const LEAST_MS = 250;
/** Paced writes take at most one part in this many of the time. */
const SHARE = 20;

/** State of an operation with records that its checkpoint lacks. Times are of one clock, in ms. */
export interface UnwrittenOperation {
  readonly pace: CheckpointPace;
  readonly now: number;
  /**
   * Calls to providers that change objects. `none`: no call has begun. `first`: the first waits for its write. `more`:
   * the first was released, and more may follow.
   */
  readonly effects: 'none' | 'first' | 'more';
  /** The last write. `took` is undefined while it is under way. */
  readonly last: { readonly began: number; readonly took: number | undefined } | undefined;
  readonly interrupted: boolean;
}

/**
 * Returns when the next write of the checkpoint begins, in ms from now [STORE-18]. Undefined: not before another event,
 * which may be the end of the write that is under way.
 */
export function nextWrite({ pace, now, effects, last, interrupted }: UnwrittenOperation): number | undefined {
  if (pace === 'end') return undefined;
  if (pace === 'each-step' || interrupted) return 0;
  if (last !== undefined && last.took === undefined) return undefined;
  if (effects === 'first') return 0;
  if (effects === 'none' || last?.took === undefined) return undefined;
  return Math.max(0, last.began + Math.max(LEAST_MS, SHARE * last.took) - now);
}
