import { messageOf } from '@cairn/diagnostics';
import type {
  EngineEvent,
  OperationResult,
  PlanOptions,
  Ports,
  PreviewClaims,
  RunningOperation,
} from '@cairn/engine';
import type { Snapshot } from '@cairn/state';
import type { Display } from '../display/display.js';
import { maskEvent, maskResult } from '@cairn/operations';
import type { SecretMask } from '@cairn/operations';
import { openEventLog } from '../display/event-log.js';
import { openDisplay } from '../display/open-display.js';
import type { ShownPhase } from '../display/open-display.js';
import type { World } from '../world.js';
import { errorPolicy, isolation } from './error-policy.js';
import type { GoingOn } from './going-on.js';
import { handleInterrupts } from './interrupts.js';
import type { Operation } from './operate.js';
import { tell } from './tell.js';
import { policyPacks } from './policy-packs.js';
import type { Prepared } from './prepare.js';
import { runsProgram } from './run-program.js';
import { scopeOf } from './scope.js';
import { runStage } from './stage.js';

const DEFAULT_PARALLEL = 16;

/** A display, and what it remembers of its phase. */
export type PhaseDisplay = Display & ShownPhase;

/** What a pass is held to: what the preview before it has claimed, and plans. */
export interface Held {
  readonly claims: PreviewClaims | undefined;
  readonly plan: PlanOptions;
  /** Id of the change that is made; undefined for previews. */
  readonly change?: string;
  /** What it goes on with; absent: nothing. */
  readonly goingOn?: GoingOn;
  /** Claims what steps touch; absent: nothing is to be claimed. */
  readonly claim?: Ports['claim'];
  /** Told of interrupts while it runs. */
  readonly onInterrupt?: () => void;
  /** Gets the running operation and where to say something about it. */
  readonly onStart?: (running: RunningOperation, display: PhaseDisplay) => void;
}

/** One pass with its display and interrupts. */
export async function phase(
  world: World,
  prepared: Prepared,
  operation: Operation,
  base: Snapshot,
  which: 'preview' | 'run',
  store: Parameters<typeof runStage>[2]['store'],
  held: Held = { claims: undefined, plan: {} },
): Promise<{ result: OperationResult; display: PhaseDisplay }> {
  const { flags } = operation;
  const { change, goingOn, claims, plan } = held;
  const log = await openEventLog(world, flags, operation.kind);
  const display = openDisplay(world, operation, prepared.id.stack, which);
  const interrupts = handleInterrupts(world, which, display, change);
  const unlisten = world.onInterrupt(() => held.onInterrupt?.());
  const secrets = prepared.mask;
  const mask = flags.on('show-secrets') ? undefined : secrets.mask;
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
      errors: errorPolicy(flags, prepared.project.operations),
      isolate: isolation(flags, prepared.project.operations),
      strictProviders: flags.on('strict-providers'),
      claims,
      plan,
      goesOn: goingOn?.engine ?? {},
      change,
      claim: held.claim,
      policyPacks: operation.kind === 'up' ? await policyPacks(world, flags) : [],
      typecheck: operation.kind === 'up' && flags.on('typecheck'),
      store,
      emit: (event) => {
        noteSecrets(event, secrets);
        const shown = mask === undefined ? event : maskEvent(event, mask);
        display.event(shown);
        log?.event(shown);
      },
      onStart: (running) => {
        interrupts.started(running);
        held.onStart?.(running, display);
      },
    });
    return { result: mask === undefined ? result : maskResult(result, mask), display };
  } catch (error) {
    const message = mask?.(messageOf(error)) ?? messageOf(error);
    display.failed?.(message);
    log?.failed(message);
    throw error;
  } finally {
    interrupts.stop();
    unlisten();
    display.close();
    const lost = await log?.close();
    if (lost !== undefined) tell(world, [lost]);
  }
}

/** What a step has left, with the outputs that the program declared secret. */
function noteSecrets(event: EngineEvent, secrets: SecretMask): void {
  if (event.t !== 'step-ended' || event.step.kind === 'same') return;
  secrets.properties(event.step.new?.inputs);
  secrets.properties(event.step.new?.outputs);
}
