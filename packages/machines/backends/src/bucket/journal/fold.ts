import type { BlobStore, BlobVersion } from '@cairn/blobs';
import { warningDiagnostic, messageOf, isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import {
  checkIntegrity,
  checkpointBytes,
  emptyDeployment,
  formatVersion,
  inTurn,
  newManifest,
} from '@cairn/state';
import type { Replayer, SerializedDeployment } from '@cairn/state';
import { allDone } from '../all-done.js';
import { nanoStamp } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import {
  copySourceOf,
  deploymentOf,
  digestOf,
  keepPrevious,
  storeCheckpoint,
} from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint, WrittenCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { CheckpointOutline } from '../checkpoint/outline.js';
import type { HistoryEntry } from '../../model/history-entry.js';
import { writeHistory } from '../history/history-store.js';
import { leaseLost } from '../../model/lease-lost.js';
import { pruneJournals } from '../records/prune.js';
import { keepBase } from '../records/base-copy.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { settleSealing } from '../sealed/reseal.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import type { JournalEnd } from '../../model/change-facts.js';
import { mergeStates } from './merge-states.js';
import { getJournalFile, putJournalFile } from './journal-files.js';
import { Journals } from './journals.js';
import type {
  FoldFile,
  FoldPlan,
  JournalRow,
  OperationFile,
  ReadJournalFile,
  StampedFold,
} from './journal-files.js';

/**
 * Journals to fold into the checkpoint that they started from: one, or those of operations that ran beside each other.
 */
interface Fold {
  readonly id: StackId;
  readonly base: StoredCheckpoint;
  /** Checkpoint in the store, if the operation has written it while it ran. The base is beside the journal then. */
  readonly present?: StoredCheckpoint;
  /** By number; not empty. */
  readonly members: readonly FoldMember[];
  /** Fold of the operation before, if it is known. Otherwise it is read from the journals. */
  readonly previous?: StampedFold | undefined;
  /** Journals at a look after the last record, if there was one. */
  readonly looked?: Journals | undefined;
  /** State that a person wants. It is stored as it is, in place of the result of the entries. */
  readonly edited?: SerializedDeployment | undefined;
}

/** Journal of one operation. */
export interface FoldMember {
  readonly change: string;
  readonly number: number;
  /** Id of the lock in the journal's operation file. Its owner may fold the journal as its own. */
  readonly lock: string;
  /** Version of that file, if this process has written it. Saves reading it where listings have versions. */
  readonly fence?: BlobVersion | undefined;
  /** Content of that file, if it is known. */
  readonly began?: OperationFile | undefined;
  /** Records of an operation without steps, as the text of the segment that it does not have. */
  readonly records?: string | undefined;
  readonly replayer: Replayer;
  /** Undefined: no entry and no backup copy are written. */
  readonly history: HistoryEntry | undefined;
  readonly end: JournalEnd;
  /** Set by an operation that ends itself; see `OperationEnd`. Operations beside each other have no common order. */
  readonly order?: readonly number[] | undefined;
  /**
   * The `fold.json` that was there when the journal was read. Undefined: there must be none, as with one's own journal.
   */
  readonly seen?: ReadJournalFile<'fold'> | undefined;
}

/**
 * Result of a fold. `diagnostics` are integrity failures (the state is written all the same) and history that could not
 * be written.
 */
interface FoldReport {
  readonly deployment: SerializedDeployment;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Folds journals into the checkpoint. The order of durable writes makes it safe to die between any two of them and to
 * fold again:
 *
 * 1. for each, a copy of the state that it started from; `fold.json`: what is about to be written, by digest, and the
 * stamp of everything that follows; the previous checkpoint as `.bak`;
 * 2. the new checkpoint, only while the previous is still what the journals started from;
 * 3. for each, history entry, its copy of the checkpoint, backup copy, under names made of the stamp;
 * 4. for each, `sealed.json`.
 *
 * Several processes may fold the same journal, if one was paused and another took over. Only one of them stores its
 * state: `fold.json` is only written over the one that was seen, and the checkpoint only over the base. Nothing is
 * written beside a sealed journal. The others fail with `CAIRN-LEASE-LOST`.
 */
export async function foldJournals(context: BackendContext, fold: Fold): Promise<FoldReport> {
  const { store, settings, version } = context;
  const { id, base, present = base } = fold;
  const isBase = present.digest === base.digest;
  const checked = folded(context, fold);
  const room = roomFor(base.size);
  const escapeHtml = fold.edited !== undefined;
  const copyFrom = copySourceOf(base, { checkpoint: fold.previous?.checkpoint, version });
  const bytes = checkpointBytes(fullStackName(id), checked.deployment, { room, escapeHtml, copyFrom });
  // Looks again: a process that has taken over the stack may have begun a journal, or closed this one.
  const journals = await refuseStale(context, fold);
  const stamp = await nextStamp(context, fold, journals);
  const plans = fold.members.map((member, index) => ({
    member,
    plan: planOf(context, member, {
      base: base.digest,
      checkpoint: digestOf(bytes),
      stamp: String(stamp + BigInt(index)),
      ...(leavesSame(fold) && { same: true }),
    }),
  }));
  // Copies of sealed states depend on the manager, which may be another one from here on.
  const late = store.keys.seals(layout.pathOf(id));
  await allDone([
    ...plans.map(({ member, plan }) => announce(store, fold, member, plan)),
    isBase && !late ? keepPrevious(store, id, settings, present) : undefined,
  ]);
  const keepsPrevious = isBase && late;
  const write = { id, bytes, previous: present, settings, keepsPrevious, stamp: String(stamp) };
  store.keys.useManager(layout.pathOf(id), checked.deployment.secretsProvider);
  const written = await storeCheckpoint(store, write).catch((thrown: unknown) =>
    explain(context, fold, thrown),
  );
  const outline = outlineOf(context, id, checked.deployment, written);
  const notes: Diagnostic[] = [];
  for (const { member, plan } of plans) {
    const closed = { ...member, id, journals, outline };
    notes.push(...(await closeFold(context, closed, plan, written)));
  }
  notes.push(...(await settleSealing(context, id)));
  const failures = checked.diagnostics.map((failure) => withPlaces(failure, written.key));
  return { deployment: checked.deployment, diagnostics: [...failures, ...notes] };
}

function outlineOf(
  { store }: BackendContext,
  id: StackId,
  { resources, manifest }: SerializedDeployment,
  { ends, version }: WrittenCheckpoint,
): CheckpointOutline | undefined {
  if (ends === undefined || store.keys.seals(layout.pathOf(id))) return undefined;
  const outline = { ends, resources: resources.length, time: manifest.time };
  return store.getStart === undefined ? outline : { ...outline, version };
}

/** Returns true if one operation, which recorded no entry, leaves the state that it started from. */
function leavesSame({ members, edited }: Fold): boolean {
  return edited === undefined && members.length === 1 && members[0]?.replayer.entryCount === 0;
}

/** Announces the fold of one journal, and keeps the state that it started from if the store has it. */
async function announce(
  store: BlobStore,
  { id, base, present = base }: Fold,
  { change, number, seen }: FoldMember,
  plan: FoldFile,
): Promise<void> {
  const directory = layout.journalOf(id, change);
  const condition = seen === undefined ? { ifAbsent: true } : { ifVersion: seen.version };
  const keepsBase = present.digest === base.digest && plan.same !== true;
  const [kept, announced] = await Promise.all([
    keepsBase ? keepBase(store, directory, base) : true,
    putJournalFile(store, directory, 'fold', plan, condition),
  ]);
  if (!kept || !announced) throw folding(id, number);
}

/** Adds to a failure where the inconsistent state was stored all the same, and where the one before it is [INT-3]. */
function withPlaces(failure: Diagnostic, key: string): Diagnostic {
  const places = [`it was stored as ${key}`, `the state before it is ${layout.previous(key)}`];
  return { ...failure, causes: [...(failure.causes ?? []), ...places] };
}

/**
 * Returns the room for a new state. A state rarely grows by more than that in one operation. Unused room costs nothing.
 */
function roomFor(size: number): number {
  return Math.ceil(size * 1.25) + 1024;
}

function planOf(
  context: BackendContext,
  { history, end, seen }: FoldMember,
  written: Pick<FoldFile, 'base' | 'checkpoint' | 'stamp' | 'same'>,
): FoldFile {
  return {
    lock: context.instance,
    ...written,
    ...(history === undefined ? {} : { history }),
    end,
    ...(seen === undefined ? {} : { earlier: plansIn(seen.content) }),
  };
}

/** Returns every fold that a file announces, the newest first. */
export function plansIn({ lock: _lock, earlier = [], ...plan }: FoldFile): readonly FoldPlan[] {
  return [plan, ...earlier];
}

/**
 * Does steps 3 and 4, also for a fold that was interrupted after step 2. History that cannot be written is a warning;
 * so is finding that another process has done all of it. `checkpoint` is the one that the fold stored. It is undefined
 * if another one replaced it, of which no copies are made.
 */
export async function finishFold(
  context: BackendContext,
  fold: ClosedFold,
  plan: FoldPlan,
  checkpoint: WrittenCheckpoint | undefined,
): Promise<readonly Diagnostic[]> {
  const { id, change } = fold;
  const sealed = await getJournalFile(context.store, layout.journalOf(id, change), 'sealed');
  return sealed === undefined ? closeFold(context, fold, plan, checkpoint) : [closedByOther(id, change)];
}

/** Journal to close, among those of the stack. */
type ClosedFold = Pick<Fold, 'id'> &
  Pick<FoldMember, 'change' | 'end' | 'began' | 'records'> & {
    readonly journals: Journals;
    readonly outline?: CheckpointOutline | undefined;
  };

/** Does what {@link finishFold} does, for a caller that has just stored the checkpoint. */
async function closeFold(
  context: BackendContext,
  fold: ClosedFold,
  plan: FoldPlan,
  checkpoint: WrittenCheckpoint | undefined,
): Promise<readonly Diagnostic[]> {
  const { store, settings } = context;
  const { id } = fold;
  const directory = layout.journalOf(id, fold.change);
  const diagnostics: Diagnostic[] = [];
  const { stamp, same, history: entry } = plan;
  try {
    if (entry !== undefined) await writeHistory(store, { id, stamp, entry, checkpoint, settings });
  } catch (thrown) {
    diagnostics.push(...historyWarnings(thrown));
  }
  const { end, outline, began, records } = fold;
  const sealed = {
    lock: context.instance,
    ...end,
    ...{ checkpoint: plan.checkpoint, stamp },
    ...(same && { same }),
    ...(outline && { outline }),
    ...(began && { began }),
    ...(records !== undefined && { records }),
  };
  if (!(await putJournalFile(store, directory, 'sealed', sealed, { ifAbsent: true })))
    diagnostics.push(closedByOther(id, fold.change));
  await pruneJournals(store, id, settings.journalRetention, fold.journals);
  return diagnostics;
}

/**
 * Returns a stamp later than that of the previous operation, so that the history has the order of the operations
 * whatever the clock says.
 */
async function nextStamp(
  { store, now }: BackendContext,
  { id, members, previous }: Fold,
  journals: Journals,
): Promise<bigint> {
  const own = new Set(members.map((member) => member.number));
  let before: JournalRow | undefined;
  for await (const row of journals.newestFirst()) {
    before = !own.has(row.number) && row.files.has(JOURNAL_FILES.fold) ? row : undefined;
    if (before !== undefined) break;
  }
  const last =
    before === undefined || before.change === previous?.change
      ? previous
      : await getJournalFile(store, layout.journalOf(id, before.change), 'fold').catch(() => undefined);
  const present = BigInt(nanoStamp(now(), members[0]?.number ?? 0));
  const next = /^\d{1,30}$/.test(last?.stamp ?? '') ? BigInt(last?.stamp ?? 0) + 1n : 0n;
  return present > next ? present : next;
}

/**
 * Refuses a writer whose fence is not the newest, or whose journal another process sealed. It must not touch the
 * checkpoint [JRN-9]. Returns the journals as they are now.
 */
async function refuseStale({ store }: BackendContext, { id, members, looked }: Fold): Promise<Journals> {
  const journals = looked ?? (await Journals.of(store, id));
  const newest = await journals.newest();
  const unsealed = newest?.files.has(JOURNAL_FILES.sealed) === false;
  const fenced = unsealed && members.some((member) => member.number === newest.number);
  for (const member of members) {
    if (fenced && (await ownsFence(store, id, journals, member))) continue;
    throw leaseLost(id, {
      causes: [
        `this is operation ${member.number}; the newest is ${newest?.number ?? 'gone'}${unsealed ? '' : ', and it was taken over'}`,
      ],
      hint: `What this operation recorded is in ${layout.journalOf(id, member.change)} and is kept. Find out who else works on the stack.`,
    });
  }
  return journals;
}

/** Returns true if a journal is still that of the member. Reads its file unless the listing shows the version. */
async function ownsFence(
  store: BlobStore,
  id: StackId,
  journals: Journals,
  { change, number, lock, fence }: FoldMember,
): Promise<boolean> {
  if (fence !== undefined && (await journals.row({ change, number }))?.fence === fence) return true;
  return (await getJournalFile(store, layout.journalOf(id, change), 'operation'))?.lock === lock;
}

function folding(id: StackId, number: number): Error {
  return leaseLost(id, {
    causes: [`another process is storing the steps of operation ${number}`],
    hint: 'Nothing was overwritten. Find out who works on the stack now.',
  });
}

/** Explains why a checkpoint has changed, if another process has taken over the stack. */
async function explain(
  { store, instance }: BackendContext,
  { id, members }: Fold,
  thrown: unknown,
): Promise<never> {
  for (const { change, number } of members) {
    const directory = layout.journalOf(id, change);
    const [fold, sealed] = await Promise.all([
      getJournalFile(store, directory, 'fold').catch(() => undefined),
      getJournalFile(store, directory, 'sealed').catch(() => undefined),
    ]);
    if (fold !== undefined && (fold.lock !== instance || sealed !== undefined)) throw folding(id, number);
  }
  throw thrown;
}

function closedByOther({ stack }: StackId, change: string): Diagnostic {
  return warningDiagnostic(
    'CAIRN-LEASE-LOST',
    `the state of stack "${stack}" was stored, but the lock was lost before its operation ended: another process has closed it`,
    { hint: `\`cairn change ${Number(change)}\` shows how it was closed.` },
  );
}

function folded(context: BackendContext, { base, members, edited }: Fold): FoldReport {
  if (edited !== undefined) return withIntegrity(context, edited);
  const manifest = newManifest(context.now(), context.version);
  const before = deploymentOf(base) ?? emptyDeployment;
  const results = members.map(({ replayer }) =>
    // An operation that recorded nothing leaves pending steps alone, too; a replay would drop all but the creates.
    replayer.entryCount === 0 ? { ...before, manifest } : replayer.generate(manifest),
  );
  const [only] = results;
  if (only !== undefined && results.length === 1)
    return withIntegrity(context, inTurn(only, members[0]?.order));
  return withIntegrity(context, mergeStates({ ...before, manifest }, results));
}

/** Checks integrity before the write. The write always happens [INT-3]. */
function withIntegrity(context: BackendContext, deployment: SerializedDeployment): FoldReport {
  const { failure, fault } = checkIntegrity(deployment, 'write');
  if (failure === undefined) {
    const clean =
      deployment.integrityError === undefined ? deployment : { ...deployment, integrityError: undefined };
    return { deployment: clean, diagnostics: [] };
  }
  const integrityError = {
    version: String(formatVersion(deployment).version),
    command: context.command,
    error: fault?.problem ?? failure.summary,
    envVars: context.variables,
  };
  return {
    deployment: { ...deployment, integrityError },
    diagnostics: context.integrity === 'skip' ? [] : [failure],
  };
}

function historyWarnings(thrown: unknown): readonly Diagnostic[] {
  const causes = isCairnError(thrown)
    ? thrown.diagnostics.map((diagnostic) => diagnostic.summary)
    : [messageOf(thrown)];
  return [
    warningDiagnostic(
      'CAIRN-STORE-FAILED',
      'the state was stored, but its history entry or backup copy was not',
      { causes },
    ),
  ];
}
