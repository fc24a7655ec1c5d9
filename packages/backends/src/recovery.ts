import { asUrn, isUrn, urnName } from '@cairn/addresses';
import { cairnError, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SerializedDeployment } from '@cairn/state';
import { readCheckpoint, usableDeployment } from './checkpoint-file.js';
import { liveFold } from './fold.js';
import { endJournal, fingerprint, unendedJournals } from './journal-folder.js';
import type { UnendedJournal } from './journal-folder.js';
import { layout } from './layout.js';
import type { StackIdentity } from './layout.js';
import { ended, foldInto } from './locked-stack.js';
import type { StackTools } from './locked-stack.js';
import type { Holder } from './locks.js';

/** What to do with a journal that has no end, by what the checkpoint holds now. */
export type JournalVerdict = 'fold' | 'already folded' | 'checkpoint changed';

/** Decides by fingerprints alone; folding twice is impossible because the checkpoint then is what was announced. */
export function judgeJournal(
  journal: Pick<UnendedJournal, 'start' | 'folding'>,
  checkpoint: string,
): JournalVerdict {
  if (journal.start.base === checkpoint) return 'fold';
  return journal.folding?.checkpoint === checkpoint ? 'already folded' : 'checkpoint changed';
}

/**
 * Folds what dead operations recorded into the checkpoint. Called with the lock held. Returns what the user should know: that it
 * happened, and every step that was begun and whose outcome nobody recorded (CAIRN-IN-DOUBT). A journal that starts from another
 * checkpoint than there is now is refused and left as it is.
 */
export async function recover(tools: StackTools, id: StackIdentity): Promise<readonly Diagnostic[]> {
  const notes: Diagnostic[] = [];
  for (const journal of await unendedJournals(tools.store, id)) {
    const file = await readCheckpoint(tools.store, id);
    const verdict = judgeJournal(journal, fingerprint(file?.bytes));
    if (verdict === 'checkpoint changed') throw changedError(tools, id, journal);
    if (verdict === 'fold') {
      const base = usableDeployment(file, id);
      const fold = liveFold(base);
      fold.add(journal.records);
      if (fold.entries > 0) {
        const deployment = await foldInto(tools, id, file, fold, journal.change);
        notes.push(foldedNote(journal, fold.entries), ...inDoubtNotes(base, deployment));
      }
    }
    await endJournal(
      tools.store,
      id,
      journal.change,
      ended(tools.settings.now(), 'interrupted'),
      tools.settings.journalRetention,
    );
  }
  return notes;
}

/** Tells that locks of dead processes were taken over. */
export function takenNotes(id: StackIdentity, taken: readonly Holder[]): readonly Diagnostic[] {
  return taken.map((holder) =>
    warningDiagnostic(
      'CAIRN-STATE-LOCKED',
      `took over the lock of stack "${id.stack}" from process ${holder.pid}, which is gone`,
    ),
  );
}

function foldedNote(journal: UnendedJournal, entries: number): Diagnostic {
  return warningDiagnostic(
    'CAIRN-IN-DOUBT',
    `operation ${journal.change} (${journal.start.kind}) was interrupted; what it recorded is now in the state`,
    {
      causes: [
        `started ${journal.start.startedAt} by process ${journal.start.pid} on ${journal.start.hostname}; ${entries} journal entries`,
      ],
    },
  );
}

/** One note a step that was begun and not ended; steps that were in doubt before are not told again. */
function inDoubtNotes(base: SerializedDeployment, deployment: SerializedDeployment): readonly Diagnostic[] {
  const before = new Set(
    base.pendingOperations.map((operation) => `${operation.type} ${operation.resource.urn}`),
  );
  return deployment.pendingOperations
    .filter((operation) => !before.has(`${operation.type} ${operation.resource.urn}`))
    .map(({ type, resource }) => {
      const urn = isUrn(resource.urn) ? asUrn(resource.urn) : undefined;
      return warningDiagnostic(
        'CAIRN-IN-DOUBT',
        `${type} "${urn === undefined ? resource.urn : urnName(urn)}" was begun and its outcome is not known`,
        {
          ...(urn === undefined ? {} : { urn }),
          hint:
            type === 'creating'
              ? 'look whether the object exists: if it does, remove it or import it before the next `cairn up` creates another'
              : 'run `cairn refresh` to see what became of it',
        },
      );
    });
}

function changedError(tools: StackTools, id: StackIdentity, journal: UnendedJournal): Error {
  const folder = `${tools.store.url}/${layout.journals(id)}${journal.change}`;
  return cairnError(
    'CAIRN-STORE-CONFLICT',
    `operation ${journal.change} on stack "${id.stack}" was interrupted, and the state was changed by something else since`,
    {
      causes: [`its journal is in ${folder}; it starts from a state that is not there any more`],
      hint: 'compare the journal with the state, then move its folder away to go on',
    },
  );
}
