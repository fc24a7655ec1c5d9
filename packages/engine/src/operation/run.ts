import { systemClock } from '@cairn/changes';
import { CallbackConnections } from '@cairn/wire/callbacks-client';
import { SEED_BYTES } from '../contract/seeds.js';
import { ContractWatch } from '../contract/watch.js';
import { phasesOf } from '../decide/operation-phases.js';
import { OpenDoubts } from '../decide/unsettled.js';
import { Bookkeeping } from '../execute/bookkeeping.js';
import { ChainRunner } from '../execute/chain-runner.js';
import { FailureLanes } from '../execute/failure-lanes.js';
import { GATE } from '../execute/gates/gate-keeper.js';
import { OperationGates } from '../execute/gates/operation-gates.js';
import type { HandlerContext } from '../execute/handlers/handler.js';
import { handlers, previewHandlers } from '../execute/handlers/index.js';
import { HookRunner } from '../execute/hooks/hook-runner.js';
import { OperationLimits } from '../execute/limits/operation-limits.js';
import { processLimits } from '../execute/limits/process-limits.js';
import { TaskLimits } from '../execute/limits/task-limits.js';
import { OperationChange } from '../execute/operation-change.js';
import { StepTasks } from '../execute/step-tasks.js';
import { TaskEdges } from '../execute/task-edges.js';
import { UndoPlanner } from '../execute/undo/planner.js';
import { UndoRunner } from '../execute/undo/runner.js';
import { viewStepView } from '../execute/views/apply-views.js';
import { OwnedViews } from '../execute/views/owned-views.js';
import { Ledger } from '../ledger/ledger.js';
import { Report } from '../model/report.js';
import type { OperationRequest } from '../model/request.js';
import { RegistrationIntake, roomFor } from '../monitor/intake.js';
import type { Ports } from '../ports.js';
import { DataHolders } from '../providers/data-holders.js';
import { Recorder } from '../record/recorder.js';
import { begunUrns } from '../recover/continued-lineage.js';
import { IN_DOUBT } from '../recover/in-doubt-kind.js';
import { InDoubtPhase } from '../recover/in-doubt-phase.js';
import { RunPlan } from '../saved-plan/run-plan.js';
import { startingState } from './base.js';
import { derivedPolicy } from './derived-policy.js';
import { atATime, Limiter } from './limiter.js';
import { completeProviders } from './missing-providers.js';
import { OperationPeers } from './operation-peers.js';
import { openMachine } from './open-machine.js';
import { OpenQuestions } from './open-questions.js';
import { PolicyPacks } from './phases/policies.js';
import { SnippetPhase } from './phases/snippets.js';
import type { RunParts } from './run-parts.js';
import { OperationControl } from './operation-control.js';
import { OperationRollback } from './operation-rollback.js';

/** One operation on its way: what all its phases share. Made once; nothing in it is exchanged. */
export interface Run extends RunParts {
  readonly packs: PolicyPacks;
  readonly rollback: OperationRollback;
}

/** What a run has from the start, before it can record anything. */
type Ground = Pick<
  Run,
  'request' | 'ports' | 'policy' | 'completed' | 'report' | 'control' | 'peers' | 'contract' | 'hooks'
>;

/**
 * Makes a run, from the bottom up: each part is given those that were made before it. Nothing of the operation has
 * begun.
 */
export function newRun(request: OperationRequest, ports: Ports): Run {
  const callbacks = new CallbackConnections();
  const ground = groundOf(request, ports, callbacks);
  const { policy, completed, report, control, peers, contract, hooks } = ground;
  const { kind, base, preview, concurrency } = request;
  const ledger = new Ledger();
  const doubts = new OpenDoubts();
  const questions = new OpenQuestions(control);
  const limiter = new Limiter(atATime(concurrency.parallel));
  const machine = openMachine(request, ports, policy.onError);
  const change = new OperationChange(machine, {
    encode: preview ? undefined : ports.encodeEntry,
    onBug: (thrown) => control.mistake(thrown),
    onFault: (thrown) => control.fault(thrown),
  });
  const recorder = new Recorder(startingState(base, completed.added), (entry) => change.write(entry));
  const holders = new DataHolders((entry) =>
    peers.connected.providers.forResource(entry).catch(() => peers.providersBefore.forResource(entry)),
  );
  const planner = new UndoPlanner(recorder, request.policy.rollback, request.approvals, (entry) =>
    holders.holds(entry),
  );
  const gates = new OperationGates({
    request,
    machine,
    clock: ports.clock,
    report: (diagnostic) => report.diagnostic(diagnostic),
    open: questions,
    onRest: () => control.stop(),
  });
  const views = new OwnedViews({
    recorder,
    newToken: ports.newId,
    address: () => peers.statusAddress,
    onPublished: (owner, published) =>
      report.emit({ t: 'step-started', step: viewStepView(owner, published), planning: preview }),
  });
  const shared = { ...ground, change, recorder, planner, holders, views, doubts };
  const limits = preview ? undefined : limitsOf(shared);
  const taskLimits = new TaskLimits(limits, (urn) => recorder.live.live(urn)?.entry ?? planner.expected(urn));
  const { chains, tasks } = carryingOut(shared, gates, taskLimits);
  const inDoubt = new InDoubtPhase({
    request,
    context: handlerContext(shared),
    report,
    change,
    recorder,
    doubts,
    limits: taskLimits,
  });
  machine.handle({
    kinds: { ...tasks.kinds(), [GATE]: gates.keeper.kind(), [IN_DOUBT]: inDoubt.kind },
    blocked: taskLimits.blocked(),
    onEvent: (event) => {
      const fell = chains.heard(event);
      // What earlier changes did, and is rolled back now, says nothing of a registration that is still to come.
      const known = fell !== undefined && ledger.progress(fell) !== undefined;
      if (known && chains.lanes.isolates) ledger.note({ t: 'failed', urn: fell });
    },
  });
  control.onStop(() => chains.hold('the operation is ending'));
  control.onKill(() => chains.abandon());
  const snippets = new SnippetPhase(request, recorder);
  const rollback = new OperationRollback({ ...shared, chains, gates, inDoubt, snippets });
  return {
    ...shared,
    phases: phasesOf(kind, request.scope.refresh, request.runProgram === true),
    scope: snippets.scope(request.scope),
    contract,
    hooks,
    callbacks,
    ledger,
    questions,
    limiter,
    gates,
    limits,
    chains,
    inDoubt,
    packs: new PolicyPacks(),
    snippets,
    rollback,
    plan: new RunPlan(request.plan ?? {}, ports.randomBytes, begunUrns(request)),
    intake: new RegistrationIntake({
      waiting: () => limiter.waiting + machine.waiting,
      room: roomFor(atATime(concurrency.parallel)),
      after: (ms, run) => ports.clock.after?.(ms, run) ?? systemClock.after(ms, run),
    }),
  };
}

function groundOf(request: OperationRequest, ports: Ports, callbacks: CallbackConnections): Ground {
  const { preview, continues, base, identity, config, claims } = request;
  const policy = derivedPolicy(request);
  const report = new Report(ports.emit);
  const peers = new OperationPeers((continues?.before ?? base).resources);
  const control = new OperationControl({ report, peers });
  return {
    request,
    ports,
    policy,
    report,
    control,
    peers,
    completed: completeProviders(base, identity, config, ports.newId),
    contract: new ContractWatch({
      preview,
      strict: request.policy.strictProviders === true,
      seedKey: ports.randomBytes(SEED_BYTES),
      claims,
      report: (diagnostic) => report.diagnostic(diagnostic),
    }),
    hooks: new HookRunner({
      preview,
      registry: () => peers.hooks,
      callbacks,
      report: (diagnostic) => report.diagnostic(diagnostic),
      onAfterFailed: (diagnostic) => {
        report.diagnostic(diagnostic);
        // What the step did stands; no further step starts [HOOK-6].
        if (!policy.continues) control.stop();
      },
    }),
  };
}

type Shared = Ground & Pick<Run, 'change' | 'recorder' | 'planner' | 'holders' | 'views' | 'doubts'>;

function limitsOf({ request, ports, peers, change }: Shared): OperationLimits {
  return new OperationLimits({
    counter: ports.limits ?? processLimits,
    settings: request.concurrency.limits ?? new Map(),
    providerOf: (entry) => peers.connected.providers.forResource(entry),
    unblock: (name) => change.machine.unblock(name),
  });
}

/** What handlers of steps work with. */
function handlerContext(run: Shared): HandlerContext {
  const { request, ports, report, control, peers, contract, hooks, views } = run;
  return {
    preview: request.preview,
    now: () => ports.clock.now(),
    providerOf: (entry) => peers.connected.providers.forResource(entry),
    report: (diagnostic) => report.diagnostic(diagnostic),
    contract,
    legacyRefreshDiff: request.policy.legacyRefreshDiff,
    hooks,
    views,
    cancelled: () => control.callsCancelled,
  };
}

/** How chains of steps are carried out, and rolled back. */
function carryingOut(
  run: Shared,
  gates: OperationGates,
  taskLimits: TaskLimits,
): { readonly chains: ChainRunner; readonly tasks: StepTasks } {
  const { request, ports, policy, recorder, change, peers } = run;
  const { preview } = request;
  const context = handlerContext(run);
  const isolation = preview || !policy.isolates ? 'none' : (request.policy.isolate ?? 'none');
  const shared = {
    ...run,
    context,
    preview,
    clock: ports.clock,
    rollsBack: policy.rollsBack,
    bookkeeping: new Bookkeeping({ context, report: run.report, preview }, recorder),
    edges: new TaskEdges(change.machine.change),
    lanes: new FailureLanes(isolation, (urn) => recorder.live.live(urn)?.entry),
  };
  const undoer = new UndoRunner({
    ...shared,
    contextBefore: {
      ...context,
      providerOf: (entry) => peers.providersBefore.forResource(entry),
    },
    onProvider: (entry) => peers.connected.providers.registered(entry),
  });
  const tasks = new StepTasks({
    ...shared,
    undoer,
    taskLimits,
    handlers: preview ? previewHandlers : handlers,
    claim: preview ? undefined : ports.claim,
  });
  const chains = new ChainRunner({
    ...shared,
    undoer,
    tasks,
    gates: gates.keeper,
    continueOnError: policy.continues,
  });
  return { chains, tasks };
}
