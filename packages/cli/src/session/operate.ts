import { EXIT, cairnError, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { OpenCrypter, StackId, StackLease, UpdateKind } from '@cairn/backends';
import type { OperationRequest, OperationResult, StepKind } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import type { Flags } from '../commands/command-spec.js';
import { previewDigest } from '../display/preview-digest.js';
import { chooseOne, needsAnswer } from '../terminal/prompt.js';
import type { World } from '../world.js';
import { conclude, exitCode } from './conclude.js';
import { detach, startEnvironment, wantsDetach } from './detach.js';
import { rememberInterrupts } from './interrupts.js';
import { tell, warnOfSecrets } from './open-stack.js';
import { noPlans, planOfUpdate, writePlan } from './plan-file.js';
import type { PlanChoice } from './plan-file.js';
import { phase } from './phase.js';
import type { Held, PhaseDisplay } from './phase.js';
import { historyConfig, prepare } from './prepare.js';
import type { Prepared } from './prepare.js';
import { refuseContradictions } from './scope.js';
import { crypterFor, openState, sealAnew, sealedElsewhere, withManager } from './state-of-stack.js';

/** An operation as a command asks for it. */
export interface Operation {
  readonly kind: 'up' | 'destroy' | 'refresh' | 'import';
  /** Show only; nothing is locked or changed. */
  readonly previewOnly: boolean;
  readonly flags: Flags;
  /** What an import takes over, once the stack is known. */
  readonly imports?: (id: StackId) => OperationRequest['imports'];
}

const HISTORY_KINDS: Readonly<Record<Operation['kind'], UpdateKind>> = {
  up: 'update',
  destroy: 'destroy',
  refresh: 'refresh',
  import: 'resource-import',
};
const QUESTION_NAMES: Readonly<Record<Operation['kind'], string>> = {
  up: 'update',
  destroy: 'destroy',
  refresh: 'refresh',
  import: 'import',
};

/** Runs a whole operation: preview, question, the real thing, and what is said about it. Resolves with the exit code. */
export async function operate(
  world: World,
  operation: Operation,
  afterwards?: (prepared: Prepared) => Promise<void>,
): Promise<number> {
  const { flags } = operation;
  refuseContradictions(operation);
  const prepared = await prepare(world, flags, {
    createFirst: operation.kind === 'up' && !operation.previewOnly,
  });
  if (flags.on('show-secrets')) warnOfSecrets(world);
  try {
    if (operation.previewOnly) return await previewOnly(world, prepared, operation);
    refuseUnconfirmed(world, flags);
    if (wantsDetach(world, flags)) return await inBackground(world, prepared, operation);
    const plans = operation.kind === 'up' ? await planOfUpdate(world, flags, prepared) : noPlans;
    const interrupts = rememberInterrupts(world);
    let code: number;
    try {
      const lease = await leaseStack(world, prepared);
      try {
        tell(world, lease.notes);
        code = await underLease(world, prepared, operation, lease, plans, interrupts.heard);
      } finally {
        await lease.release().catch((error: unknown) => tell(world, [unreleased(prepared, error)]));
      }
    } finally {
      interrupts.stop();
    }
    if (code !== EXIT.ok || afterwards === undefined) return code;
    await afterwards(prepared);
    return EXIT.ok;
  } finally {
    await prepared.backend.close();
  }
}

/** Shows the preview and asks here, and leaves the rest to a process in the background. Stdout stays free for the change's id. */
async function inBackground(world: World, prepared: Prepared, operation: Operation): Promise<number> {
  const { flags } = operation;
  const asks = !flags.on('yes') && !skipsConfirmations(world);
  if (asks && !flags.on('skip-preview')) {
    const shown = { ...world, stdout: world.stderr };
    const { deployment, warnings } = await prepared.backend.read(prepared.id);
    tell(world, warnings);
    const base = deployment === undefined ? emptySnapshot : await openState(world, prepared, deployment);
    const { result, display } = await phase(shown, prepared, operation, base, 'preview', undefined);
    conclude(shown, operation, result, display);
    if (result.summary.result !== 'succeeded') return exitCode(flags, result);
    if (!(await confirmed(shown, flags, display, operation)))
      throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
  }
  return detach(world, flags, prepared.id, { answered: asks });
}

async function previewOnly(world: World, prepared: Prepared, operation: Operation): Promise<number> {
  const { deployment, warnings } = await prepared.backend.read(prepared.id);
  tell(world, warnings);
  const base = deployment === undefined ? emptySnapshot : await openState(world, prepared, deployment);
  const file = operation.kind === 'up' ? operation.flags.text('save-plan') : undefined;
  const { result, display } = await phase(world, prepared, operation, base, 'preview', undefined, {
    claims: undefined,
    plan: { make: file !== undefined },
  });
  if (operation.flags.on('json'))
    world.stdout.write(
      previewDigest(display.events, result, prepared, {
        showSecrets: operation.flags.on('show-secrets'),
        showSames: operation.flags.on('show-sames'),
      }),
    );
  else conclude(world, operation, result, display);
  if (file !== undefined && result.plan !== undefined) {
    await writePlan(world, prepared, file, result.plan, operation.flags.on('show-secrets'));
  }
  return exitCode(operation.flags, result);
}

/** Nobody can be asked: the flag that answers must be there before anything is locked or planned. */
function refuseUnconfirmed(world: World, flags: Flags): void {
  if (flags.on('yes') || world.terminal.interactive || skipsConfirmations(world)) return;
  throw needsAnswer('this changes resources and needs a confirmation', '--yes');
}

function skipsConfirmations(world: World): boolean {
  const text = world.env['CAIRN_SKIP_CONFIRMATIONS'] ?? world.env['PULUMI_SKIP_CONFIRMATIONS'];
  return text === '1' || text?.toLowerCase() === 'true';
}

/** Takes the stack; a state that another secrets manager sealed is sealed anew first, so that one state has one manager. */
async function leaseStack(world: World, prepared: Prepared): Promise<StackLease> {
  const openCrypter: OpenCrypter = (_record, deployment) => crypterFor(world, prepared, deployment);
  const lease = await prepared.backend.lease(prepared.id, { openCrypter });
  if (!sealedElsewhere(prepared, lease.deployment)) return lease;
  tell(world, lease.notes);
  await lease.release();
  await prepared.backend.replace(prepared.id, await sealAnew(prepared, lease.deployment, lease.snapshot));
  return prepared.backend.lease(prepared.id, { openCrypter });
}

function unreleased(prepared: Prepared, error: unknown): Diagnostic {
  return warningDiagnostic(
    'CAIRN-STATE-LOCKED',
    `the lock of stack "${prepared.id.stack}" could not be released`,
    {
      causes: [messageOf(error)],
      hint: `remove it with \`cairn cancel ${prepared.id.stack}\``,
    },
  );
}

async function underLease(
  world: World,
  prepared: Prepared,
  operation: Operation,
  lease: StackLease,
  plans: PlanChoice,
  interrupted: () => boolean,
): Promise<number> {
  const { flags } = operation;
  const base = withManager(prepared, lease.snapshot);
  let made: OperationResult | undefined;
  if (!flags.on('skip-preview') && !flags.on('json')) {
    const { result, display } = await phase(world, prepared, operation, base, 'preview', undefined, {
      claims: undefined,
      plan: plans.preview,
    });
    conclude(world, operation, result, display);
    if (result.summary.result !== 'succeeded') return exitCode(flags, result);
    made = result;
    if (!(await confirmed(world, flags, display, operation))) {
      throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
    }
  }
  if (interrupted()) throw cairnError('CAIRN-CANCELLED', 'interrupted: nothing was changed');
  return realRun(world, prepared, operation, lease, base, {
    claims: made?.claims,
    plan: plans.run(made?.plan),
  });
}

async function confirmed(
  world: World,
  flags: Flags,
  display: PhaseDisplay,
  operation: Operation,
): Promise<boolean> {
  if (flags.on('yes') || skipsConfirmations(world)) return true;
  for (;;) {
    const answer = await chooseOne(
      world,
      `Do you want to perform this ${QUESTION_NAMES[operation.kind]}?`,
      [
        { value: 'yes', label: 'yes' },
        { value: 'no', label: 'no' },
        { value: 'details', label: 'details', hint: 'every changed property' },
      ] as const,
      'no',
    );
    if (answer !== 'details') return answer === 'yes';
    world.stdout.write(`${display.details().join('\n')}\n\n`);
  }
}

async function realRun(
  world: World,
  prepared: Prepared,
  operation: Operation,
  lease: StackLease,
  base: Snapshot,
  held: Held,
): Promise<number> {
  const { flags } = operation;
  const log = await lease.begin({
    kind: HISTORY_KINDS[operation.kind],
    message: flags.text('message') ?? '',
    environment: startEnvironment(world),
    config: historyConfig(prepared.config),
  });
  const change = String(Number(log.changeId));
  world.announce(change);
  let result: OperationResult;
  let display: PhaseDisplay;
  try {
    ({ result, display } = await phase(world, prepared, operation, base, 'run', log.store, {
      ...held,
      change,
    }));
  } catch (error) {
    await log.abandon();
    throw error;
  }
  const report = await log.finish({
    result: result.summary.result === 'succeeded' ? 'succeeded' : 'failed',
    resourceChanges: logicalChanges(result.summary.changes),
  });
  tell(world, report.diagnostics);
  if (!flags.on('json')) conclude(world, operation, result, display);
  return exitCode(flags, result);
}

function logicalChanges(changes: OperationResult['summary']['changes']): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(changes).filter(([, count]) => count > 0)) as Record<
    StepKind,
    number
  >;
}
