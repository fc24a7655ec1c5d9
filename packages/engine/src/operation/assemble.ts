import { systemClock } from '@cairn/changes';
import type { ChangeMachine } from '@cairn/changes';
import { CallbackConnections } from '@cairn/wire/callbacks-client';
import { SEED_BYTES } from '../contract/seeds.js';
import { ContractWatch } from '../contract/watch.js';
import type { Unsettled } from '../decide/unsettled.js';
import { ChainRunner } from '../execute/chain-runner.js';
import type { ChainRunnerParts } from '../execute/chain-runner.js';
import { OperationGates } from '../execute/gates/operation-gates.js';
import type { HandlerContext } from '../execute/handlers/handler.js';
import { handlers, previewHandlers } from '../execute/handlers/index.js';
import { HookRunner } from '../execute/hooks/hook-runner.js';
import { OperationLimits } from '../execute/limits/operation-limits.js';
import { processLimits } from '../execute/limits/process-limits.js';
import { UndoBook } from '../execute/undo/book.js';
import { viewStepView } from '../execute/views/apply-views.js';
import { ViewBook } from '../execute/views/view-book.js';
import { Report } from '../model/report.js';
import type { OperationRequest } from '../model/request.js';
import { RegistrationIntake, roomFor } from '../monitor/intake.js';
import type { Ports } from '../ports.js';
import type { PriorGraph } from '../prior/graph.js';
import { DataHolders } from '../providers/data-holders.js';
import { Recorder } from '../record/recorder.js';
import { begunUrns } from '../recover/continued-line.js';
import { IN_DOUBT } from '../recover/in-doubt-kind.js';
import { InDoubtPhase } from '../recover/in-doubt-phase.js';
import { RunPlan } from '../saved-plan/run-plan.js';
import { startingState } from './base.js';
import { derivedPolicy } from './derived-policy.js';
import type { DerivedPolicy } from './derived-policy.js';
import { atATime } from './limiter.js';
import type { OperationLoop } from './loop.js';
import { completeProviders } from './missing-providers.js';
import type { CompletedState } from './missing-providers.js';
import { Neighbourhood } from './neighbourhood.js';
import { openMachine } from './open-machine.js';
import { SnippetPhase } from './snippet-phase.js';
import { Standing } from './standing.js';
import { TakingBack } from './taking-back.js';

/** What there is only once an operation is under way. */
export interface Underway {
  readonly loop: OperationLoop | undefined;
  /** Dependencies before the program; undefined until they are known. */
  readonly graph: PriorGraph | undefined;
  readonly unsettled: Unsettled;
}

/** The parts of one operation. */
export interface OperationParts {
  readonly policy: DerivedPolicy;
  readonly report: Report;
  readonly standing: Standing;
  readonly neighbours: Neighbourhood;
  /** The state it starts from, with what very old files lack. */
  readonly completed: CompletedState;
  readonly plan: RunPlan;
  readonly contract: ContractWatch;
  readonly callbacks: CallbackConnections;
  readonly hooks: HookRunner;
  readonly views: ViewBook;
  readonly gates: OperationGates;
  readonly intake: RegistrationIntake;
  /** Undefined: as many calls as one likes. */
  readonly limits: OperationLimits | undefined;
  readonly chains: ChainRunner;
  readonly machine: ChangeMachine;
  readonly doubts: InDoubtPhase;
  readonly snippets: SnippetPhase;
  readonly book: UndoBook;
  readonly takingBack: TakingBack;
}

/** Parts that know nothing of what is to be done yet. */
type Ground = Pick<
  OperationParts,
  'policy' | 'report' | 'standing' | 'neighbours' | 'plan' | 'contract' | 'callbacks' | 'hooks' | 'views'
>;

/**
 * Makes the parts of one operation and joins them; nothing runs yet. Parts that need one another take functions, which
 * are called only when all of them are there. `under`: what comes up later.
 */
export function assemble(request: OperationRequest, ports: Ports, under: Underway): OperationParts {
  const { preview, base, identity, config } = request;
  const ground = groundOf(request, ports, under, () => chains);
  const { policy, report, standing, neighbours } = ground;
  const completed = completeProviders(base, identity, config, ports.newId);
  const holders = new DataHolders((entry) =>
    neighbours.met.providers.forResource(entry).catch(() => neighbours.providersBefore.forResource(entry)),
  );
  const book = new UndoBook(
    () => chains.live,
    request.policy.rollback,
    request.approvals,
    (entry) => holders.holds(entry),
  );
  const gates = new OperationGates({
    request,
    clock: ports.clock,
    report: (diagnostic) => report.diagnostic(diagnostic),
    parked: () => under.loop?.parked === true,
    asking: () => under.loop?.asking === true,
    onRest: () => standing.stop(),
  });
  const limits = preview
    ? undefined
    : new OperationLimits({
        counter: ports.limits ?? processLimits,
        settings: request.concurrency.limits ?? new Map(),
        providerOf: (entry) => neighbours.met.providers.forResource(entry),
        unblock: (name) => machine.unblock(name),
      });
  const chains: ChainRunner = new ChainRunner(
    {
      ...carryingOut(request, ports, ground),
      gates: gates.keeper,
      limits,
      book,
      holders,
      dependents: (urn) => [...(under.graph?.dependents(urn) ?? [])].map(({ entry }) => entry.urn),
      inDoubt: () => under.unsettled.urns,
      onFell: (urn) => takingBack.fell(urn),
    },
    new Recorder(startingState(base, completed.added), (entry) => chains.write(entry)),
  );
  const snippets = new SnippetPhase(request, () => chains.recorder);
  const doubts = new InDoubtPhase({
    request,
    context: chains.context,
    report,
    encode: ports.encodeEntry,
    onBug: (thrown) => standing.mistake(thrown),
    recorder: () => chains.recorder,
    machine: () => machine,
    limits: chains.taskLimits,
  });
  const machine: ChangeMachine = openMachine(
    request,
    ports,
    { ...chains.kinds(), [IN_DOUBT]: doubts.kind },
    policy.onError,
    chains.taskLimits.blocked(),
    (event) => chains.heard(event),
  );
  const takingBack = new TakingBack({
    request,
    policy,
    phase: { machine, chains, book, holders },
    report,
    snippets,
    ledger: () => under.loop?.ledger,
    unsettled: () => under.unsettled,
    standing: () => ({
      stopped: standing.stopped,
      cancelled: standing.cancelled,
      unapproved: gates.left.length,
      doubts: doubts.waiting.length,
    }),
  });
  const intake = new RegistrationIntake({
    waiting: () => (under.loop?.waiting ?? 0) + machine.waiting,
    room: roomFor(atATime(request.concurrency.parallel)),
    after: (ms, run) => ports.clock.after?.(ms, run) ?? systemClock.after(ms, run),
  });
  chains.attach(machine);
  gates.attach(machine);
  return { ...ground, completed, gates, intake, limits, chains, machine, doubts, snippets, book, takingBack };
}

function groundOf(
  request: OperationRequest,
  ports: Ports,
  under: Underway,
  chains: () => ChainRunner,
): Ground {
  const { preview, continues, base, claims } = request;
  const policy = derivedPolicy(request);
  const report = new Report(ports.emit);
  const neighbours = new Neighbourhood((continues?.before ?? base).resources);
  const standing = new Standing({ report, chains, loop: () => under.loop, neighbours });
  const callbacks = new CallbackConnections();
  return {
    policy,
    report,
    standing,
    neighbours,
    callbacks,
    plan: new RunPlan(request.plan ?? {}, ports.randomBytes, begunUrns(request)),
    contract: new ContractWatch({
      preview,
      strict: request.policy.strictProviders === true,
      seedKey: ports.randomBytes(SEED_BYTES),
      claims,
      report: (diagnostic) => report.diagnostic(diagnostic),
    }),
    views: new ViewBook({
      live: () => chains().live,
      newToken: ports.newId,
      address: () => neighbours.statusAddress,
      onPublished: (owner, change) =>
        report.emit({ t: 'step-started', step: viewStepView(owner, change), planning: preview }),
    }),
    hooks: new HookRunner({
      preview,
      registry: () => neighbours.hooks,
      callbacks,
      report: (diagnostic) => report.diagnostic(diagnostic),
      onAfterFailed: (diagnostic) => {
        report.diagnostic(diagnostic);
        // What the step did stands; no further step starts [HOOK-6].
        if (!policy.continues) standing.stop();
      },
    }),
  };
}

/** How steps of this operation are carried out. */
function carryingOut(
  { preview, policy: wanted }: OperationRequest,
  { clock, claim, encodeEntry }: Ports,
  { policy, report, standing, neighbours, contract, hooks, views }: Ground,
): Omit<ChainRunnerParts, 'gates' | 'limits' | 'book' | 'holders' | 'dependents' | 'inDoubt' | 'onFell'> {
  const context: HandlerContext = {
    preview,
    now: () => clock.now(),
    providerOf: (entry) => neighbours.met.providers.forResource(entry),
    report: (diagnostic) => report.diagnostic(diagnostic),
    contract,
    legacyRefreshDiff: wanted.legacyRefreshDiff,
    hooks,
    views,
    cancelled: () => standing.callsCancelled,
  };
  return {
    handlers: preview ? previewHandlers : handlers,
    context,
    contextBefore: {
      ...context,
      providerOf: (entry) => neighbours.providersBefore.forResource(entry),
    },
    report,
    clock,
    encode: preview ? undefined : encodeEntry,
    preview,
    continueOnError: policy.continues,
    rollsBack: policy.rollsBack,
    isolation: preview || !policy.isolates ? 'none' : (wanted.isolate ?? 'none'),
    claim: preview ? undefined : claim,
    onProvider: (entry) => neighbours.met.providers.registered(entry),
    onBug: (thrown) => standing.mistake(thrown),
    onFault: (thrown) => standing.fault(thrown),
  };
}
