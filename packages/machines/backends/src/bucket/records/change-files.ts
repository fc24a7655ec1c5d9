import type { BlobStore } from '@cairn/blobs';
import type { ChangeRecord } from '@cairn/changes';
import { getJournalFile } from '../journal/journal-files.js';
import type { FoldFile, OperationFile, SealedFile } from '../journal/journal-files.js';
import type { JournalEnd } from '../../model/change-facts.js';
import { journalRecords } from '../journal/journal-records.js';
import type { JournalName } from '../journal/journals.js';
import { changeNumber, JOURNAL_FILES, layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { KIND_OF_UPDATE } from '../../model/operation-kind.js';
import type { OperationRecord } from '../../model/change-row.js';
import { SET_ASIDE } from '../../model/lineages.js';
import type { LineageMember } from '../../model/lineages.js';
import { NO_TASKS, tallyOf } from '../../model/tally.js';
import type { Tally } from '../../model/tally.js';

/** Change without its records: the content of its small files. */
export interface ChangeFiles extends LineageMember {
  readonly change: string;
  readonly directory: string;
  readonly operation: OperationFile;
  readonly sealed: SealedFile | undefined;
  readonly fold: FoldFile | undefined;
  /** End of a change whose journal is not closed: its process was storing that, or still is. */
  readonly over: JournalEnd | undefined;
  /** Counted from the records if the journal is not closed, or was closed by a version that did not count. */
  readonly tally: Tally | undefined;
  /** Digests of checkpoints that it has written while it ran. Empty once its journal is closed. */
  readonly through: readonly string[];
}

/**
 * Reads the small files of a journal, and its records only if those do not say enough. Returns `undefined` for a
 * directory without `operation.json`: an operation that never began, or one that is being removed. `listed` are the
 * names of its files at one look. Others are not read.
 */
export async function readFiles(
  store: BlobStore,
  id: StackId,
  { change, number }: JournalName,
  listed?: ReadonlySet<string>,
): Promise<ChangeFiles | undefined> {
  const directory = layout.journalOf(id, change);
  const read = async <K extends 'operation' | 'sealed' | 'fold' | 'ended'>(kind: K) =>
    listed?.has(JOURNAL_FILES[kind]) === false ? undefined : getJournalFile(store, directory, kind);
  const isClosed = listed?.has(JOURNAL_FILES.sealed) === true;
  // The file that closes a journal repeats its beginning, unless an older version wrote it.
  const first = isClosed ? await read('sealed') : undefined;
  const [operation, closed, ended, announced] = await Promise.all([
    first?.began ?? read('operation'),
    first ?? read('sealed'),
    read('ended'),
    isClosed ? undefined : read('fold'),
  ]);
  // The file that closes a journal says what the announcement does, unless an older version wrote it.
  const complete = closed?.checkpoint !== undefined && closed.ended !== undefined;
  const fold = isClosed && !complete ? await read('fold') : announced;
  if (operation === undefined) return undefined;
  // An operation that ended beside others is over, though its journal is not closed.
  const sealed = closed ?? (ended && { lock: ended.lock, ...ended.end });
  const over = closed === undefined ? (ended?.end ?? fold?.end) : undefined;
  const told = sealed ?? over;
  const tally = told?.tasks === undefined ? tallyOf(await segmentRecords(store, directory)) : undefined;
  const through = sealed === undefined ? await getJournalFile(store, directory, 'through') : undefined;
  return {
    ...memberOf(number, operation, closed, fold),
    result: told?.result,
    tasks: told?.tasks ?? tally?.counts() ?? NO_TASKS,
    change,
    directory,
    operation,
    sealed,
    fold,
    over,
    tally,
    through: through?.digests ?? [],
  };
}

/**
 * Returns a change as lineages see it, from the files of a journal, any of which may be missing. Its result and tasks
 * are those of its closing.
 */
export function memberOf(
  number: number,
  operation?: OperationFile,
  closed?: SealedFile,
  fold?: FoldFile,
): LineageMember {
  const continues = operation?.continues;
  return {
    number,
    kind: operation === undefined ? 'up' : recordKind(operation),
    continues: continues && { number: changeNumber(continues.change) ?? 0, how: continues.how },
    result: closed?.result,
    tasks: closed?.tasks ?? NO_TASKS,
    base: operation?.base ?? '',
    left: leftOf(closed, fold),
  };
}

/** Returns the digest of the state that a closed change left. */
function leftOf(closed: SealedFile | undefined, fold: FoldFile | undefined): string | undefined {
  if (closed === undefined || closed.result === 'nothing') return undefined;
  return closed.setAside === true ? SET_ASIDE : (closed.checkpoint ?? fold?.checkpoint);
}

/** Returns every record of a journal; a torn end is cut. Fails with `CAIRN-JOURNAL-CORRUPT`. */
export async function segmentRecords(store: BlobStore, directory: string): Promise<readonly ChangeRecord[]> {
  return (await journalRecords(store, directory)).records;
}

/** Returns true if the operation held the whole stack, so that none ran beside it. */
export function heldWhole({ operation }: Pick<ChangeFiles, 'operation'>): boolean {
  return operation.claims === undefined;
}

/** Returns the requested operation. */
export function recordKind({ operation, kind }: OperationFile): OperationRecord['kind'] {
  return operation ?? KIND_OF_UPDATE[kind];
}
