import type { BlobStore } from '@cairn/blobs';
import { CHECKPOINT_ENDS, layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';

/** End of the name of an entry, after the name of the stack and the stamp of the update. */
export const ENTRY_END = /\.history\.json(?:\.gz|\.zst)?$/;

/** Names in the folder of the history of a stack. */
interface HistoryNames {
  /** Keys of the entries, oldest first. Their places are the versions of the stack, from 1. */
  readonly entries: readonly string[];
  /** Returns the key of the copy of the checkpoint beside an entry, or undefined if it is not kept. */
  copyOf(entry: string): string | undefined;
}

/** Histories by the arrays of their names, which a store returns again while a folder has not changed. */
const read = new WeakMap<readonly string[], HistoryNames>();

/** Lists the history of a stack. Deeper folders contain those of stacks of a project with the stack's name. */
export async function historyNames(store: BlobStore, id: StackId): Promise<HistoryNames> {
  const folder = layout.historyOf(id);
  const listed =
    (await store.names?.(folder)) ?? (await store.list(folder)).map(({ key }) => key.slice(folder.length));
  const known = read.get(listed);
  if (known) return known;
  // All begin with the name of the stack, so that the stamps decide.
  const entries = listed.filter((name) => ENTRY_END.test(name) && !name.includes('/')).sort();
  let there: ReadonlySet<string> | undefined;
  const names: HistoryNames = {
    entries: entries.map((name) => folder + name),
    copyOf: (entry) => {
      const start = entry.replace(ENTRY_END, '.checkpoint');
      const end = CHECKPOINT_ENDS.findLast((each) =>
        (there ??= new Set(listed)).has((start + each).slice(folder.length)),
      );
      return end && start + end;
    },
  };
  read.set(listed, names);
  return names;
}
