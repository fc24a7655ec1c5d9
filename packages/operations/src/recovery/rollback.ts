import { didNothing } from '@cairn/backends';
import type { ChangeLine, StackLease } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { withLease } from '../operation/leased.js';
import type { Outcome } from '../operation/operation.js';
import type { Prepared } from '../operation/prepared.js';
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
      const line = await chosenLine(prepared, lease, number, isShownFirst(conduct));
      return rollBackLine(prepared, going, conduct, lease, line);
    },
    { findsOut: true },
  );
  if (outcome.t === 'previewed') return outcome;
  const answers = await answersInDoubt(prepared, outcome);
  return answers.size > 0 ? resumeAgain(prepared, going.options, conduct, answers) : outcome;
}

/**
 * The line of the change that is named, else of the newest one, also when that did nothing: no other one is meant.
 * `shown`: somebody is asked about what the rollback does.
 */
async function chosenLine(
  { backend, id }: Prepared,
  lease: StackLease,
  number: number | undefined,
  shown: boolean,
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
      `no change of stack ${id.stack} is unfinished, and one that is done is only rolled back when it is named`,
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
