import type { LineageMember } from '../../model/lineages.js';
import { currentLineages } from '../../model/lineages.js';

/** Change as retention sees it. */
export type Retained = LineageMember;

/**
 * Returns the changes that may go: the oldest beyond the number to keep [CHG-20]. `changes` are oldest first. A lineage
 * stays whole while any of it stays. The newest line stays, and so does the newest change, because numbers must grow. A
 * change never goes if it is not closed, or has a step whose end is still unknown.
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
 * Returns true if the change ended well. Before it did anything else, it had then determined the outcome of every step
 * in doubt of all earlier changes, except those that began beside it with the same state. An edit of the state does not
 * count, and a resolution only finds out about the step that it answers for.
 */
export function settlesDoubts({ result, kind }: Pick<Retained, 'result' | 'kind'>): boolean {
  return kind !== 'edit' && kind !== 'resolve' && (result === 'succeeded' || result === 'rolled-back');
}
