import type { BlobStore } from '@cairn/blobs';
import { undefinedIfDamaged } from './damaged-row.js';
import type { JournalRow, StampedFold } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import { JOURNAL_FILES } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { currentLineages } from '../../model/lineages.js';
import type { Lineage } from '../../model/lineages.js';
import { heldWhole, readFiles } from './change-files.js';
import type { ChangeFiles } from './change-files.js';

/** Changes of one look at the journals, each read once. */
export class LookedChanges {
  readonly #read = new Map<JournalRow, Promise<ChangeFiles | undefined>>();
  readonly #store: BlobStore;
  readonly #id: StackId;
  readonly #journals: Journals;

  constructor(store: BlobStore, id: StackId, journals: Journals) {
    this.#store = store;
    this.#id = id;
    this.#journals = journals;
  }

  static async of(store: BlobStore, id: StackId): Promise<LookedChanges> {
    return new LookedChanges(store, id, await Journals.of(store, id));
  }

  newestFirst(): AsyncGenerator<JournalRow> {
    return this.#journals.newestFirst();
  }

  /** Returns every journal, oldest first. */
  all(): Promise<readonly JournalRow[]> {
    return this.#journals.all();
  }

  /** Returns the journal with a number, alone. Empty if there is none. */
  async named(number: number): Promise<readonly JournalRow[]> {
    const name = this.#journals.names.find((each) => each.number === number);
    const row = name && (await this.#journals.row(name));
    return row === undefined ? [] : [row];
  }

  /** Reads a change as {@link readFiles} does. Also returns undefined for one whose journal is damaged. */
  readable(row: JournalRow): Promise<ChangeFiles | undefined> {
    return this.files(row).catch(undefinedIfDamaged);
  }

  /** Reads a change as {@link readFiles} does. */
  files(row: JournalRow): Promise<ChangeFiles | undefined> {
    const files = this.#read.get(row) ?? readFiles(this.#store, this.#id, row, row.files);
    this.#read.set(row, files);
    return files;
  }

  /** Returns the fold of the newest journal, if it is closed and says so. */
  async newestFold(): Promise<StampedFold | undefined> {
    for await (const row of this.newestFirst()) {
      const { change } = row;
      const files = row.files.has(JOURNAL_FILES.fold)
        ? await this.files(row).catch(() => undefined)
        : undefined;
      const { stamp, checkpoint } = files?.sealed ?? {};
      return stamp === undefined ? undefined : { change, stamp, checkpoint };
    }
    return undefined;
  }

  /** Begins to read the newest change, which every lease asks for. It never fails: {@link files} does. */
  async readAhead(): Promise<void> {
    const newest = await this.#journals.newest().catch(() => undefined);
    if (newest !== undefined) await this.readable(newest).catch(() => undefined);
  }
}

/** Returns the lineages that nothing supersedes. Reads no more journals than they need. */
export async function currentLineagesOf(
  store: BlobStore,
  id: StackId,
  looked?: Pick<LookedChanges, 'newestFirst' | 'files'>,
): Promise<readonly Lineage<ChangeFiles>[]> {
  const all = looked ?? (await LookedChanges.of(store, id));
  const changes: ChangeFiles[] = [];
  const wanted = new Set<number>();
  let newest: ChangeFiles | undefined;
  let beside = true;
  for await (const row of all.newestFirst()) {
    if (!beside && !wanted.has(row.number)) {
      if ([...wanted].every((number) => number > row.number)) break;
      continue;
    }
    const files = await all.files(row);
    if (files === undefined) continue;
    if (files.result !== 'nothing') {
      newest ??= files;
      beside &&= files.base === newest.base;
    }
    if (!beside && !wanted.has(row.number)) continue;
    changes.push(files);
    if (files === newest) beside = !heldWhole(files);
    if (files.continues !== undefined) wanted.add(files.continues.number);
  }
  return currentLineages(changes);
}
