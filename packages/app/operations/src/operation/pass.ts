import { messageOf } from '@cairn/diagnostics';
import { changesNothing } from '@cairn/engine';
import type {
  EngineEvent,
  EngineResult,
  PlanOptions,
  EnginePorts,
  PreviewClaims,
  RunningOperation,
} from '@cairn/engine';
import type { ChangeStore } from '@cairn/changes';
import type { TypecheckCause } from '@cairn/language-node';
import type { Snapshot } from '@cairn/state';
import { envFlag } from '@cairn/workspace';
import { placedImport } from '../imports/placed-import.js';
import type { Pass, PassControl, PassView } from '../pass-view.js';
import { maskEvent, maskResult } from '../masking/mask-secrets.js';
import type { SecretMask } from '../masking/mask-secrets.js';
import { errorPolicy } from '../options/error-policy.js';
import { policyPacks } from '../options/policy-packs.js';
import { wantedScope } from '../options/scope.js';
import { declinedError } from '../ports.js';
import type { Ports } from '../ports.js';
import type { Continuation } from './continuation.js';
import { statusOf } from './operation.js';
import type { RunOptions, RequestedOperation, Previewed } from './operation.js';
import type { OperationPlugins } from './pass-plugins.js';
import { refuseInterrupted, withDigestsOf } from './prepared.js';
import type { Prepared } from './prepared.js';
import { runPass } from './run-pass.js';

const DEFAULT_PARALLEL = 16;

/** Start and limits of a pass. */
export interface PassStart {
  readonly base: Snapshot;
  /** Claims of the preview before it. */
  readonly claims?: PreviewClaims | undefined;
  readonly plan?: PlanOptions;
  /** Relations to earlier changes; `undefined` for previews of new changes. Required, so that none is lost. */
  readonly continuation: Continuation | undefined;
  /** True if the pass before has checked the program. */
  readonly checked?: boolean;
  /** Claims the resources of steps. Without it nothing is claimed. */
  readonly claim?: EnginePorts['claim'];
  /** Plugins of an operation of several passes. By default the pass has its own. */
  readonly plugins?: OperationPlugins | undefined;
  /** Store for records; `undefined` for previews. */
  readonly store?: ChangeStore;
  /** Receives every event unmasked, while viewers get it masked. */
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
  /** Receives the running operation and its view. */
  readonly onStart?: (running: RunningOperation, view: PassView) => PassControl | void;
}

/**
 * Runs one pass: shows it, and passes it to the code that can interrupt it. An earlier interrupt ends a preview with
 * CAIRN-CANCELLED, and cancels a run before its first step.
 */
export async function showPass(
  prepared: Prepared,
  operation: RequestedOperation,
  runOptions: RunOptions,
  pass: Omit<Pass, 'kind' | 'stack' | 'config'>,
  start: PassStart,
): Promise<{ readonly result: EngineResult; readonly view: PassView }> {
  const { ports, project, mask: secrets } = prepared;
  const { kind, options } = operation;
  const { continuation } = start;
  const config = prepared.config.program;
  const view = await ports.interaction.pass({ ...pass, kind, stack: prepared.id, config });
  const mask = runOptions.showSecrets === true ? undefined : secrets.mask;
  const settings = countsProject(operation) ? project.operations : undefined;
  try {
    if (pass.which === 'preview') refuseInterrupted(prepared);
    const asking = withDigestsOf(prepared, options);
    const result = await runPass(asking, {
      kind,
      preview: pass.which === 'preview',
      base: start.base,
      imports: operation.imports && (await placedImport(prepared, operation.imports)).items,
      parallel: options.parallel ?? DEFAULT_PARALLEL,
      wanted: wantedScope(operation, start.base),
      refresh: kind !== 'refresh' && (options.refresh === true || project.refresh === 'always'),
      runProgram: options.runProgram === true || envFlag(ports.env, 'RUN_PROGRAM'),
      errors: errorPolicy(options, settings),
      isolate: options.isolate ?? settings?.isolate,
      strictProviders: options.strictProviders === true,
      claims: start.claims,
      plan: start.plan ?? {},
      continuation: continuation?.engine ?? {},
      digests: kind === 'up' ? asking.digests : undefined,
      change: pass.change,
      claim: start.claim,
      policyPacks: kind === 'up' ? await policyPacks(ports.cwd, options) : [],
      unexpected:
        kind === 'up'
          ? { replacements: options.expectNoReplacements === true, deletes: options.expectNoDeletes === true }
          : undefined,
      typecheck: start.checked === true ? undefined : typecheckCause(operation, ports),
      plugins: start.plugins,
      store: start.store,
      emit: (event) => {
        noteSecrets(event, secrets);
        start.onEvent?.(event);
        view.event(mask === undefined ? event : maskEvent(event, mask));
        ports.observer?.event?.(maskEvent(event, secrets.mask));
      },
      onStart: (running) => {
        const control = start.onStart?.(running, view) ?? running;
        view.started?.(control);
        if (pass.which === 'run' && prepared.interrupted?.() === true) control.cancel();
      },
    });
    return { result: mask === undefined ? result : maskResult(result, mask), view };
  } catch (error) {
    view.failed?.(mask?.(messageOf(error)) ?? messageOf(error));
    throw error;
  } finally {
    await view.close?.();
  }
}

/** Result of a preview, and the view that showed it. */
export type ShownPreview = Previewed & {
  readonly view: PassView;
  /** True if a question follows and the operation would leave objects and state as they are. */
  readonly isIdle: boolean;
};

/** Reports the end of a preview to its view. */
export function endPreview(
  result: EngineResult,
  view: PassView,
  runOptions: RunOptions,
  { isIdle = false, page }: { readonly isIdle?: boolean; readonly page?: string | undefined } = {},
): ShownPreview {
  const status = statusOf(result, runOptions);
  view.ended?.({ status, result, stored: [], unfinished: false, page });
  return { t: 'previewed', status, result, view, isIdle: isIdle && result.summary.result === 'succeeded' };
}

/**
 * Shows a preview and reports its end. Only a preview before a question (`asks`) finds out whether it is idle. `send`
 * stores the preview before its end is reported, and resolves with the address of its page.
 */
export async function showPreview(
  prepared: Prepared,
  operation: RequestedOperation,
  runOptions: RunOptions,
  {
    purpose = { t: 'begin' },
    asks = false,
    send,
    ...pass
  }: Partial<Pick<Pass, 'purpose' | 'nothingToDo'>> & {
    readonly asks?: boolean;
    readonly send?:
      ((preview: Pick<ShownPreview, 'status' | 'result'>) => Promise<string | undefined>) | undefined;
  },
  start: PassStart,
): Promise<ShownPreview> {
  let isIdle = asks && start.base.pendingOperations.length === 0;
  const onEvent = (event: EngineEvent): void => {
    isIdle &&= changesNothing(event);
    start.onEvent?.(event);
  };
  const shown = { which: 'preview', purpose, ...pass } as const;
  const { result, view } = await showPass(prepared, operation, runOptions, shown, { ...start, onEvent });
  const page = await send?.({ status: statusOf(result, runOptions), result });
  return endPreview(result, view, runOptions, { isIdle, page });
}

/**
 * True if an operation before a question has nothing to do, so that it ends with its preview. A destroy that removes
 * the stack always has something to do.
 */
export function endsIdle(
  { isIdle, view }: Pick<ShownPreview, 'isIdle' | 'view'>,
  { kind, options }: RequestedOperation,
): boolean {
  if (!isIdle || view.confirm === undefined) return false;
  return kind === 'up' || (kind === 'destroy' && options.remove !== true);
}

/**
 * Asks whether the run is to follow the preview, unless that is agreed already. Throws CAIRN-CANCELLED when it is not.
 */
export async function agree({ view }: Pick<ShownPreview, 'view'>, { confirmed }: RunOptions): Promise<void> {
  if (confirmed === true || view.confirm === undefined || (await view.confirm())) return;
  throw declinedError();
}

function typecheckCause(
  { kind, options }: RequestedOperation,
  { typesAreChecked }: Pick<Ports, 'typesAreChecked'>,
): TypecheckCause {
  if (kind === 'up' && options.typecheck === true) return 'asked';
  return typesAreChecked === true ? 'usual' : 'on-demand';
}

function countsProject({ kind, projectPolicy }: RequestedOperation): boolean {
  return projectPolicy ?? (kind === 'up' || kind === 'destroy');
}

/** Adds the secrets of a step's result, including outputs that the program declared secret. */
function noteSecrets(event: EngineEvent, secrets: SecretMask): void {
  if (event.t !== 'step-ended' || event.step.kind === 'same') return;
  secrets.properties(event.step.new?.inputs);
  secrets.properties(event.step.new?.outputs);
}
