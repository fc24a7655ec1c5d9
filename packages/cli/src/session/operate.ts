import type { ChangeLine, StackId, StackLease } from '@cairn/backends';
import { EXIT, cairnError, isCairnError } from '@cairn/diagnostics';
import type { OperationKind, OperationRequest, OperationResult } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import { maskedError } from '@cairn/operations';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { flagsWithout } from './absent-flags.js';
import { askInDoubt } from './ask-in-doubt.js';
import { answerForm } from '../display/answer-form.js';
import { answer, conclude, exitCode } from './conclude.js';
import { confirmed, isConfirmed, refuseUnconfirmed } from './confirm.js';
import { detach, wantsDetach } from './detach.js';
import { errorPolicy, isolation } from './error-policy.js';
import { goingOn } from './going-on.js';
import type { TypedImport } from './import-operation.js';
import { withLease } from './leased.js';
import { warnOfSecrets } from './open-stack.js';
import { tell } from './tell.js';
import { phase } from './phase.js';
import { noPlans, planOfUpdate, writePlan } from './plan-file.js';
import type { PlanChoice } from './plan-file.js';
import { opened, prepare } from './prepare.js';
import type { Prepared } from './prepare.js';
import { realRun } from './real-run.js';
import type { Ended } from './real-run.js';
import { resumeAgain, resumeLine } from './resume.js';
import { rollBackLine } from './rollback.js';
import { refuseContradictions } from './scope.js';
import { claimsForLease } from './stack-claims.js';
import { openState, withManager } from './state-of-stack.js';
import { chooseCourse, tellUnfinished } from './unfinished.js';

/** An operation as a command asks for it. */
export interface Operation {
  readonly kind: OperationKind;
  /** Show only; nothing is locked or changed. */
  readonly previewOnly: boolean;
  readonly flags: Flags;
  /** What it is called above its steps; absent: by its kind. */
  readonly title?: string;
  /** What an import takes over, once the stack is known. */
  readonly imports?: (id: StackId) => OperationRequest['imports'];
  /** How an import was typed, for its record. */
  readonly typed?: TypedImport;
  /** What follows when it has succeeded. */
  readonly afterwards?: (prepared: Prepared) => Promise<void>;
}

/**
 * Runs a whole operation: preview, question, the real thing, and what is said about it. Resolves with the exit code.
 */
export async function operate(world: World, operation: Operation): Promise<number> {
  const { flags } = operation;
  refuseContradictions(operation);
  errorPolicy(flags);
  isolation(flags);
  const prepared = await prepare(world, flags, {
    createFirst: operation.kind === 'up' && !operation.previewOnly,
  });
  if (flags.on('show-secrets')) warnOfSecrets(world);
  try {
    if (operation.previewOnly) return await previewOnly(world, prepared, operation);
    refuseUnconfirmed(world, flags);
    if (wantsDetach(world, flags)) return await inBackground(world, prepared, operation);
    const plans = operation.kind === 'up' ? await planOfUpdate(world, flags, prepared) : noPlans;
    const claims = await claimsForLease(world, prepared, operation);
    const ended = await withLease(
      world,
      prepared,
      (lease, interrupted) => underLease(world, prepared, operation, lease, plans, interrupted),
      claims === undefined ? {} : { claims },
    );
    if (typeof ended === 'number') return ended;
    const answers = await askInDoubt(world, ended);
    if (answers.size > 0) return await resumeAgain(world, prepared, flags, answers);
    if (ended.code === EXIT.ok) await ended.afterwards?.(prepared);
    return ended.code;
  } catch (error) {
    throw maskedError(error, prepared.mask.mask);
  } finally {
    await prepared.backend.close();
  }
}

/**
 * Shows the preview and asks here, and leaves the rest to a process in the background. Stdout stays free for the
 * change's id.
 */
async function inBackground(world: World, prepared: Prepared, operation: Operation): Promise<number> {
  const { flags } = operation;
  const asks = !isConfirmed(world, flags);
  await opened(prepared);
  if (asks && !flags.on('skip-preview')) {
    const shown = { ...world, stdout: world.stderr };
    const { result, display } = await readOnly(shown, prepared, operation, undefined);
    conclude(shown, operation, result, display);
    if (result.summary.result !== 'succeeded') return exitCode(flags, result);
    if (!(await confirmed(shown, flags, display, operation.kind)))
      throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
  }
  return detach(world, flags, prepared.id, { answered: asks });
}

async function previewOnly(world: World, prepared: Prepared, operation: Operation): Promise<number> {
  const { flags } = operation;
  const file = operation.kind === 'up' ? flags.text('save-plan') : undefined;
  const { result, display } = await readOnly(world, prepared, operation, file);
  answer(world, prepared, operation, 'preview', result, display);
  if (file !== undefined && result.plan !== undefined) {
    await writePlan(world, prepared, file, result.plan, flags.on('show-secrets'));
  }
  return exitCode(flags, result);
}

/** A preview of the state as it can be read without a lock; what did not end is named. */
async function readOnly(
  world: World,
  prepared: Prepared,
  operation: Operation,
  file: string | undefined,
): ReturnType<typeof phase> {
  const { deployment, warnings } = await prepared.backend.read(prepared.id);
  tell(world, warnings);
  await tellUnfinished(world, prepared);
  const base = deployment === undefined ? emptySnapshot : await openState(world, prepared, deployment);
  const shown = await phase(world, prepared, operation, base, 'preview', undefined, {
    claims: undefined,
    plan: { make: file !== undefined },
    onStart: (running) => void wrongPassphrase(prepared).then((wrong) => wrong && running.kill()),
  });
  if (await wrongPassphrase(prepared)) await opened(prepared);
  return shown;
}

/** Whether the passphrase is not the one of the stack. One that is missing is none as long as nothing needs it. */
function wrongPassphrase(prepared: Prepared): Promise<boolean> {
  return opened(prepared).then(
    () => false,
    (error: unknown) => isCairnError(error) && error.diagnostics[0]?.code === 'CAIRN-PASSPHRASE-WRONG',
  );
}

/** How a real operation ended, with what follows when it has succeeded; or the exit code of one that was not begun. */
type Outcome = (Ended & Pick<Operation, 'afterwards'>) | number;

async function underLease(
  world: World,
  prepared: Prepared,
  operation: Operation,
  lease: StackLease,
  plans: PlanChoice,
  interrupted: () => boolean,
): Promise<Outcome> {
  const line = lease.unfinished;
  switch (await chooseCourse(world, operation, lease)) {
    case 'anew':
      return anew(world, prepared, operation, lease, plans, interrupted);
    case 'resume':
      return resumeLine(world, prepared, operation.flags, lease, line as ChangeLine);
    case 'rollback': {
      // Whoever chooses this has seen nothing of it yet.
      const flags = flagsWithout(operation.flags, 'skip-preview');
      return rollBackLine(world, prepared, flags, lease, line as ChangeLine);
    }
    case 'cancel':
      throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
  }
}

/** An operation that goes on with nothing. */
async function anew(
  world: World,
  prepared: Prepared,
  operation: Operation,
  lease: StackLease,
  plans: PlanChoice,
  interrupted: () => boolean,
): Promise<Outcome> {
  const { flags, afterwards } = operation;
  const base = withManager(prepared, lease.snapshot);
  let made: OperationResult | undefined;
  if (!flags.on('skip-preview') && answerForm(world, flags, 'run') === 'text') {
    const { result, display } = await phase(world, prepared, operation, base, 'preview', undefined, {
      claims: undefined,
      plan: plans.preview,
    });
    conclude(world, operation, result, display);
    if (result.summary.result !== 'succeeded') return exitCode(flags, result);
    made = result;
    if (!(await confirmed(world, flags, display, operation.kind)))
      throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
  }
  if (interrupted()) throw cairnError('CAIRN-CANCELLED', 'interrupted: nothing was changed');
  const ended = await realRun(world, prepared, operation, lease, base, {
    claims: made?.claims,
    plan: plans.run(made?.plan),
    goingOn: await goingOn(prepared, lease, lease.unfinished, undefined),
  });
  return afterwards === undefined ? ended : { ...ended, afterwards };
}
