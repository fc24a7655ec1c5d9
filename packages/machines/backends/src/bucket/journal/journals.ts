import type { BlobStore, BlobVersion } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { JOURNAL_FILES, changeNumber, layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { getJournalFile } from './journal-files.js';
import type { JournalRow } from './journal-files.js';

/** Name and number of a journal. */
export type JournalName = Pick<JournalRow, 'change' | 'number'>;

/**
 * Journals of a stack at one reading. Where the store has folders, that look reads names alone, and a journal's files
 * are read when its turn comes. Kept journals therefore cost nothing. Elsewhere it is one listing with every file.
 */
export class Journals {
  readonly #looked = new Map<string, Promise<JournalRow | undefined>>();
  /** Number of the oldest journal that is not closed, infinite if there is none. Known only after a listing. */
  #oldestOpen = 0;
  readonly #store: BlobStore;
  readonly #id: StackId;

  private constructor(
    store: BlobStore,
    id: StackId,
    /** Oldest first; some may be folders without a file. */
    readonly names: readonly JournalName[],
  ) {
    this.#store = store;
    this.#id = id;
  }

  static async of(store: BlobStore, id: StackId): Promise<Journals> {
    const prefix = layout.journalsOf(id);
    if (store.names !== undefined) return new Journals(store, id, namesOf(await store.names(prefix)));
    const found = new Map<string, Set<string>>();
    const fences = new Map<string, BlobVersion | undefined>();
    for (const { key, version } of await store.list(prefix)) {
      const [change = '', file = ''] = key.slice(prefix.length).split('/');
      found.set(change, (found.get(change) ?? new Set()).add(file));
      if (file === JOURNAL_FILES.operation) fences.set(change, version);
    }
    const journals = new Journals(store, id, namesOf([...found.keys()]));
    const open = journals.names.find(({ change }) => found.get(change)?.has(JOURNAL_FILES.sealed) !== true);
    journals.#oldestOpen = open?.number ?? Number.POSITIVE_INFINITY;
    for (const name of journals.names) {
      const files = found.get(name.change) ?? new Set();
      journals.#looked.set(name.change, Promise.resolve({ ...name, files, fence: fences.get(name.change) }));
    }
    return journals;
  }

  /** Returns the journal with its files, or undefined for a folder without a file, which is not a journal. */
  row(name: JournalName): Promise<JournalRow | undefined> {
    const known = this.#looked.get(name.change);
    if (known !== undefined) return known;
    const look = async (): Promise<JournalRow | undefined> => {
      const files = new Set(await this.#store.names?.(layout.journalOf(this.#id, name.change)));
      return files.size === 0 ? undefined : { ...name, files };
    };
    const row = look();
    this.#looked.set(name.change, row);
    return row;
  }

  /** Yields journals, newest first, and looks at one after the other. */
  async *newestFirst(): AsyncGenerator<JournalRow> {
    for (const name of this.names.toReversed()) {
      const row = await this.row(name);
      if (row !== undefined) yield row;
    }
  }

  async newest(): Promise<JournalRow | undefined> {
    for await (const row of this.newestFirst()) return row;
    return undefined;
  }

  /** Returns every journal with its files, oldest first. */
  async all(): Promise<readonly JournalRow[]> {
    const rows: JournalRow[] = [];
    for await (const row of this.newestFirst()) rows.push(row);
    return rows.reverse();
  }

  /**
   * Returns journals that are not closed, oldest first. Stops at an operation that holds the whole stack, because it
   * has closed all before it. One that does not records which were closed [STORE-14].
   */
  async open(): Promise<readonly JournalRow[]> {
    const open: JournalRow[] = [];
    let closed = 0;
    for await (const row of this.newestFirst()) {
      if (row.number <= closed) break;
      if (!row.files.has(JOURNAL_FILES.sealed)) open.push(row);
      if (row.number <= this.#oldestOpen) break;
      closed = Math.max(closed, await this.#closedBefore(row));
    }
    return open.reverse();
  }

  /**
   * Returns the number up to which the journals were closed when this one began. A journal that cannot be read gives no
   * limit.
   */
  async #closedBefore({ change, number, files }: JournalRow): Promise<number> {
    if (!files.has(JOURNAL_FILES.operation)) return 0;
    const directory = layout.journalOf(this.#id, change);
    const operation = await getJournalFile(this.#store, directory, 'operation').catch((thrown: unknown) => {
      if (isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-JOURNAL-CORRUPT') return undefined;
      throw thrown;
    });
    if (operation === undefined) return 0;
    return operation.claims === undefined ? number - 1 : (operation.closed ?? 0);
  }
}

/** Returns journals of the stack with their files, oldest first. */
export async function listJournals(store: BlobStore, id: StackId): Promise<readonly JournalRow[]> {
  return (await Journals.of(store, id)).all();
}

function namesOf(changes: readonly string[]): readonly JournalName[] {
  return changes
    .flatMap((change) => {
      const number = changeNumber(change);
      return number === undefined ? [] : [{ change, number }];
    })
    .sort((a, b) => a.number - b.number);
}
