import type { BlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { getJournalFile, removeJournal } from '../journal/journal-files.js';
import type { JournalName, Journals } from '../journal/journals.js';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { currentLineages } from '../../model/lineages.js';
import { memberOf } from './change-files.js';
import { prunable } from './retention.js';
import type { Retained } from './retention.js';

/**
 * Removes the journals that need not be kept. One whose small files cannot be read stays. Reads those that may go, and
 * as few others as the rule needs: the newest line, and what came after each.
 */
export async function pruneJournals(
  store: BlobStore,
  id: StackId,
  keep: number,
  journals: Journals,
): Promise<void> {
  const { names } = journals;
  const beyond = names.length - Math.max(keep, 1);
  if (beyond <= 0) return;
  const oldest = names.slice(0, beyond);
  const rows = await Promise.all(oldest.map((name) => journals.row(name)));
  const empty = oldest.filter((_, index) => rows[index] === undefined);
  // Folders without a file do not count. The next operation counts again.
  for (const { change } of empty) await store.removeFolder?.(layout.journalOf(id, change));
  if (empty.length > 0) return;
  const changes = await relevant(names, beyond, (name) => retained(store, id, name));
  const newest = oldest.at(-1)?.number ?? 0;
  const gone = prunable(changes, changes.filter(({ number }) => number > newest).length);
  for (const { change, number } of oldest)
    if (gone.has(number)) await removeJournal(store, layout.journalOf(id, change));
}

/**
 * Returns the changes that decide which of the oldest may go. `names` are oldest first; `beyond` is how many of them
 * may go.
 */
export async function relevant<N>(
  names: readonly N[],
  beyond: number,
  readNow: (name: N) => Promise<Retained>,
): Promise<readonly Retained[]> {
  const reads = new Map<number, Promise<Retained>>();
  const at = (index: number): Promise<Retained> => {
    const known = reads.get(index) ?? readNow(names[index] as N);
    reads.set(index, known);
    return known;
  };
  const oldest = await Promise.all(names.slice(0, beyond).map((_, index) => at(index)));
  // Any later change may resolve a step in doubt.
  const all = oldest.some(({ tasks }) => tasks.doubt > 0);
  if (!all) {
    for (let count = 2; !(await tellsNewest(names.length, Math.min(count, names.length), at)); count *= 2);
    for (const [index] of oldest.entries()) {
      const bases = new Set<string>();
      for (let next = index; next < names.length; next += 1) {
        const change = await at(next);
        if (next > index && isUnrelated(change, bases)) break;
        bases.add(change.base);
      }
    }
  }
  const indexes = all ? [...names.keys()] : [...reads.keys()].sort((a, b) => a - b);
  return Promise.all(indexes.map(at));
}

/** Returns true if the newest changes are as many as the current lineages need. */
async function tellsNewest(
  length: number,
  count: number,
  at: (index: number) => Promise<Retained>,
): Promise<boolean> {
  const newest = await Promise.all(Array.from({ length: count }, (_, index) => at(length - 1 - index)));
  let taken = 0;
  const counted = function* (): Generator<Retained> {
    for (const change of newest) {
      taken += 1;
      yield change;
    }
  };
  currentLineages(counted());
  return taken < count || count === length;
}

/** Returns true if it began a lineage from a state that those before it have left, so that no change continues them. */
function isUnrelated({ result, continues, base }: Retained, bases: ReadonlySet<string>): boolean {
  return result !== undefined && result !== 'nothing' && continues === undefined && !bases.has(base);
}

async function retained(store: BlobStore, id: StackId, { change, number }: JournalName): Promise<Retained> {
  const directory = layout.journalOf(id, change);
  try {
    const [operation, sealed, fold] = await Promise.all([
      getJournalFile(store, directory, 'operation'),
      getJournalFile(store, directory, 'sealed'),
      getJournalFile(store, directory, 'fold'),
    ]);
    return memberOf(number, operation, sealed, fold);
  } catch (thrown) {
    if (isCairnError(thrown)) return memberOf(number);
    throw thrown;
  }
}
