import { isCairnError, cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { decodeSnapshot } from '@cairn/state';
import type { SerializedDeployment, Snapshot } from '@cairn/state';
import type { OpenCrypter } from '../open-crypter.js';
import { loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { JOURNAL_FILES } from '../layout.js';
import type { StackId } from '../stack-id.js';
import { loadBase } from './base-copy.js';
import { didNothing } from './change-row.js';
import type { StoredChange } from './change-row.js';
import { leftBy, lineOfNothing } from './lines.js';
import type { Line, LineState } from './lines.js';
import { changeNotFound, currentLinesOf, readFiles, rowOf, storedChange } from './read-changes.js';
import type { ChangeFiles, RecordSource } from './read-changes.js';
import { unfinishedNote } from './unfinished-note.js';
import { changeName } from '../layout.js';

/** A change with its successors, with all that going on with it or taking it back needs. */
export interface ChangeLine {
  /** First and last change, as their journals' directories are named. */
  readonly origin: string;
  readonly latest: string;
  readonly state: LineState;
  readonly unfinished: boolean;
  /** Oldest first. */
  readonly changes: readonly StoredChange[];
  /** The state before the first of them began, as stored. */
  readonly before: SerializedDeployment;
  /** The same, decoded. */
  readonly openBefore: () => Promise<Snapshot>;
  /** What happened and what can be done, for people. */
  readonly note: Diagnostic;
}

/** What reading a line needs besides the store. */
export interface LineReader extends RecordSource {
  readonly openCrypter: OpenCrypter;
}

/**
 * The newest line that did not end, when nothing supersedes it and can be gone on with: its records and the state
 * before it are there, and nobody has altered the state since. Damage is told as a warning: it must not keep anybody
 * from working on the stack.
 */
export async function unfinishedLine(
  reader: LineReader,
  id: StackId,
): Promise<{ readonly line: ChangeLine | undefined; readonly warnings: readonly Diagnostic[] }> {
  try {
    const line = (await currentLinesOf(reader.store, id)).find((each) => each.unfinished);
    const checkpoint = await loadCheckpoint(reader.store, id);
    if (line === undefined || !line.whole || isAltered(line, checkpoint))
      return { line: undefined, warnings: [] };
    const before = await beforeOf(reader, line, checkpoint);
    return {
      line: before === undefined ? undefined : await openLine(reader, id, line, before),
      warnings: [],
    };
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return {
      line: undefined,
      warnings: thrown.diagnostics.map((found) => ({ ...found, severity: 'warning' })),
    };
  }
}

/**
 * The line of a chosen change, whether it ended or not, or did anything. Fails with `CAIRN-CHANGE-UNKNOWN` when its
 * record, or the state before it, is not kept any more, and with `CAIRN-CHANGE-SUPERSEDED` when the stack has gone on
 * since.
 */
export async function lineOfChange(reader: LineReader, id: StackId, number: number): Promise<ChangeLine> {
  const { store } = reader;
  const files = await readFiles(store, id, { change: changeName(number), number });
  if (files === undefined) throw changeNotFound(id, number);
  const lines = await currentLinesOf(store, id);
  const line =
    lines.find(({ members }) => members.some((member) => member.number === number)) ?? idleLine(files, lines);
  if (line === undefined)
    throw superseded(id, number, `change ${lines[0]?.members.at(-1)?.number ?? 'none'} began after it`);
  const checkpoint = await loadCheckpoint(store, id);
  if (isAltered(line, checkpoint)) throw superseded(id, number, 'the state was altered after it ended');
  const before = line.whole ? await beforeOf(reader, line, checkpoint) : undefined;
  if (before === undefined) throw withoutBase(id, number);
  return openLine(reader, id, line, before);
}

/** A change that did nothing belongs to no other one's line, and is a line itself until another one begins. */
function idleLine(files: ChangeFiles, lines: readonly Line<ChangeFiles>[]): Line<ChangeFiles> | undefined {
  const later = lines.some(({ members }) => members.some(({ number }) => number > files.number));
  return didNothing(files) && !later ? lineOfNothing(files) : undefined;
}

/**
 * Whether somebody else has altered the state. An operation that runs or died has its journal beside the checkpoint,
 * which is then the state that it started from.
 */
export function isAltered(line: Line<ChangeFiles>, checkpoint: StoredCheckpoint | undefined): boolean {
  const open = line.members.findLast((member) => member.sealed === undefined);
  const expected = [leftBy(line), ...(open === undefined ? [] : [open.base, ...open.through])];
  return checkpoint === undefined || !expected.includes(checkpoint.digest);
}

async function beforeOf(
  { store }: RecordSource,
  line: Line<ChangeFiles>,
  checkpoint: StoredCheckpoint | undefined,
): Promise<SerializedDeployment | undefined> {
  const origin = line.members[0] as ChangeFiles;
  return loadBase(store, origin.directory, origin.base, checkpoint);
}

async function openLine(
  reader: LineReader,
  id: StackId,
  line: Line<ChangeFiles>,
  before: SerializedDeployment,
): Promise<ChangeLine> {
  const latest = line.members.at(-1) as ChangeFiles;
  const changes: StoredChange[] = [];
  for (const member of line.members) {
    const row = rowOf(member, false, line.unfinished && member === latest);
    changes.push(await storedChange(reader.store, id, member, row));
  }
  const origin = line.members[0] as ChangeFiles;
  return {
    origin: origin.change,
    latest: latest.change,
    state: line.state,
    unfinished: line.unfinished,
    changes,
    before,
    openBefore: async () => {
      const crypter = await reader.openCrypter(before.secretsProvider, before);
      return decodeSnapshot(before, crypter, origin.directory + JOURNAL_FILES.base);
    },
    note: unfinishedNote(
      changes.map((change) => change.row),
      line.state,
    ),
  };
}

function superseded(id: StackId, number: number, why: string): Error {
  return cairnError(
    'CAIRN-CHANGE-SUPERSEDED',
    `change ${number} of stack "${id.stack}" is not its latest any more: it can neither be resumed nor rolled back`,
    { causes: [why], hint: '`cairn changes` lists the changes; `cairn up` goes on from the state as it is.' },
  );
}

function withoutBase(id: StackId, number: number): Error {
  return cairnError(
    'CAIRN-CHANGE-UNKNOWN',
    `the state of stack "${id.stack}" before change ${number} is not kept any more`,
    {
      hint: '`cairn up` goes on from the state as it is; copies of older states are in the `backups` of the backend.',
    },
  );
}
