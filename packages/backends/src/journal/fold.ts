import { cairnError, warningDiagnostic, messageOf, isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { checkIntegrity, checkpointBytes, formatVersion, newManifest } from '@cairn/state';
import type { Replayer, SerializedDeployment } from '@cairn/state';
import { nanoStamp } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { digestOf, storeCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { HistoryEntry } from '../history/history-entry.js';
import { writeHistory } from '../history/history-store.js';
import { pruneJournals } from '../records/prune.js';
import { keepBase } from '../records/base-copy.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { fullStackName } from '../stack-id.js';
import type { StackId } from '../stack-id.js';
import { getJournalFile, listJournals, putJournalFile } from './journal-files.js';
import type { FoldFile, JournalEnd, JournalRow } from './journal-files.js';

/** A journal to be folded into the checkpoint it started from. */
export interface Fold {
  readonly id: StackId;
  readonly change: string;
  readonly number: number;
  /** Id of the lock in the journal's operation file: who may fold it as its own. */
  readonly lock: string;
  readonly base: StoredCheckpoint;
  readonly replayer: Replayer;
  /** Stored as it is, in place of what the entries come to: what a person wants the state to be. */
  readonly edited?: SerializedDeployment;
  /** Undefined: none is written, and no backup copy. */
  readonly history: HistoryEntry | undefined;
  readonly end: JournalEnd;
}

/** What a fold came to. `diagnostics`: integrity failures (the state is written all the same), history that could not be written. */
export interface FoldReport {
  readonly deployment: SerializedDeployment;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Folds a journal into the checkpoint. The order of durable writes makes it safe to die between any two of them and to fold again:
 *
 * 1. a copy of the state that it started from; `fold.json`: what is about to be written, by digest, and the stamp of everything that follows;
 * 2. the previous checkpoint as `.bak`, then the new one, only while the previous is still what the journal started from;
 * 3. history entry, its copy of the checkpoint, backup copy, under names made of the stamp;
 * 4. `sealed.json`.
 */
export async function foldJournal(context: BackendContext, fold: Fold): Promise<FoldReport> {
  const { store, settings } = context;
  const { id, base } = fold;
  const directory = layout.journalOf(id, fold.change);
  const checked = folded(context, fold);
  const bytes = checkpointBytes(fullStackName(id), checked.deployment);
  await refuseStale(context, fold, directory);
  const stamp = await nextStamp(context, fold);
  const plan: FoldFile = {
    lock: context.instance,
    base: base.digest,
    checkpoint: digestOf(bytes),
    stamp,
    ...(fold.history === undefined ? {} : { history: fold.history }),
    end: fold.end,
  };
  await keepBase(store, directory, base);
  await putJournalFile(store, directory, 'fold', plan);
  const key = await storeCheckpoint(store, { id, bytes, previous: base, settings, stamp });
  const late = await finishFold(context, fold, plan, key);
  return { deployment: checked.deployment, diagnostics: [...checked.diagnostics, ...late] };
}

/** Steps 3 and 4, also for a fold that was cut short after step 2. History that cannot be written is a warning. */
export async function finishFold(
  context: BackendContext,
  fold: Pick<Fold, 'id' | 'change' | 'end'>,
  plan: FoldFile,
  checkpoint: string,
): Promise<readonly Diagnostic[]> {
  const { store, settings } = context;
  const { id } = fold;
  const diagnostics: Diagnostic[] = [];
  const { stamp, history: entry } = plan;
  try {
    if (entry !== undefined) await writeHistory(store, { id, stamp, entry, checkpoint, settings });
  } catch (thrown) {
    diagnostics.push(...historyWarnings(thrown));
  }
  await putJournalFile(store, layout.journalOf(id, fold.change), 'sealed', {
    lock: context.instance,
    ...fold.end,
  });
  await pruneJournals(store, id, settings.journalRetention);
  return diagnostics;
}

/**
 * Later than the stamp of the operation before, so that the history is in the order of the operations, whatever the clock says.
 */
async function nextStamp(context: BackendContext, { id, number }: Fold): Promise<string> {
  const before = (await listJournals(context.store, id)).findLast(
    (row) => row.number < number && row.files.has(JOURNAL_FILES.fold),
  );
  const last =
    before &&
    (await getJournalFile(context.store, layout.journalOf(id, before.change), 'fold').catch(() => undefined));
  const now = BigInt(nanoStamp(context.now(), number));
  const next = /^\d{1,30}$/.test(last?.stamp ?? '') ? BigInt(last?.stamp ?? 0) + 1n : 0n;
  return String(now > next ? now : next);
}

/** A writer whose fence is not the newest, or whose journal was sealed by somebody else, must not touch the checkpoint (DESIGN D4). */
async function refuseStale(context: BackendContext, fold: Fold, directory: string): Promise<void> {
  const operation = await getJournalFile(context.store, directory, 'operation');
  const newest = (await listJournals(context.store, fold.id)).at(-1) as JournalRow | undefined;
  const unsealed = newest?.files.has(JOURNAL_FILES.sealed) === false;
  if (operation?.lock === fold.lock && newest?.number === fold.number && unsealed) return;
  throw cairnError(
    'CAIRN-STORE-CONFLICT',
    `cannot store the state of stack "${fold.id.stack}": another operation began meanwhile`,
    {
      causes: [
        `this is operation ${fold.number}; the newest is ${newest?.number ?? 'gone'}${unsealed ? '' : ', and it was taken over'}`,
      ],
      hint: `What this operation recorded is in ${directory} and is kept. Find out who else works on the stack.`,
    },
  );
}

function folded(context: BackendContext, { replayer, edited }: Fold): FoldReport {
  if (edited !== undefined) return { deployment: edited, diagnostics: [] };
  return withIntegrity(context, replayer.generate(newManifest(context.now(), context.version)));
}

/** The check comes before the write, and the write always happens (state.md 2.4). */
function withIntegrity(context: BackendContext, deployment: SerializedDeployment): FoldReport {
  const { failure } = checkIntegrity(deployment, 'write');
  if (failure === undefined) {
    const clean =
      deployment.integrityError === undefined ? deployment : { ...deployment, integrityError: undefined };
    return { deployment: clean, diagnostics: [] };
  }
  const integrityError = {
    version: String(formatVersion(deployment).version),
    command: context.command,
    error: failure.summary,
  };
  return { deployment: { ...deployment, integrityError }, diagnostics: [failure] };
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
