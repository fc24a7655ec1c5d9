import type { BlobStore } from '@cairn/blobs';
import type { Diagnostic } from '@cairn/diagnostics';
import { checkpointBytes } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { allDone } from '../all-done.js';
import { nanoStamp } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { copySourceOf, digestOf, keepPrevious, storeCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { WrittenCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { CheckpointOutline } from '../checkpoint/outline.js';
import { writeHistory } from '../history/history-store.js';
import { leaseLost } from '../../model/lease-lost.js';
import { pruneJournals } from '../records/prune.js';
import { keepBase } from '../records/base-copy.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { settleSealing } from '../sealed/reseal.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import {
  closedByOther,
  folded,
  folding,
  historyWarning,
  leavesSame,
  planOf,
  roomForState,
  sealedOf,
  stampAfter,
  withPlaces,
} from './fold-plan.js';
import type { ClosedFold, Fold, FoldMember, FoldReport } from './fold-plan.js';
import { getJournalFile, putJournalFile } from './journal-files.js';
import { Journals } from './journals.js';
import type { FoldFile, FoldPlan, JournalRow } from './journal-files.js';

/**
 * Folds journals into the checkpoint. The order of durable writes makes it safe to die between any two of them and to
 * fold again:
 *
 * 1. for each, a copy of the state that it started from; `fold.json`: what is about to be written, by digest, and the
 * stamp of everything that follows; the previous checkpoint as `.bak`, unless it has the same state;
 * 2. the new checkpoint, only while the previous is still what the journals started from;
 * 3. for each, history entry, its copy of the checkpoint, backup copy of a new state, under names made of the stamp;
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
  const checked = folded(fold, { ...context, now: context.now() });
  const room = roomForState(base.size);
  const escapeHtml = fold.edited !== undefined;
  const copyFrom = copySourceOf(base, { checkpoint: fold.previous?.checkpoint, version });
  const bytes = checkpointBytes(fullStackName(id), checked.deployment, { room, escapeHtml, copyFrom });
  // Looks again: a process that has taken over the stack may have begun a journal, or closed this one.
  const journals = await refuseStale(context, fold);
  const stamp = await nextStamp(context, fold, journals);
  const plans = fold.members.map((member, index) => ({
    member,
    plan: planOf(context.instance, member, {
      base: base.digest,
      checkpoint: digestOf(bytes),
      stamp: String(stamp + BigInt(index)),
      ...(leavesSame(fold) && { same: true }),
    }),
  }));
  // Copies of sealed states depend on the manager, which may be another one from here on.
  const late = store.keys.seals(layout.pathOf(id));
  const replaces = isBase && (late || !leavesSame(fold) || checked.diagnostics.length > 0);
  await allDone([
    ...plans.map(({ member, plan }) => announce(store, fold, member, plan)),
    replaces && !late && fold.hasBase !== true ? keepPrevious(store, id, settings, present) : undefined,
  ]);
  const keepsPrevious = replaces && late;
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

/** Announces the fold of one journal, and keeps the state that it started from if the store has it. */
async function announce(
  store: BlobStore,
  { id, base, present = base, hasBase }: Fold,
  { change, number, seen }: FoldMember,
  plan: FoldFile,
): Promise<void> {
  const directory = layout.journalOf(id, change);
  const condition = seen === undefined ? { ifAbsent: true } : { ifVersion: seen.version };
  const keepsBase = present.digest === base.digest && plan.same !== true && hasBase !== true;
  const [kept, announced] = await Promise.all([
    keepsBase ? keepBase(store, directory, base) : true,
    putJournalFile(store, directory, 'fold', plan, condition),
  ]);
  if (!kept || !announced) throw folding(id, number);
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
  const { stamp, history: entry, same } = plan;
  try {
    const backups = settings.backups && same !== true;
    if (entry !== undefined)
      await writeHistory(store, { id, stamp, entry, checkpoint, settings: { ...settings, backups } });
  } catch (thrown) {
    diagnostics.push(historyWarning(thrown));
  }
  if (
    !(await putJournalFile(store, directory, 'sealed', sealedOf(context.instance, fold, plan), {
      ifAbsent: true,
    }))
  )
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
  return stampAfter(last, nanoStamp(now(), members[0]?.number ?? 0));
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
