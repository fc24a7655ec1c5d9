import { didNothing } from '@cairn/backends';
import type { ChangeLine, StackLease } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { Resolution } from '@cairn/engine';
import { maskedError } from '@cairn/operations';
import { parseChangeId } from '../changes/change-id.js';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { absentFlags } from './absent-flags.js';
import { askInDoubt } from './ask-in-doubt.js';
import { answer, exitCode } from './conclude.js';
import { answerForm } from '../display/answer-form.js';
import { confirmed, isConfirmed, refuseUnconfirmed } from './confirm.js';
import { detach, wantsDetach } from './detach.js';
import { goingOn } from './going-on.js';
import { withLease } from './leased.js';
import { warnOfSecrets } from './open-stack.js';
import type { Operation } from './operate.js';
import { phase } from './phase.js';
import { prepare } from './prepare.js';
import type { Prepared } from './prepare.js';
import { realRun } from './real-run.js';
import type { Ended } from './real-run.js';
import { resumeAgain } from './resume.js';
import { withManager } from './state-of-stack.js';
import { tell } from './tell.js';
import { stackWords } from './what-next.js';

/**
 * `cairn rollback [ID]`: takes the newest change back, whether it stopped, failed or is done: shows what will be done
 * and what cannot, asks, and does it. One that is done has to be named, unless somebody is shown what it comes to and
 * asked. Resolves with the exit code.
 */
export async function rollBackChange(world: World, flags: Flags, id: string | undefined): Promise<number> {
  const number = id === undefined ? undefined : parseChangeId(id);
  const prepared = await prepare(world, flags, { createFirst: false });
  if (flags.on('show-secrets')) warnOfSecrets(world);
  try {
    if (!flags.on('preview-only')) refuseUnconfirmed(world, flags);
    if (wantsDetach(world, flags)) return await detach(world, flags, prepared.id, { answered: false });
    const ended = await withLease(
      world,
      prepared,
      async (lease) => {
        const line = await chosenLine(prepared, lease, number, isShownFirst(world, flags));
        return rollBackLine(world, prepared, flags, lease, line);
      },
      { findsOut: true },
    );
    if (typeof ended === 'number') return ended;
    const answers = await askInDoubt(world, ended);
    return answers.size > 0 ? await resumeAgain(world, prepared, flags, answers) : ended.code;
  } catch (error) {
    throw maskedError(error, prepared.mask.mask);
  } finally {
    await prepared.backend.close();
  }
}

/**
 * The line of the change that is named, else of the newest one, also when that did nothing: no other one is meant.
 * `shown`: somebody is asked about what the rollback does. Throws CAIRN-CHANGE-UNKNOWN, CAIRN-CHANGE-SUPERSEDED,
 * CAIRN-NEEDS-CONFIRMATION.
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
function isShownFirst(world: World, flags: Flags): boolean {
  if (flags.has('preview-only') && flags.on('preview-only')) return true;
  return (
    !flags.on('skip-preview') && answerForm(world, flags, 'run') === 'text' && !isConfirmed(world, flags)
  );
}

function rollbackOperation(flags: Flags, title: string): Operation {
  return { kind: 'rollback', previewOnly: false, flags: absentFlags(flags), title };
}

/** Preview, question and rollback of a line under a lease; the exit code when it ends before the rollback begins. */
export async function rollBackLine(
  world: World,
  prepared: Prepared,
  flags: Flags,
  lease: StackLease,
  line: ChangeLine,
): Promise<Ended | number> {
  if (line.changes.every(({ row }) => didNothing(row)))
    return nothingToTakeBack(world, prepared, flags, lease, line);
  const only = flags.has('preview-only') && flags.on('preview-only');
  if (only || (!flags.on('skip-preview') && answerForm(world, flags, 'run') === 'text')) {
    const operation = rollbackOperation(flags, `Previewing rollback of change ${Number(line.origin)}`);
    const { result, display } = await previewed(world, prepared, operation, lease, line);
    answer(world, prepared, operation, 'preview', result, display);
    if (only || result.summary.result !== 'succeeded') return exitCode(flags, result);
    if (!(await confirmed(world, flags, display, 'rollback')))
      throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
  }
  return rollBackAgain(world, prepared, flags, lease, line, {});
}

/** What the rollback of a line comes to, without doing any of it. */
async function previewed(
  world: World,
  prepared: Prepared,
  operation: Operation,
  lease: StackLease,
  line: ChangeLine,
): ReturnType<typeof phase> {
  return phase(world, prepared, operation, withManager(prepared, lease.snapshot), 'preview', undefined, {
    claims: undefined,
    plan: {},
    goingOn: await goingOn(prepared, lease, line, 'rollback'),
  });
}

/** Says so in the form that was asked for, and leaves every other change alone. */
async function nothingToTakeBack(
  world: World,
  prepared: Prepared,
  flags: Flags,
  lease: StackLease,
  line: ChangeLine,
): Promise<number> {
  const number = Number(line.origin);
  const operation = rollbackOperation(flags, `Rolling back change ${number}`);
  const { result, display } = await previewed(world, prepared, operation, lease, line);
  answer(world, prepared, operation, 'run', result, display);
  const earlier = (await prepared.backend.changes(prepared.id)).find(
    ({ result: ended }) => ended !== 'nothing',
  );
  tell(world, [
    {
      severity: 'info',
      code: 'CAIRN-CHANGE-ENDED',
      summary: `change ${number} did nothing: there is nothing to roll back`,
      ...(earlier !== undefined && {
        hint: `\`cairn rollback ${earlier.id}${stackWords(flags)}\` rolls back the change before it, \`cairn changes${stackWords(flags)}\` lists them`,
      }),
    },
  ]);
  return exitCode(flags, result);
}

/** The rollback itself, without preview and question. */
export async function rollBackAgain(
  world: World,
  prepared: Prepared,
  flags: Flags,
  lease: StackLease,
  line: ChangeLine,
  options: { readonly answers?: ReadonlyMap<string, Resolution>; readonly title?: string },
): Promise<Ended> {
  const title = options.title ?? `Rolling back change ${Number(line.origin)}`;
  const operation = rollbackOperation(flags, title);
  return realRun(world, prepared, operation, lease, withManager(prepared, lease.snapshot), {
    claims: undefined,
    plan: {},
    goingOn: await goingOn(prepared, lease, line, 'rollback', options.answers),
  });
}
