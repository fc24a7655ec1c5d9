import type { ChangeMachine } from '@cairn/changes';
import type { Urn } from '@cairn/addresses';
import { BugError, errorDiagnostic, isCairnError, messageOf } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { StatusError } from '@cairn/wire';
import type { RunResult } from '@cairn/wire';
import { CallbackConnections } from '@cairn/wire/callbacks-client';
import { SEED_BYTES } from '../contract/seeds.js';
import { ContractWatch } from '../contract/watch.js';
import { courseOf } from '../decide/course.js';
import type { Course } from '../decide/course.js';
import type { ScopeFacts } from '../decide/facts.js';
import { begunUrns, continuedLine } from '../continue/continued-line.js';
import type { ContinuedLine } from '../continue/continued-line.js';
import { SETTLED, unsettled } from '../continue/unsettled.js';
import { InDoubtPhase } from '../continue/in-doubt-phase.js';
import { IN_DOUBT } from '../continue/in-doubt-kind.js';
import { ChainRunner } from '../execute/chain-runner.js';
import { HookRunner } from '../execute/hook-runner.js';
import { handlers, previewHandlers } from '../execute/handlers/index.js';
import { OperationGates } from '../gates/operation-gates.js';
import type { HandlerContext } from '../execute/handlers/handler.js';
import { processLimits } from '../limits/call-limits.js';
import { OperationLimits } from '../limits/operation-limits.js';
import type { Registration } from '../monitor/registration.js';
import type { EngineEvent } from '../events.js';
import type { Ports } from '../ports.js';
import type { SnippetSources } from '../snippets/snippet-sources.js';
import { SnippetPhase } from './snippet-phase.js';
import type { Policies } from '../policy/policies.js';
import type { ProviderSource } from '../providers/provider-source.js';
import { priorEntries } from '../prior/entries.js';
import type { PriorEntries } from '../prior/entries.js';
import { priorGraph } from '../prior/graph.js';
import type { Slot } from '../prior/slot.js';
import type { PriorGraph } from '../prior/graph.js';
import { Recorder } from '../record/recorder.js';
import { startingState } from './base.js';
import { deletePhase } from './delete-phase.js';
import { importPhase } from './import-phase.js';
import { derivedPolicy } from './derived-policy.js';
import type { DerivedPolicy } from './derived-policy.js';
import { resultOf } from './ending.js';
import { Limiter, atATime } from './limiter.js';
import { judgePlan } from './plan-phase.js';
import { prelude } from './prelude.js';
import { programSource, runProgram } from './program-phase.js';
import { OperationLoop } from './loop.js';
import { objectionsAtStart, unknownLiterals } from './objections.js';
import { openMachine } from './open-machine.js';
import { completeProviders } from './missing-providers.js';
import type { CompletedState } from './missing-providers.js';
import type { MeetNeighbours, Neighbours } from './neighbours.js';
import { analyzeStack, startPolicies } from './policy-phase.js';
import { rebuildBase, refreshPhase, refreshRest, repairReferences } from './refresh-phase.js';
import { Report } from './report.js';
import type { OperationRequest } from './request.js';
import type { OperationResult, WaitingTask } from './result.js';
import { viewStepView } from '../views/apply-views.js';
import { DataHolders } from '../providers/data-holders.js';
import { ViewBook } from '../views/view-book.js';
import { RunPlan } from '../saved-plan/run-plan.js';
import { rootOutputsOf, storeRootOutputs } from './root-outputs.js';
import { TakingBack } from './taking-back.js';
import { beforeLine } from '../undo/before-line.js';
import { UndoBook } from '../undo/undo-book.js';

/**
 * One operation from start to end, apart from who speaks to it: refreshes, the program's registrations, deletes, outputs.
 * The one place that knows up from refresh and destroy.
 */
export class OperationCore {
  readonly #report: Report;
  readonly #contract: ContractWatch;
  readonly #callbacks = new CallbackConnections();
  readonly #hooks: HookRunner;
  readonly #views: ViewBook;
  readonly #gates: OperationGates;
  readonly #limits: OperationLimits | undefined;
  readonly #chains: ChainRunner;
  readonly #machine: ChangeMachine;
  readonly #doubts: InDoubtPhase;
  readonly #startedMs: number;
  readonly #policy: DerivedPolicy;
  readonly #completed: CompletedState;
  readonly #plan: RunPlan;
  #loop: OperationLoop | undefined;
  #continued: ContinuedLine | undefined;
  #unsettled = SETTLED;
  #neighbours: Neighbours | undefined;
  #policies: Policies | undefined;
  readonly #snippets: SnippetPhase;
  readonly #book: UndoBook;
  readonly #holders: DataHolders;
  readonly #context: HandlerContext;
  #graph: PriorGraph | undefined;
  #stopped = false;
  #cancelled = false;
  readonly #takingBack: TakingBack;
  #killed: (() => void) | undefined;
  #bug: { readonly thrown: unknown } | undefined;
  readonly #faults = new Set<unknown>();

  constructor(
    private readonly request: OperationRequest,
    private readonly ports: Ports,
    private readonly meet: MeetNeighbours,
  ) {
    const { preview } = request;
    this.#startedMs = ports.clock.monotonicMs();
    this.#policy = derivedPolicy(request);
    this.#report = new Report(ports.emit);
    this.#plan = new RunPlan(request.plan ?? {}, ports.randomBytes, begunUrns(request));
    this.#contract = new ContractWatch({
      preview,
      strict: request.policy.strictProviders === true,
      seedKey: ports.randomBytes(SEED_BYTES),
      claims: request.claims,
      report: (diagnostic) => this.#report.diagnostic(diagnostic),
    });
    this.#views = new ViewBook({
      live: () => this.#chains.live,
      newToken: ports.newId,
      address: () => this.#neighbours?.statusAddress?.() ?? '',
      onPublished: (owner, change) =>
        this.#report.emit({ t: 'step-started', step: viewStepView(owner, change), planning: preview }),
    });
    this.#hooks = new HookRunner({
      preview,
      registry: () => this.#neighbours?.hooks,
      callbacks: this.#callbacks,
      report: (diagnostic) => this.#report.diagnostic(diagnostic),
      onAfterFailed: (diagnostic) => this.#afterHookFailed(diagnostic),
    });
    const { base, identity, config } = request;
    this.#completed = completeProviders(base, identity, config, ports.newId);
    const live = startingState(base, this.#completed.added);
    this.#holders = new DataHolders((entry) =>
      this.#met()
        .providers.forResource(entry)
        .catch(() => this.#providersBefore().forResource(entry)),
    );
    this.#book = new UndoBook(
      () => this.#chains.live,
      request.policy.rollback,
      request.approvals,
      (entry) => this.#holders.holds(entry),
    );
    this.#gates = new OperationGates({
      request,
      clock: ports.clock,
      report: (diagnostic) => this.#report.diagnostic(diagnostic),
      parked: () => this.#loop?.parked === true,
      asking: () => this.#loop?.asking === true,
      onRest: () => this.#stop(),
    });
    this.#context = {
      preview,
      now: () => ports.clock.now(),
      providerOf: (entry) => this.#met().providers.forResource(entry),
      report: (diagnostic) => this.#report.diagnostic(diagnostic),
      contract: this.#contract,
      legacyRefreshDiff: request.policy.legacyRefreshDiff,
      hooks: this.#hooks,
      views: this.#views,
    };
    this.#limits = preview
      ? undefined
      : new OperationLimits({
          counter: ports.limits ?? processLimits,
          settings: request.concurrency.limits ?? new Map(),
          providerOf: (entry) => this.#met().providers.forResource(entry),
          unblock: (name) => this.#machine.unblock(name),
        });
    this.#chains = new ChainRunner(
      {
        handlers: preview ? previewHandlers : handlers,
        context: this.#context,
        contextBefore: {
          ...this.#context,
          providerOf: (entry) => this.#providersBefore().forResource(entry),
        },
        report: this.#report,
        gates: this.#gates.keeper,
        limits: this.#limits,
        clock: ports.clock,
        encode: preview ? undefined : ports.encodeEntry,
        preview,
        continueOnError: this.#policy.continues,
        rollsBack: this.#policy.rollsBack,
        isolation: preview ? 'none' : (request.policy.isolate ?? 'none'),
        onFell: (urn) => this.#takingBack.fell(urn),
        book: this.#book,
        holders: this.#holders,
        dependents: (urn) => [...(this.#graph?.dependents(urn).keys() ?? [])].map(({ entry }) => entry.urn),
        claim: preview ? undefined : ports.claim,
        onProvider: (entry) => this.#met().providers.registered(entry),
        onBug: (thrown) => this.#onBug(thrown),
        onFault: (thrown) => this.#fault(thrown),
      },
      new Recorder(live, (entry) => this.#chains.write(entry)),
    );
    this.#snippets = new SnippetPhase(request, () => this.#chains.recorder);
    this.#doubts = new InDoubtPhase({
      request,
      context: this.#chains.context,
      report: this.#report,
      encode: ports.encodeEntry,
      onBug: (thrown) => this.#onBug(thrown),
      recorder: () => this.#chains.recorder,
      machine: () => this.#machine,
      limits: this.#chains.taskLimits,
    });
    const kinds = { ...this.#chains.kinds(), [IN_DOUBT]: this.#doubts.kind };
    this.#machine = openMachine(
      request,
      ports,
      kinds,
      this.#policy.onError,
      this.#chains.taskLimits.blocked(),
      (event) => this.#chains.heard(event),
    );
    this.#takingBack = new TakingBack({
      request,
      policy: this.#policy,
      phase: {
        machine: this.#machine,
        chains: this.#chains,
        book: this.#book,
        holders: this.#holders,
      },
      report: this.#report,
      snippets: this.#snippets,
      ledger: () => this.#loop?.ledger,
      unsettled: () => this.#unsettled,
      standing: () => ({
        stopped: this.#stopped,
        cancelled: this.#cancelled,
        unapproved: this.#gates.left.length,
        doubts: this.#doubts.waiting.length,
      }),
    });
    this.#chains.attach(this.#machine);
    this.#gates.attach(this.#machine);
  }

  /** The entries as recorded so far, in snapshot order. O(V). */
  get entries(): readonly ResourceEntry[] {
    return this.#chains.live.entries();
  }

  /** Entry of a resource that this run has registered or read; undefined before that. */
  entryOf(urn: Urn): ResourceEntry | undefined {
    if (this.#loop?.ledger.progress(urn) === undefined) return undefined;
    return this.#chains.live.live(urn)?.entry;
  }

  /** Something that is no step has failed the operation: it is reported, and nothing more starts. */
  abort(thrown: unknown): void {
    this.#fault(thrown);
  }

  /** Never rejects, except with a BugError. */
  async run(): Promise<OperationResult> {
    const killed = new Promise<void>((resolve) => (this.#killed = resolve));
    await Promise.race([this.#work(), killed]);
    this.#limits?.close();
    if (this.#bug !== undefined) throw asBug(this.#bug.thrown);
    return this.#result();
  }

  /** Lets go on what waits for this approval; see {@link RunningOperation.approve}. */
  approve(task: string, by?: string): boolean {
    return this.#gates.keeper.approve(task, by);
  }

  /** Starts nothing more; what runs ends, and what was done is taken back. */
  takeBack(): void {
    if (this.#cancelled || this.#takingBack.unwanted) return;
    if (this.request.kind === 'rollback') return this.cancel();
    this.#takingBack.unwanted = true;
    this.#report.diagnostic(errorDiagnostic('CAIRN-CANCELLED', 'the operation was aborted'));
    this.#stop();
    this.#neighbours?.cancelProgram();
  }

  /** Starts nothing more; what runs ends and is recorded. A rollback that is under way ends where it is. */
  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#report.diagnostic(errorDiagnostic('CAIRN-CANCELLED', 'the operation was cancelled'));
    this.#stop();
    if (this.#takingBack.state === 'running') void this.#machine.stop();
    this.#neighbours?.cancelProgram();
    void this.#neighbours?.providers.cancel().catch(() => undefined);
    void this.#policies?.cancel();
  }

  /** Abandons what runs; it is left in doubt. */
  kill(): void {
    this.cancel();
    this.#chains.abandon();
    void this.#neighbours?.close();
    this.#killed?.();
  }

  async #work(): Promise<void> {
    prelude(this.request, this.ports.emit, this.#report);
    try {
      this.#chains.recorder.complete(this.#completed.added, this.#completed.changed);
      this.#neighbours = await this.meet({
        entries: this.#chains.live.entries(),
        post: (registration) => this.#post(registration),
        emit: (event) => this.#heard(event),
        during: (work) => this.#gates.watch.during(work),
        abort: (error) => this.#fault(error),
        status: this.#views,
        entry: (urn) => this.#loop?.ledger.entry(urn),
        callbacks: this.#callbacks,
        extension: (ref, extension) => {
          this.#plan.extended(ref, extension);
          this.#chains.recorder.extension(ref, extension);
        },
      });
      await this.#phases();
      if (this.#takingBack.isDue) await this.#takingBack.run();
      await this.#conclude();
    } catch (thrown) {
      this.#fault(thrown);
    } finally {
      await this.#policies?.close();
      await this.#neighbours?.close();
      this.#callbacks.close();
    }
  }

  async #phases(): Promise<void> {
    const { first, program, registered, rest } = this.#course;
    const objections = objectionsAtStart(this.request, this.#scope, this.#course);
    this.#reportAll(objections);
    if (objections.length > 0 || !(await this.#doubtsSettled())) return this.#stop();
    this.#continued = continuedLine(this.request, this.#doubts.settled);
    this.#policies = await this.#loadPolicies();
    const snippets = program === 'apply' ? await this.#snippets.start(this.#met().schemas) : undefined;
    if (this.#stopped) return;
    const { base } = this.#chains.live;
    const complete = await refreshPhase(
      this.#chains,
      this.#scope,
      this.#report,
      first,
      this.#continued?.lookedUp,
    );
    if (!complete || (program === undefined && rest === 'nothing')) return this.#stopIf(!complete);
    if (this.#stopped) return;
    const entries = priorEntries(this.#chains.live.base);
    this.#graph = priorGraph(entries);
    const { continues } = this.request;
    const now = this.#chains.live.entries();
    this.#book.startsFrom(continues === undefined ? now : beforeLine(continues, now), continues?.renamed);
    const loop = this.#makeLoop(entries, this.#graph);
    for (const slot of base) if (slot.gone) loop.ledger.note({ t: 'vanished', urn: slot.entry.urn });
    if (this.#policy.rollsBack) this.#chains.lanes.fellBefore(continues?.past ?? []);
    await this.#takingBack.settleFallen();
    if (program !== undefined) await this.#runProgram(loop, snippets);
    await this.#takingBack.settleFallen();
    if (!loop.stopped) await this.#afterwards(loop, entries);
    if (registered !== 'none') repairReferences(this.#chains.recorder);
    if (!this.#takingBack.isDue) this.#storeOutputs(loop);
  }

  /** Whether the operation can go on after asking what became of steps in doubt; a preview does not ask. */
  async #doubtsSettled(): Promise<boolean> {
    if (this.request.preview || (this.request.inDoubt ?? []).length === 0) return true;
    if (!(await this.#doubts.run())) return false;
    this.#unsettled = unsettled(this.#doubts.open, (urn) => this.#chains.live.live(urn)?.entry);
    rebuildBase(this.#chains);
    return true;
  }

  /** What happens to the entries that the program has not dealt with. */
  async #afterwards(loop: OperationLoop, prior: PriorEntries): Promise<void> {
    const { rest, program } = this.#course;
    if (program === 'apply' && this.#isOtherProgram(loop)) return;
    if (rest === 'import') return this.#import(loop);
    if (rest === 'refresh') return refreshRest(this.#chains, this.#scope, this.#report, loop.ledger);
    const missing = unknownLiterals(
      this.request,
      this.#scope.targets,
      (urn) => loop.ledger.progress(urn) !== undefined,
    );
    this.#reportAll(missing.each);
    await this.#delete(loop, rest === 'delete' ? this.#present() : prior);
    this.#reportAll(missing.end);
    judgePlan(this.#plan, loop, prior, {
      live: this.#chains.live,
      report: this.#report,
      ended: () => this.#report.failed || this.#stopped,
    });
    await this.#analyzeStack(loop);
  }

  /** Whether the program has left out what the line it resumes had brought about: then nothing of that is deleted. */
  #isOtherProgram(loop: OperationLoop): boolean {
    const missing = this.#continued?.leftOut((urn) => loop.ledger.progress(urn) !== undefined) ?? [];
    this.#reportAll(missing);
    return missing.length > 0;
  }

  /** Everything there is now, what the run itself has added included. */
  #present(): PriorEntries {
    repairReferences(this.#chains.recorder);
    return priorEntries(this.#chains.live.slots());
  }

  #delete(loop: OperationLoop, entries: PriorEntries): Promise<void> {
    const destroys = this.#course.rest === 'delete';
    return deletePhase({
      alone: this.#policy.rollsBack && !destroys,
      onBegin: () => (this.#takingBack.pastReturn = !destroys),
      ledger: loop.ledger,
      facts: {
        entries,
        graph: priorGraph(entries),
        view: loop.ledger,
        scope: this.#scope,
        destroy: this.#course.rest === 'delete',
        ignoreProtect: this.#policy.ignoresProtect,
        failed: [...this.#takingBack.staying(loop, entries), ...this.#keptByDoubts(entries)],
        untouched: loop.untouchedSlots,
      },
      chains: this.#chains,
      report: this.#report,
      plan: this.#plan,
      hooks: this.#hooks,
      preview: this.request.preview,
      continueOnError: this.#policy.continues || this.#policy.isolates,
      stopped: () => this.#stopped,
    });
  }

  /** What stays because something in doubt may be built on it, and what is in doubt itself. */
  #keptByDoubts({ slots }: PriorEntries): readonly Slot[] {
    const { needed } = this.#unsettled;
    return needed.size === 0 ? [] : slots.filter((slot) => !slot.gone && needed.has(slot.entry.urn));
  }

  #loadPolicies(): Promise<Policies | undefined> {
    return startPolicies({
      request: this.request,
      loader: this.#met().analyzers ?? this.ports.analyzers,
      entryOf: (urn) => this.#chains.live.live(urn)?.entry,
      report: this.#report,
    });
  }

  async #analyzeStack(loop: OperationLoop): Promise<void> {
    if (this.#policies === undefined || this.#stopped || this.#report.failed) return;
    await analyzeStack(this.#policies, this.entries, loop.rootOutputs, this.request, this.#report);
  }

  async #import(loop: OperationLoop): Promise<void> {
    const { request, ports } = this;
    const working = importPhase({
      request,
      chains: this.#chains,
      report: this.#report,
      providers: this.#met().providers,
      post: (registration) => loop.post(registration),
      newId: ports.newId,
      stopped: () => this.#stopped,
    });
    const complete = await working.finally(() => loop.quiet());
    this.#stopIf(!complete);
  }

  async #runProgram(loop: OperationLoop, snippets: SnippetSources | undefined): Promise<void> {
    const source = programSource(this.request, this.#met(), (registration) => this.#post(registration));
    this.#judgeProgram(await runProgram(source, loop, snippets, (thrown) => this.#fault(thrown)));
  }

  /** A program that failed fails the operation; why is not news when the operation had failed before. */
  #judgeProgram(result: RunResult): void {
    if (result.t === 'ok' || this.#gates.rested) return;
    if (result.t === 'failed' && !this.#stopped) {
      this.#report.diagnostic(errorDiagnostic('CAIRN-PROGRAM-FAILED', result.message));
    }
    this.#report.failed = true;
    this.#stop();
  }

  #post(registration: Registration): void {
    this.#plan.heard(registration);
    if (this.#loop !== undefined) this.#loop.post(registration);
    else registration.reply.refuse(new StatusError('UNAVAILABLE', 'no program is running'));
  }

  #makeLoop(entries: PriorEntries, graph: PriorGraph): OperationLoop {
    const { preview, concurrency } = this.request;
    const { providers } = this.#met();
    const loop = new OperationLoop({
      entries,
      graph,
      scope: this.#scope,
      policy: {
        preview,
        mode: this.#course.program ?? 'apply',
        lookUp: this.#course.registered,
        ignoreProtect: this.#policy.ignoresProtect,
        legacyDiff: this.request.policy.legacyDiff,
        analyzed: this.#policies !== undefined,
      },
      continued: this.#continued?.view,
      digest: this.#policy.digest,
      unsettled: this.#unsettled,
      continueOnError: this.#policy.continues || this.#policy.isolates,
      isolated: this.#chains.lanes.isolates,
      chains: this.#chains,
      providers,
      inspector: {
        preview,
        providerOf: (resource) => providers.forResource(resource),
        changeReplaces: (from, to) => providers.changeReplaces(from, to),
        seed: (urn) => this.#plan.seed(urn) ?? this.#contract.seed(urn),
        report: (diagnostic) => this.#report.diagnostic(diagnostic),
        contract: this.#contract,
        policies: this.#policies,
      },
      hooks: this.#hooks,
      limiter: new Limiter(atATime(concurrency.parallel)),
      report: this.#report,
      plan: this.#plan,
      onStop: () => this.#stop(),
      onNews: () => this.#gates.watch.stir(),
      onBug: (thrown) => this.#onBug(thrown),
    });
    this.#loop = loop;
    if (this.#stopped) loop.stop();
    return loop;
  }

  #storeOutputs(loop: OperationLoop): void {
    const registered = loop.rootOutputs;
    if (registered === undefined || this.#course.program === 'destroy') return;
    const succeeded = !this.#stopped && !this.#report.failed;
    storeRootOutputs(this.#chains.recorder, registered, succeeded, this.request.preview, this.ports.emit);
  }

  #reportAll(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.#report.diagnostic(diagnostic);
  }

  async #conclude(): Promise<void> {
    if (this.#chains.abandoned) return;
    this.#chains.recorder.flush();
    if (this.#takingBack.state === 'none') this.#snippets.finish();
    this.#gates.close();
    this.#machine.complete();
    await this.#machine.settled();
    await this.#machine.flush();
    this.#judgeProgram(await this.#met().finished());
  }

  #result(): OperationResult {
    const { kind, preview } = this.request;
    const failed = this.#report.failed || this.#stopped;
    const { counts, consents } = this.#chains.undoer;
    const summary = {
      kind,
      preview,
      result: resultOf({
        kind,
        preview,
        failed,
        reported: this.#report.failed,
        stoppedByPerson: this.#cancelled || this.#takingBack.unwanted,
        rollback: this.#takingBack.state,
        notTakenBack: counts.held + counts.failed + this.#chains.inDoubt.length,
        consents: consents.length,
        waiting: this.#doubts.waiting.length + this.#gates.left.length,
      }),
      durationMs: Math.max(0, this.ports.clock.monotonicMs() - this.#startedMs),
      changes: this.#report.changes,
      rollback: this.#chains.undoer.result,
      policyPacks: this.#report.policyPacks,
    };
    this.ports.emit({ t: 'summary', summary });
    return {
      summary,
      diagnostics: this.#report.diagnostics,
      inDoubt: this.#chains.inDoubt,
      waiting: this.#waiting,
      stackOutputs: rootOutputsOf(this.#chains.live),
      plan: failed ? undefined : this.#plan.made(this.request.base.extensions),
      claims: preview ? this.#contract.claims : undefined,
    };
  }

  /** What the operation cannot go on without. */
  get #waiting(): readonly WaitingTask[] {
    return [...this.#doubts.waiting, ...this.#gates.left, ...this.#chains.undoer.awaited];
  }

  get #course(): Course {
    const { kind, scope, runProgram } = this.request;
    return (this.#courseTaken ??= courseOf(kind, scope.refresh, runProgram === true));
  }
  #courseTaken: Course | undefined;

  get #scope(): ScopeFacts {
    return (this.#scopeFacts ??= this.#snippets.scope(this.request.scope));
  }
  #scopeFacts: ScopeFacts | undefined;

  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#loop?.stop();
    this.#chains.hold('the operation is ending');
  }

  #stopIf(stop: boolean): void {
    if (stop) this.#stop();
  }

  /** Something outside failed in a way that no step and no registration accounts for. */
  #fault(thrown: unknown): void {
    if (thrown instanceof BugError) {
      this.#bug ??= { thrown };
      return;
    }
    if (this.#faults.has(thrown)) return;
    this.#faults.add(thrown);
    if (!this.#chains.abandoned) {
      const diagnostics = isCairnError(thrown)
        ? thrown.diagnostics
        : [errorDiagnostic('CAIRN-INTERNAL', `internal error: ${messageOf(thrown)}`)];
      for (const diagnostic of diagnostics) this.#report.diagnostic(diagnostic);
    }
    this.#report.failed = true;
    this.#stop();
    this.#neighbours?.cancelProgram();
  }

  /** What the step did stands; no further step starts (engine-behaviours-2.md A7.7). */
  #afterHookFailed(diagnostic: Diagnostic): void {
    this.#report.diagnostic(diagnostic);
    if (!this.#policy.continues) this.#stop();
  }

  #onBug(thrown: unknown): void {
    this.#bug ??= { thrown };
    this.#chains.abandon();
    this.#neighbours?.cancelProgram();
    this.#killed?.();
  }

  /** What neighbours have to say shows that they are at work. */
  #heard(event: EngineEvent): void {
    this.#gates.watch.stir();
    this.#report.pass(event);
  }

  /** Providers with the settings that they had before the operation, or before the changes that it takes back. */
  #providersBefore(): ProviderSource {
    const { continues, base } = this.request;
    const neighbours = this.#met();
    this.#formerProviders ??= neighbours.providersOf?.((continues?.before ?? base).resources);
    return this.#formerProviders ?? neighbours.providers;
  }
  #formerProviders: ProviderSource | undefined;

  #met(): Neighbours {
    if (this.#neighbours === undefined)
      throw new BugError('the providers are asked for before they were made');
    return this.#neighbours;
  }
}

function asBug(thrown: unknown): BugError {
  return thrown instanceof BugError ? thrown : new BugError(messageOf(thrown), { cause: thrown });
}
