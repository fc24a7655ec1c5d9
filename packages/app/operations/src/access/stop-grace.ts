import { secondsOf } from '@cairn/backends';
import type { Env } from '@cairn/workspace';

const DEFAULT_SECONDS = 5;

/**
 * Returns the milliseconds that running steps, programs and plugins get to end on request: `CAIRN_STOP_GRACE` in
 * seconds, or 5 s. After that, steps are left in doubt, and processes are killed. Throws CAIRN-USAGE.
 */
export function stopGraceMs(env: Env): number {
  return 1000 * secondsOf(env, 'CAIRN_STOP_GRACE', DEFAULT_SECONDS);
}
