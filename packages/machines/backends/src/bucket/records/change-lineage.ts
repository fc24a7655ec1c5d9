import { isCairnError, cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { decodeSnapshot, emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { OpenCrypter } from '../../open-crypter.js';
import { deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { plansIn } from '../journal/fold-plan.js';
import { JOURNAL_FILES } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { loadBase } from './base-copy.js';
import { didNothing } from '../../model/change-row.js';
import type { StoredChange } from '../../model/change-row.js';
import { leftBy, lineageOfNothing } from '../../model/lineages.js';
import type { Lineage } from '../../model/lineages.js';
import { readFiles } from './change-files.js';
import { rowOf } from './change-rows.js';
import { currentLineagesOf } from './looked-changes.js';
import { changeNotFound, storedChange } from './read-changes.js';
import type { ChangeFiles } from './change-files.js';
import type { LookedChanges } from './looked-changes.js';
import type { RecordSource } from './read-changes.js';
import { unfinishedNote } from '../../model/unfinished-note.js';
import { changeName } from '../layout.js';
import type { ChangeLineage } from '../../model/change-lineage.js';

/** Means to read a lineage besides the store. */
export interface LineageReader extends RecordSource {
  readonly openCrypter: OpenCrypter;
}

/**
 * Returns the newest lineage that did not end, if nothing supersedes it and it can be continued. Its records and the
 * state before it must be there, and no other process may have altered the state since. Damage is reported as a
 * warning: it must not keep a user from working on the stack.
 */
export async function unfinishedLineage(
  reader: LineageReader,
  id: StackId,
  looked: LookedChanges,
  checkpoint: StoredCheckpoint,
): Promise<{ readonly lineage: ChangeLineage | undefined; readonly warnings: readonly Diagnostic[] }> {
  try {
    const lineages = await currentLineagesOf(reader.store, id, looked);
    const lineage = lineages.find((each) => each.unfinished);
    if (lineage === undefined || !lineage.whole || isAltered(lineage, checkpoint))
      return { lineage: undefined, warnings: [] };
    const before = await beforeOf(reader, lineage, checkpoint);
    return {
      lineage: before === undefined ? undefined : await openLineage(reader, id, lineage, before),
      warnings: [],
    };
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return {
      lineage: undefined,
      warnings: thrown.diagnostics.map((found) => ({ ...found, severity: 'warning' })),
    };
  }
}

/**
 * Returns the lineage of a chosen change, even if it ended or did nothing. Fails with `CAIRN-CHANGE-UNKNOWN` when its
 * record, or the state before it, is no longer kept. Fails with `CAIRN-CHANGE-SUPERSEDED` when the stack has changed
 * since.
 */
export async function lineageOfChange(
  reader: LineageReader,
  id: StackId,
  number: number,
): Promise<ChangeLineage> {
  const { store } = reader;
  const files = await readFiles(store, id, { change: changeName(number), number });
  if (files === undefined) throw changeNotFound(id, number);
  const lineages = await currentLineagesOf(store, id);
  const lineage =
    lineages.find(({ members }) => members.some((member) => member.number === number)) ??
    idleLineage(files, lineages);
  if (lineage === undefined)
    throw superseded(id, number, `change ${lineages[0]?.members.at(-1)?.number ?? 'none'} began after it`);
  const checkpoint = await loadCheckpoint(store, id);
  if (isAltered(lineage, checkpoint)) throw superseded(id, number, 'the state was changed after it ended');
  const before = lineage.whole ? await beforeOf(reader, lineage, checkpoint) : undefined;
  if (before === undefined) throw withoutBase(id, number);
  return openLineage(reader, id, lineage, before);
}

/**
 * Returns the lineage of a change that did nothing. It belongs to no other lineage, and is a lineage itself until
 * another change begins.
 */
function idleLineage(
  files: ChangeFiles,
  lineages: readonly Lineage<ChangeFiles>[],
): Lineage<ChangeFiles> | undefined {
  const later = lineages.some(({ members }) => members.some(({ number }) => number > files.number));
  return didNothing(files) && !later ? lineageOfNothing(files) : undefined;
}

/**
 * Returns true if another process has altered the state. An operation that runs or died has its journal beside the
 * checkpoint. The checkpoint is then the state that it started from, or one that it has stored.
 */
export function isAltered(
  lineage: Lineage<ChangeFiles>,
  checkpoint: Pick<StoredCheckpoint, 'digest'> | undefined,
): boolean {
  const open = lineage.members.findLast((member) => member.sealed === undefined);
  const stored = open?.fold === undefined ? [] : plansIn(open.fold).map((plan) => plan.checkpoint);
  const expected = [leftBy(lineage), ...(open === undefined ? [] : [open.base, ...open.through]), ...stored];
  return checkpoint === undefined || !expected.includes(checkpoint.digest);
}

/**
 * Returns the state before a lineage. Its first changes may have left that state as it was. `checkpoint` is what the
 * lineage left.
 */
async function beforeOf(
  { store }: RecordSource,
  lineage: Lineage<ChangeFiles>,
  checkpoint: StoredCheckpoint | undefined,
): Promise<SerializedDeployment | undefined> {
  const first = lineage.members.find(({ sealed }) => sealed?.same !== true);
  if (first !== undefined) return loadBase(store, first.directory, first.base, checkpoint);
  return checkpoint && (deploymentOf(checkpoint) ?? emptyDeployment);
}

async function openLineage(
  reader: LineageReader,
  id: StackId,
  lineage: Lineage<ChangeFiles>,
  before: SerializedDeployment,
): Promise<ChangeLineage> {
  const latest = lineage.members.at(-1) as ChangeFiles;
  const changes: StoredChange[] = [];
  for (const member of lineage.members) {
    const row = rowOf(member, false, lineage.unfinished && member === latest);
    changes.push(await storedChange(reader.store, id, member, row));
  }
  const origin = lineage.members[0] as ChangeFiles;
  return {
    origin: origin.change,
    latest: latest.change,
    state: lineage.state,
    unfinished: lineage.unfinished,
    changes,
    before,
    openBefore: async () => {
      const crypter = await reader.openCrypter(before.secretsProvider, before);
      return decodeSnapshot(before, crypter, origin.directory + JOURNAL_FILES.base);
    },
    note: unfinishedNote(
      changes.map((change) => change.row),
      lineage.state,
    ),
  };
}

function superseded(id: StackId, number: number, why: string): Error {
  return cairnError(
    'CAIRN-CHANGE-SUPERSEDED',
    `change ${number} of stack "${id.stack}" is no longer its latest: it can neither be resumed nor rolled back`,
    {
      causes: [why],
      hint: 'Run `cairn changes` to list the changes, or `cairn up` to continue from the current state.',
    },
  );
}

function withoutBase(id: StackId, number: number): Error {
  return cairnError(
    'CAIRN-CHANGE-UNKNOWN',
    `the state of stack "${id.stack}" before change ${number} is no longer kept`,
    {
      hint: 'Run `cairn up` to continue from the current state; copies of older states are in the `backups` of the backend.',
    },
  );
}
