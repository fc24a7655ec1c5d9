import { didNothing } from '@cairn/backends';
import type { ChangeLine, StackLease } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { withLease } from '../operation/leased.js';
import type { Outcome } from '../operation/operation.js';
import type { Prepared } from '../operation/prepared.js';
import { alreadyDone, isTakenBack, showDone } from './already-done.js';
import type { AlreadyDone } from './already-done.js';
import { answersInDoubt } from './answers.js';
import { resumeAgain } from './resume.js';
import { rollBackLine } from './rollback-line.js';
import type { RollbackConduct, RollbackOptions } from './rollback-line.js';

/**
 * Takes the newest change back, whether it stopped, failed or is done. `number`: the change that is meant; one that is
 * done has to be named, unless somebody is shown what its rollback comes to and asked. Throws CAIRN-CHANGE-UNKNOWN,
 * CAIRN-CHANGE-SUPERSEDED, CAIRN-NEEDS-CONFIRMATION, CAIRN-CANCELLED.
 */
export async function rollBack(
  prepared: Prepared,
  number: number | undefined,
  going: RollbackOptions = { options: {} },
  conduct: RollbackConduct = {},
): Promise<Outcome> {
  const outcome = await withLease(
    prepared,
    async (lease) => {
      const done = alreadyDone(lease, number);
      if (done !== undefined && isTakenBack(done)) return rollBackDone(prepared, conduct, done);
      const line = await chosenLine(prepared, lease, number, { shown: isShownFirst(conduct), done });
      return rollBackLine(prepared, going, conduct, lease, line);
    },
    { findsOut: true },
  );
  if (outcome.t === 'previewed') return outcome;
  const answers = await answersInDoubt(prepared, outcome);
  return answers.size > 0 ? resumeAgain(prepared, going.options, conduct, answers) : outcome;
}

/** Everything was taken back already. */
function rollBackDone(prepared: Prepared, conduct: RollbackConduct, done: AlreadyDone): Promise<Outcome> {
  return showDone(prepared, done, conduct, { t: 'rollback', change: done.origin }, 'succeeded');
}

/**
 * The line of the change that is named, else of the newest one, also when that did nothing: no other one is meant.
 * `shown`: somebody is asked about what the rollback does. `done`: it was over when its process died, which whoever
 * asks cannot have known.
 */
async function chosenLine(
  { backend, id }: Prepared,
  lease: StackLease,
  number: number | undefined,
  { shown, done }: { readonly shown: boolean; readonly done: AlreadyDone | undefined },
): Promise<ChangeLine> {
  if (number !== undefined) return lease.line(number);
  const [newest] = await backend.changes(id);
  if (newest !== undefined && didNothing(newest)) return lease.line(newest.number);
  if (lease.unfinished !== undefined) return lease.unfinished;
  if (newest === undefined)
    throw cairnError('CAIRN-CHANGE-UNKNOWN', `stack ${id.stack} has no change to roll back`, {
      hint: '`cairn changes` lists the changes whose records are kept',
    });
  if (!shown)
    throw cairnError(
      'CAIRN-NEEDS-CONFIRMATION',
      done === undefined
        ? `no change of stack ${id.stack} is unfinished, and one that is done is only rolled back when it is named`
        : `change ${done.change} (${done.kind}) was done, and is stored now: it is only rolled back when it is named`,
      {
        hint: `\`cairn rollback ${newest.number} --yes\` rolls back change ${newest.number}, \`cairn rollback --preview-only\` shows what that does`,
      },
    );
  return lease.line(newest.number);
}

/** Whether what a rollback does is shown, and then asked about, before anything is done. */
function isShownFirst({ preview, previewOnly, confirmed }: RollbackConduct): boolean {
  return previewOnly === true || (preview === true && confirmed !== true);
}
