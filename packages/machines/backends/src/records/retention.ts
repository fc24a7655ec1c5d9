import type { LineageMember } from './lineages.js';
import { currentLineages } from './lineages.js';

/** What retention looks at. Oldest first. */
export type Retained = LineageMember;

/**
 * Which changes may go: the oldest beyond the number to keep. A lineage stays whole while any of it stays; the newest
 * line stays, and so does the newest change, because numbers must grow; a change that is not closed, or that has a step
 * whose end nobody has found out, never goes [CHG-20].
 */
export function prunable(changes: readonly Retained[], keep: number): ReadonlySet<number> {
  const count = Math.max(keep, 1);
  const kept = new Set(changes.slice(-count).map(({ number }) => number));
  for (const { members } of currentLineages(changes.toReversed()))
    for (const { number } of members) kept.add(number);
  const settling = new Set<string>();
  for (const change of changes.toReversed()) {
    const { number, result, tasks, base } = change;
    const settled = [...settling].some((other) => other !== base);
    if (result === undefined || (!settled && tasks.doubt > 0)) kept.add(number);
    if (settlesDoubts(change)) settling.add(base);
  }
  for (const { number, continues } of changes.toReversed())
    if (kept.has(number) && continues !== undefined) kept.add(continues.number);
  return new Set(changes.map(({ number }) => number).filter((number) => !kept.has(number)));
}

/**
 * It ended well, so that it had found out about every step in doubt before it did anything else: of all earlier changes
 * but those that began with the same state, beside it. An edit of the state has not, and a resolution only about the
 * step that it answers for.
 */
export function settlesDoubts({ result, kind }: Pick<Retained, 'result' | 'kind'>): boolean {
  return kind !== 'edit' && kind !== 'resolve' && (result === 'succeeded' || result === 'rolled-back');
}
