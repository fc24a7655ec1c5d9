import type { ChangeView } from './change.js';

const HOUR_MS = 3_600_000;

/** Limits for pruning changes [CHG-20]. Milliseconds. */
export interface PruneLimits {
  /** A change is pruned this long after its end. A change without tasks is pruned this long after its start. */
  readonly pruneMs: number;
  /** An unfinished change is aborted this long after its start. */
  readonly abortMs: number;
  /** Maximum number of ended changes to keep; the oldest are pruned first. Unfinished ones never count. */
  readonly maxReady: number;
}

/** Limits of Cairn. */
export const PRUNE_LIMITS: PruneLimits = { pruneMs: 24 * HOUR_MS, abortMs: 72 * HOUR_MS, maxReady: 500 };

/** Properties of a change that pruning needs. Times are in milliseconds since 1970. */
export interface PruneCandidate {
  readonly id: string;
  readonly spawnedMs: number;
  /** Undefined if it is not over. */
  readonly endedMs: number | undefined;
  readonly tasks: number;
  /** True if it must be kept whatever its age: a cleanup is not done yet, or it waits for a person. */
  readonly held: boolean;
  /** True if an owner of its kind still expects it to happen; it is then not aborted for its age. */
  readonly stillPending: boolean;
}

/** Changes to prune, oldest first. */
interface PrunePlan {
  /** Unfinished and too old: the lanes that are not over are aborted. */
  readonly abort: readonly string[];
  /** Too old and without tasks: nothing of them is kept. */
  readonly drop: readonly string[];
  /** Over: they are archived. */
  readonly archive: readonly string[];
}

/**
 * Plans pruning at `nowMs`. Times before `startMs`, the start of operation, count as that time: nothing could happen
 * while the machine was off [CHG-20]. Pure.
 */
export function planPrune(
  candidates: readonly PruneCandidate[],
  nowMs: number,
  limits: PruneLimits = PRUNE_LIMITS,
  startMs = -Infinity,
): PrunePlan {
  const abort: string[] = [];
  const drop: string[] = [];
  const archive: string[] = [];
  const age = (change: PruneCandidate): number => nowMs - Math.max(change.spawnedMs, startMs);
  for (const change of candidates) {
    if (change.endedMs !== undefined || change.held) continue;
    if (change.tasks === 0 && age(change) >= limits.pruneMs) drop.push(change.id);
    else if (age(change) >= limits.abortMs && !change.stillPending) abort.push(change.id);
  }
  const over = candidates.filter((change) => change.endedMs !== undefined).sort(byEnd);
  let kept = over.length;
  for (const change of over) {
    if (change.held) continue;
    if (nowMs - (change.endedMs as number) < limits.pruneMs && kept <= limits.maxReady) continue;
    archive.push(change.id);
    kept -= 1;
  }
  return { abort, drop, archive };
}

/**
 * Returns the properties of a change for pruning [CHG-20]. A change with unfinished cleanups, or with tasks that wait,
 * is held.
 */
export function pruneCandidate(change: ChangeView, stillPending = false): PruneCandidate {
  const waits = [...change.tasks.values()].some((task) => task.status === 'wait');
  return {
    id: change.id,
    spawnedMs: Date.parse(change.spawned),
    endedMs: change.isReady ? Date.parse(change.ended ?? change.spawned) : undefined,
    tasks: change.tasks.size,
    held: waits || (change.isReady && !change.clean),
    stillPending,
  };
}

function byEnd(a: PruneCandidate, b: PruneCandidate): number {
  return (a.endedMs as number) - (b.endedMs as number);
}
