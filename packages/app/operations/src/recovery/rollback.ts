import type { ChangeLineage, StackLease } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { toRollBack } from '@cairn/engine';
import type { DoneChange } from '@cairn/engine';
import { withLease } from '../operation/leased.js';
import type { Outcome } from '../operation/operation.js';
import type { Prepared } from '../operation/prepared.js';
import { answersInDoubt } from './answers.js';
import { choiceUnder, showDone } from './chosen-change.js';
import { resumeAgain } from './resume.js';
import { rollBackLineage } from './rollback-lineage.js';
import type { RollbackRunOptions, RollbackOptions } from './rollback-lineage.js';

/**
 * Rolls the newest change back, whether it stopped, failed or is done. `number` is the intended change. A change that
 * is done must be named, unless a preview of the rollback is shown and confirmed. Throws CAIRN-CHANGE-UNKNOWN,
 * CAIRN-CHANGE-SUPERSEDED, CAIRN-NEEDS-CONFIRMATION, CAIRN-CANCELLED.
 */
export async function rollBackOperation(
  prepared: Prepared,
  number: number | undefined,
  going: RollbackOptions = { options: {} },
  runOptions: RollbackRunOptions = {},
): Promise<Outcome> {
  await prepared.backend.service?.requireChanges();
  const outcome = await withLease(
    prepared,
    (lease, listening) => chosen(listening, number, going, runOptions, lease),
    { findsOut: true },
  );
  if (outcome.t === 'previewed') return outcome;
  const answers = await answersInDoubt(prepared, outcome);
  return answers.size > 0 ? resumeAgain(prepared, going.options, runOptions, answers) : outcome;
}

async function chosen(
  prepared: Prepared,
  number: number | undefined,
  going: RollbackOptions,
  runOptions: RollbackRunOptions,
  lease: StackLease,
): Promise<Outcome> {
  const { backend, id } = prepared;
  const newest = number === undefined ? await backend.newestChange(id) : undefined;
  const meant = toRollBack(await choiceUnder(lease, newest), number, isShownFirst(runOptions));
  switch (meant.t) {
    case 'done':
      return showDone(
        prepared,
        meant.done,
        runOptions,
        { t: 'rollback', change: meant.done.origin },
        'succeeded',
      );
    case 'change':
      return rollBackLineage(prepared, going, runOptions, lease, await lease.lineage(meant.number));
    case 'unfinished':
      return rollBackLineage(prepared, going, runOptions, lease, lease.unfinished as ChangeLineage);
    case 'to-be-named':
      throw toBeNamed(id.stack, meant.number, meant.done);
    case 'nothing':
      throw cairnError('CAIRN-CHANGE-UNKNOWN', `stack ${id.stack} has no change to roll back`, {
        hint: 'Run `cairn changes` to list the recorded changes.',
      });
  }
}

/**
 * Returns the error for a change that must be named. `done` is one that was done when its process died, which the
 * caller cannot have known.
 */
function toBeNamed(stack: string, number: number, done: DoneChange | undefined): Error {
  return cairnError(
    'CAIRN-NEEDS-CONFIRMATION',
    done === undefined
      ? `no change of stack ${stack} is unfinished, and one that is done must be named to be rolled back`
      : `change ${number} (${done.kind}) was done, and is now stored: it must be named to be rolled back`,
    {
      hint: `Run \`cairn rollback ${number} --yes\` to roll back change ${number}, or \`cairn rollback --preview-only\` to see what that does.`,
    },
  );
}

/** Tells whether the effect of a rollback is shown, and then confirmed, before anything is done. */
function isShownFirst({ preview, previewOnly, confirmed }: RollbackRunOptions): boolean {
  return previewOnly === true || (preview === true && confirmed !== true);
}
