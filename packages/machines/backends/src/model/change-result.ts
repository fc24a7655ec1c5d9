/**
 * Result of a change. `interrupted`: its process died. `nothing`: it died before it had recorded anything, and left
 * everything as it was. `waiting`: it rests, and continues when a gate is approved or a step in doubt is resolved.
 * `rolled-back`: it failed and everything that it had done was undone.
 */
export type ChangeResult = 'succeeded' | 'failed' | 'interrupted' | 'nothing' | 'waiting' | 'rolled-back';

const RESULTS = {
  succeeded: true,
  failed: true,
  interrupted: true,
  nothing: true,
  waiting: true,
  'rolled-back': true,
} as const satisfies Record<ChangeResult, true>;

/** Returns true if the value names a result. */
export function isChangeResult(value: unknown): value is ChangeResult {
  return typeof value === 'string' && Object.hasOwn(RESULTS, value);
}
