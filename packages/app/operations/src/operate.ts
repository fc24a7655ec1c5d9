import type { ChangeLineage, LeaseOptions, StackLease } from '@cairn/backends';
import { claimsOf } from '@cairn/engine';
import type { EngineEvent, EngineResult, PlanOptions } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import { openState, withManager } from './operation/state-of-stack.js';
import { errorPolicy } from './options/error-policy.js';
import { refuseContradictions, wantedScope } from './options/scope.js';
import { declinedError, rememberInterrupts, tell } from './ports.js';
import { answersInDoubt } from './recovery/answers.js';
import { continuationOf } from './operation/continuation.js';
import { withPendingCreates } from './recovery/pending-creates.js';
import { resumeAgain, resumeLineage } from './recovery/resume.js';
import { rollBackLineage } from './recovery/rollback-lineage.js';
import { chooseForUnfinished, tellUnfinished } from './recovery/unfinished.js';
import { afterwards } from './operation/afterwards.js';
import { withLease } from './operation/leased.js';
import type { RunOptions, RequestedOperation, Outcome } from './operation/operation.js';
import { agree, endsIdle, showPreview } from './operation/pass.js';
import type { ShownPreview } from './operation/pass.js';
import { withPlugins } from './operation/pass-plugins.js';
import type { OperationPlugins } from './operation/pass-plugins.js';
import { planChoice } from './operation/plans.js';
import type { PlanChoice, PlanRules } from './operation/plans.js';
import { refuseInterrupted, refuseWrongPassphrase, withDigestsOf } from './operation/prepared.js';
import type { Prepared } from './operation/prepared.js';
import { PreviewEvents } from './operation/sent-preview.js';
import { runRecorded } from './operation/run-recorded.js';

/** Refuses an operation whose options contradict each other. Throws CAIRN-USAGE. */
export function checkOperation(operation: RequestedOperation): void {
  refuseContradictions(operation);
  errorPolicy(operation.options, undefined);
}

/** Options of a preview besides what it shows. */
interface PreviewWants extends Pick<PlanOptions, 'make'> {
  /** True if the caller asks afterwards whether the operation is to run. */
  readonly asks?: boolean | undefined;
  /** Receives every event, with secrets unmasked. */
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
}

/**
 * Shows a preview of the state as it can be read without a lock, and reports an unfinished change. Changes nothing, and
 * records nothing but the preview itself, at a service.
 */
export async function previewOperation(
  prepared: Prepared,
  operation: RequestedOperation,
  runOptions: RunOptions = {},
  { onEvent, asks = false, ...plan }: PreviewWants = {},
): Promise<ShownPreview> {
  checkOperation(operation);
  const { backend, id, ports } = prepared;
  await awaitUnlocked(prepared);
  const { deployment, warnings } = await backend.read(id);
  tell(ports, warnings);
  await runOptions.onState?.(deployment);
  await tellUnfinished(prepared);
  const base = deployment === undefined ? emptySnapshot : await openState(prepared, deployment);
  await refuseWrongPassphrase(prepared);
  const sent = asks ? undefined : sentPreview(prepared, operation);
  const take = (event: EngineEvent): void => {
    sent?.take(event);
    onEvent?.(event);
  };
  const start = { base, plan, onEvent: take, continuation: undefined };
  return showPreview(prepared, operation, runOptions, { asks, send: sent?.send }, start);
}

/** Returns what sends a preview to the service of the stack, if it has one. */
function sentPreview(prepared: Prepared, operation: RequestedOperation): PreviewEvents | undefined {
  return prepared.backend.service && new PreviewEvents(prepared, operation);
}

/** Waits until no process works on the state, if waiting is requested. */
async function awaitUnlocked({ backend, id, ports }: Prepared): Promise<void> {
  const interrupts = rememberInterrupts(ports);
  await backend.awaitUnlocked(id, interrupts.heard).finally(() => interrupts.stop());
}

/**
 * Runs an operation. Takes the stack, applies the choice about an unfinished change, shows a preview and asks, if
 * requested, and carries the operation out as a change of its own. Acts at once on answers to doubts that result from
 * it. Throws CAIRN-CANCELLED when the answer is no.
 */
export async function operate(
  prepared: Prepared,
  operation: RequestedOperation,
  runOptions: RunOptions = {},
  rules: PlanRules = {},
): Promise<Outcome> {
  checkOperation(operation);
  const plans = await planChoice(prepared, rules, runOptions.preview === true);
  const claims = await claimsForLease(prepared, operation);
  const outcome = await withLease(
    prepared,
    (lease, listening) => underLease(listening, operation, runOptions, lease, plans),
    { findsOut: true, ...(claims === undefined ? {} : { claims }) },
  );
  if (outcome.t === 'previewed') return outcome;
  const answers = await answersInDoubt(prepared, outcome);
  if (answers.size > 0) return resumeAgain(prepared, operation.options, runOptions, answers);
  await afterwards(prepared, outcome);
  return outcome;
}

/**
 * Returns the claims of an operation with targets on the stack, so that others may work beside it [REC-16]. Returns
 * `undefined` for the whole stack.
 */
async function claimsForLease(
  prepared: Prepared,
  operation: RequestedOperation,
): Promise<LeaseOptions['claims']> {
  const { targets, targetDependents } = wantedScope(operation, emptySnapshot).scope;
  if (targets.length === 0 || operation.kind === 'import') return undefined;
  const { deployment } = await prepared.backend.read(prepared.id);
  if (deployment === undefined) return undefined;
  const { resources } = await openState(prepared, deployment);
  return claimsOf({ targets, targetDependents }, resources);
}

async function underLease(
  prepared: Prepared,
  operation: RequestedOperation,
  runOptions: RunOptions,
  lease: StackLease,
  plans: PlanChoice,
): Promise<Outcome> {
  await runOptions.onState?.(lease.deployment);
  const lineage = lease.unfinished;
  switch (await chooseForUnfinished(prepared, operation, runOptions, lease)) {
    case 'start-over': {
      const begun = (plugins?: OperationPlugins) =>
        runFresh(prepared, operation, runOptions, lease, plans, plugins);
      const asking = withDigestsOf(prepared, operation.options);
      return runOptions.preview === true ? withPlugins(asking, begun) : begun();
    }
    case 'resume':
      return resumeLineage(prepared, operation.options, runOptions, lease, lineage as ChangeLineage);
    case 'rollback':
      return rollBackLineage(
        prepared,
        operation,
        rollbackRunOptions(runOptions),
        lease,
        lineage as ChangeLineage,
      );
    case 'cancel':
      throw declinedError();
  }
}

/** Returns options for a rollback. The user who chooses a rollback has not seen a preview of it. */
function rollbackRunOptions({ preview, previewRollback = preview, ...runOptions }: RunOptions): RunOptions {
  return { ...runOptions, preview: previewRollback };
}

/** Reports that an operation ends without a question because it has nothing to do. */
export function tellIdle({ ports, id }: Prepared, { kind }: RequestedOperation): void {
  ports.interaction.notice({ t: 'nothing-to-do', kind, stack: id });
}

/** Runs the operation as a new change. `plugins` are shared by its passes; without them each pass has its own. */
async function runFresh(
  prepared: Prepared,
  operation: RequestedOperation,
  runOptions: RunOptions,
  lease: StackLease,
  plans: PlanChoice,
  plugins: OperationPlugins | undefined,
): Promise<Outcome> {
  const base = withManager(prepared, lease.snapshot);
  let made: EngineResult | undefined;
  if (runOptions.preview === true) {
    const sent = runOptions.onPlan === undefined ? undefined : sentPreview(prepared, operation);
    const before = await showPreview(
      prepared,
      operation,
      runOptions,
      { asks: runOptions.confirmed !== true, send: sent?.send },
      { base, plan: plans.preview, plugins, continuation: undefined, onEvent: sent?.take },
    );
    if (before.result.summary.result !== 'succeeded') return before;
    made = before.result;
    refuseInterrupted(prepared);
    if (made.plan !== undefined) await runOptions.onPlan?.(made.plan);
    if (lease.unfinished === undefined && endsIdle(before, operation)) {
      tellIdle(prepared, operation);
      return before;
    }
    await agree(before, runOptions);
  }
  refuseInterrupted(prepared);
  return runRecorded(prepared, operation, runOptions, { t: 'begin' }, lease, {
    base,
    claims: made?.claims,
    plan: plans.run(made?.plan),
    plugins,
    checked: made !== undefined,
    continuation: withPendingCreates(
      await continuationOf(prepared, lease, lease.unfinished, undefined),
      runOptions.pendingCreates,
    ),
  });
}
