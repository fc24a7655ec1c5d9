import { EXIT, cairnError, exitCodeFor, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { OpenCrypter, StackId, StackLease, UpdateKind } from '@cairn/backends';
import type { OperationRequest, OperationResult, PlanOptions, PreviewClaims, StepKind } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import type { Flags } from '../commands/command-spec.js';
import type { Display } from '../display/display.js';
import { maskEvent, secretMask } from '../display/mask-secrets.js';
import { openDisplay } from '../display/open-display.js';
import type { ShownPhase } from '../display/open-display.js';
import { previewDigest } from '../display/preview-digest.js';
import { inDoubtLines, outputLines, summaryLines } from '../display/summary.js';
import { paintFor } from '../terminal/paint.js';
import { chooseOne, needsAnswer } from '../terminal/prompt.js';
import type { World } from '../world.js';
import { handleInterrupts, rememberInterrupts } from './interrupts.js';
import { tell, warnOfSecrets } from './open-stack.js';
import { noPlans, planOfUpdate, writePlan } from './plan-file.js';
import type { PlanChoice } from './plan-file.js';
import { policyPacks } from './policy-packs.js';
import { historyConfig, prepare } from './prepare.js';
import type { Prepared } from './prepare.js';
import { runsProgram } from './run-program.js';
import { refuseContradictions, scopeOf } from './scope.js';
import { runStage } from './stage.js';
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
const DEFAULT_PARALLEL = 16;

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
    environment: { 'exec.kind': 'cli' },
    config: historyConfig(prepared.config),
  });
  let result: OperationResult;
  let display: PhaseDisplay;
  try {
    ({ result, display } = await phase(world, prepared, operation, base, 'run', log.store, held));
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

type PhaseDisplay = Display & ShownPhase;

/** What a pass is held to: what the preview before it has claimed, and plans. */
interface Held {
  readonly claims: PreviewClaims | undefined;
  readonly plan: PlanOptions;
}

/** One pass with its display and interrupts. */
async function phase(
  world: World,
  prepared: Prepared,
  operation: Operation,
  base: Snapshot,
  which: 'preview' | 'run',
  store: Parameters<typeof runStage>[2]['store'],
  held: Held = { claims: undefined, plan: {} },
): Promise<{ result: OperationResult; display: PhaseDisplay }> {
  const { flags } = operation;
  const display = openDisplay(world, operation, prepared.id.stack, which);
  const interrupts = handleInterrupts(world, which, display);
  const mask = flags.on('show-secrets') ? undefined : secretMask(prepared.config.program.secretTexts);
  try {
    const result = await runStage(world, prepared, {
      kind: operation.kind,
      preview: which === 'preview',
      base,
      imports: operation.imports?.(prepared.id),
      parallel: flags.count('parallel') ?? DEFAULT_PARALLEL,
      wanted: scopeOf(operation, base),
      refresh: operation.kind !== 'refresh' && (flags.on('refresh') || prepared.project.refresh === 'always'),
      runProgram: runsProgram(world, flags),
      continueOnError: flags.on('continue-on-error'),
      strictProviders: flags.on('strict-providers'),
      ...held,
      policyPacks: operation.kind === 'up' ? await policyPacks(world, flags) : [],
      typecheck: operation.kind === 'up' && flags.on('typecheck'),
      store,
      emit: (event) => display.event(mask === undefined ? event : maskEvent(event, mask)),
      onStart: interrupts.started,
    });
    return { result, display };
  } catch (error) {
    display.event({
      t: 'diagnostic',
      diagnostic: { severity: 'debug', code: 'CAIRN-INTERNAL', summary: messageOf(error) },
      streamId: 0,
      ephemeral: false,
    });
    throw error;
  } finally {
    interrupts.stop();
    display.close();
  }
}

/** Outputs, steps in doubt, policies, counts and duration. */
function conclude(world: World, operation: Operation, result: OperationResult, display: PhaseDisplay): void {
  const paint = paintFor(world.terminal.colour);
  const lines = ['', ...outputLinesOf(operation, result, paint)];
  lines.push(...inDoubtLines(result.inDoubt, paint));
  lines.push(...display.policies(), ...summaryLines(result.summary, paint, display.tally), '');
  world.stdout.write(lines.join('\n'));
}

function outputLinesOf(
  operation: Operation,
  result: OperationResult,
  paint: ReturnType<typeof paintFor>,
): readonly string[] {
  if (operation.kind === 'destroy' || result.stackOutputs === undefined) return [];
  return outputLines(result.stackOutputs, operation.flags.on('show-secrets'), paint);
}

const UNCHANGED: ReadonlySet<string> = new Set(['same', 'read', 'refresh']);

/** A non-zero code whenever work asked for was not done (CLI.md 2.13, 2.15). */
function exitCode(flags: Flags, result: OperationResult): number {
  const { summary } = result;
  if (summary.result === 'cancelled') return EXIT.cancelled;
  if (summary.result === 'failed') {
    const error = result.diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    return error === undefined ? EXIT.general : exitCodeFor(error.code);
  }
  const changed = Object.entries(summary.changes).some(([kind, count]) => count > 0 && !UNCHANGED.has(kind));
  return flags.on('expect-no-changes') && changed ? EXIT.unexpectedChanges : EXIT.ok;
}
