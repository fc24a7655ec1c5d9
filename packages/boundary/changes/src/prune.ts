import type { ChangeView } from './change.js';

const HOUR_MS = 3_600_000;

/** When changes are pruned [CHG-20]. Milliseconds. */
export interface PruneLimits {
  /** A change that has been over for so long goes; so does one without tasks that was begun so long ago. */
  readonly pruneMs: number;
  /** An unfinished change that was begun so long ago is aborted. */
  readonly abortMs: number;
  /** Changes that are over and kept, at most; the oldest go first. Unfinished ones never count. */
  readonly maxReady: number;
}

/** What Cairn uses. */
export const PRUNE_LIMITS: PruneLimits = { pruneMs: 24 * HOUR_MS, abortMs: 72 * HOUR_MS, maxReady: 500 };

/** A change as pruning sees it. Times in milliseconds since 1970. */
export interface PruneCandidate {
  readonly id: string;
  readonly spawnedMs: number;
  /** Undefined: it is not over. */
  readonly endedMs: number | undefined;
  readonly tasks: number;
  /** It must stay whatever its age: a clean-up is still to be done, or a person is still to be asked. */
  readonly held: boolean;
  /** Somebody who knows its kind says that it is still going to happen: it is not aborted for its age. */
  readonly stillPending: boolean;
}

/** What pruning does, oldest first. */
interface PrunePlan {
  /** Unfinished and too old: the lanes that are not over are aborted. */
  readonly abort: readonly string[];
  /** Too old, and it never had a task: nothing of it is kept. */
  readonly drop: readonly string[];
  /** Over: it goes to the archive. */
  readonly archive: readonly string[];
}

/**
 * What to prune at `nowMs`. Times before `startMs`, the start of operation, count as that time: while a machine was off
 * nothing could happen [CHG-20]. Pure.
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

/** How a change looks to pruning [CHG-20]: one with unclean clean-ups, or with tasks that wait, is held. */
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
