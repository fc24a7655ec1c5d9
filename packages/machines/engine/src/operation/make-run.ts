import { CallbackConnections } from '@cairn/wire/callbacks-client';
import { discardingStore, openChange, systemClock } from '@cairn/changes';
import type { ChangeMachine, OnError } from '@cairn/changes';
import { SEED_BYTES } from '../contract/seeds.js';
import { ContractWatch } from '../contract/watch.js';
import { OperationGates } from '../execute/gates/operation-gates.js';
import type { StepHandlerContext } from '../execute/handlers/handler.js';
import { HookRunner } from '../execute/hooks/hook-runner.js';
import { OperationChange } from '../execute/operation-change.js';
import { viewStepView } from '../execute/views/apply-views.js';
import { OwnedViews } from '../execute/views/owned-views.js';
import { PublishedViews } from '../execute/views/published-views.js';
import { SettledAnswers } from '../inspect/settled-answers.js';
import { Ledger } from '../ledger/ledger.js';
import { Report } from '../model/report.js';
import type { OperationRequest } from '../model/request.js';
import type { EnginePorts } from '../ports.js';
import { Recorder } from '../record/recorder.js';
import { begunUrns } from '../recover/continued-lineage.js';
import { RunPlan } from '../saved-plan/run-plan.js';
import { Concurrency } from './concurrency.js';
import { startingState } from './base.js';
import { newExecution } from './execution.js';
import { completedEntries, completeProviders } from './missing-providers.js';
import type { CompletedState } from './missing-providers.js';
import { OperationControl } from './operation-control.js';
import { Peers } from './peers.js';
import type { PeerServices } from './peers.js';
import type { RunBase } from './run.js';
import { runSettings } from './settings.js';
import type { RunSettings } from './settings.js';
import { atATime } from './limiter.js';

/** A run with the parts that only its operation needs. */
export interface NewRun extends ReturnType<typeof newExecution> {
  readonly completed: CompletedState;
}

/** Makes a run, from the bottom up: each part receives those made before it. Nothing of the operation has begun. */
export function newRun(request: OperationRequest, ports: EnginePorts): NewRun {
  const { base, preview, identity, config, continues } = request;
  const settings = runSettings(request);
  const report = new Report(ports.emit);
  const control = new OperationControl(report);
  const ledger = new Ledger();
  const machine = openMachine(request, ports, settings.onError);
  const change = new OperationChange(machine, {
    encode: preview ? undefined : ports.encodeEntry,
    onBug: (thrown) => control.internalError(thrown),
    onFault: (thrown) => control.storeFailed(thrown),
  });
  const completed = completeProviders(base, identity, config, ports.newId);
  const live = startingState(base, completed.added);
  const pending = request.inDoubt === undefined ? [] : request.base.pendingOperations;
  const recorder = new Recorder(live, (entry) => change.write(entry), pending);
  const plan = new RunPlan(request.plan ?? {}, ports.randomBytes, begunUrns(request));
  const concurrency = new Concurrency(request, control, machine, ports.clock);
  const gates = new OperationGates({
    request,
    machine,
    clock: ports.clock,
    report: (diagnostic) => report.diagnostic(diagnostic),
    open: concurrency.questions,
    onRest: () => control.stop(),
  });
  const published = new PublishedViews(ports.newId, (owner, view) =>
    report.emit({ t: 'step-started', step: viewStepView(owner, view), planning: preview }),
  );
  const callbacks = new CallbackConnections(ports.calls);
  const shared = {
    request,
    ports,
    settings,
    report,
    control,
    ledger,
    change,
    recorder,
    plan,
    concurrency,
    gates,
  };
  const entries = completedEntries(live, completed);
  const peers = new Peers(request, ports, {
    entries,
    before: (continues?.before ?? base).resources,
    status: published,
    callbacks,
    ...heardBy(shared),
  });
  control.onFault(() => peers.cancelProgram());
  const context = contextOf({ ...shared, peers }, published, callbacks);
  const settled = settledAnswers(request, settings, peers);
  return { ...newExecution({ ...shared, peers, settled, context }), completed };
}

/** Returns the context in which steps run. */
function contextOf(
  { request, ports, settings, report, control, recorder, peers }: Omit<RunBase, 'settled' | 'context'>,
  published: PublishedViews,
  callbacks: CallbackConnections,
): StepHandlerContext {
  const { preview } = request;
  const hooks = new HookRunner({
    preview,
    registry: peers.hooks,
    callbacks,
    report: (diagnostic) => report.diagnostic(diagnostic),
    onAfterFailed: (diagnostic) => {
      report.diagnostic(diagnostic);
      // The effect of the step remains; no further step starts [HOOK-6].
      if (!settings.continues) control.stop();
    },
  });
  return {
    preview,
    now: () => ports.clock.now(),
    providerOf: peers.providerOf,
    report: (diagnostic) => report.diagnostic(diagnostic),
    contract: contractOf(request, ports, report),
    legacyRefreshDiff: request.policy.legacyRefreshDiff,
    hooks,
    views: new OwnedViews({ recorder, published, address: () => peers.statusAddress() }),
    cancelled: () => control.callsCancelled,
    start: undefined,
  };
}

/** Returns the services through which peers report to the run and ask it. */
function heardBy({
  report,
  control,
  ledger,
  recorder,
  plan,
  concurrency,
  gates,
}: Omit<RunBase, 'peers' | 'settled' | 'context'>): Omit<
  PeerServices,
  'entries' | 'before' | 'status' | 'callbacks'
> {
  return {
    emit: (event) => {
      // A message of a peer shows that it is at work.
      gates.watch.noteActivity();
      report.pass(event);
    },
    intake: concurrency.backpressure,
    during: (work) => gates.watch.during(work),
    abort: (error) => control.storeFailed(error),
    refused: ({ diagnostics }) => diagnostics.forEach((each) => report.refusal(each)),
    entry: (urn) => ledger.entry(urn),
    extension: (ref, extension) => {
      plan.extended(ref, extension);
      recorder.extension(ref, extension);
    },
  };
}

/**
 * Returns what answers from the state in place of providers. An operation that first looks at objects asks them all.
 */
function settledAnswers(
  { kind, preview, digests, scope }: OperationRequest,
  { phases }: RunSettings,
  { providers }: Peers,
): SettledAnswers | undefined {
  if (digests === undefined || kind !== 'up' || scope.refresh || phases.program !== 'apply') return undefined;
  return new SettledAnswers({ ...digests, preview, providerOf: (goal) => providers.forResource(goal) });
}

function contractOf(
  { preview, policy, claims }: OperationRequest,
  ports: EnginePorts,
  report: Report,
): ContractWatch {
  return new ContractWatch({
    preview,
    strict: policy.strictProviders === true,
    seedKey: ports.randomBytes(SEED_BYTES),
    claims,
    report: (diagnostic) => report.diagnostic(diagnostic),
  });
}

/**
 * Opens the change that records an operation; that of a preview is not kept. `onError`: effect of an error on the other
 * tasks. Its handlers are set later, because they work with it.
 */
function openMachine(
  { kind, preview, identity, concurrency }: OperationRequest,
  { clock, newId, store }: EnginePorts,
  onError: OnError,
): ChangeMachine {
  const { organization, project, stack } = identity;
  return openChange(
    {
      id: newId(),
      kind: preview ? `preview-${kind}` : kind,
      summary: `${kind} ${project}/${stack}`,
      scope: `${organization}/${project}/${stack}`,
      growing: true,
    },
    {
      store: preview ? discardingStore() : store,
      kinds: {},
      clock: {
        now: () => clock.now(),
        monotonicMs: () => clock.monotonicMs(),
        after: (ms, run) => (clock.after ?? systemClock.after).call(clock, ms, run),
      },
      parallelism: atATime(concurrency.parallel),
      policies: { onError },
    },
  );
}
