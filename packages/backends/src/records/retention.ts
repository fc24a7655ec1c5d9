import type { LineMember } from './lines.js';
import { newestLine } from './lines.js';

/** What retention looks at. Oldest first. */
export type Retained = Pick<LineMember, 'number' | 'continues' | 'result' | 'tasks' | 'base' | 'left'>;

/**
 * Which changes may go: the oldest beyond the number to keep. A line stays whole while any of it stays; the newest line stays, and so does
 * the newest change, because numbers must grow; a change that is not closed, or that has a step whose end nobody has found out, never goes
 * (changes.md g.7). Steps in doubt are settled once a later operation has ended well: it resolved them before anything else.
 */
export function prunable(changes: readonly Retained[], keep: number): ReadonlySet<number> {
  const count = Math.max(keep, 1);
  const kept = new Set(changes.slice(-count).map(({ number }) => number));
  for (const { number } of newestLine(changes.toReversed())?.members ?? []) kept.add(number);
  let settled = false;
  for (const { number, result, tasks } of changes.toReversed()) {
    if (result === undefined || (!settled && tasks.doubt > 0)) kept.add(number);
    settled ||= result === 'succeeded' || result === 'rolled-back';
  }
  for (const { number, continues } of changes.toReversed())
    if (kept.has(number) && continues !== undefined) kept.add(continues.number);
  return new Set(changes.map(({ number }) => number).filter((number) => !kept.has(number)));
}
