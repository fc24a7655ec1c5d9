import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { StatusError } from '@cairn/wire';
import type { RunResult } from '@cairn/wire';
import { courseOf } from '../decide/course.js';
import type { Course } from '../decide/course.js';
import type { ScopeFacts } from '../decide/facts.js';
import { SETTLED, unsettled } from '../decide/unsettled.js';
import type { EngineEvent } from '../model/events.js';
import type { Registration } from '../model/registration.js';
import type { OperationRequest } from '../model/request.js';
import type { OperationResult } from '../model/result.js';
import type { Slot } from '../model/slot.js';
import type { Policies } from '../policy/policies.js';
import type { Ports } from '../ports.js';
import { priorEntries } from '../prior/entries.js';
import type { PriorEntries } from '../prior/entries.js';
import { priorGraph } from '../prior/graph.js';
import type { PriorGraph } from '../prior/graph.js';
import { beforeLine } from '../recover/before-line.js';
import { continuedLine } from '../recover/continued-line.js';
import type { ContinuedLine } from '../recover/continued-line.js';
import type { SnippetSources } from '../snippets/snippet-sources.js';
import { assemble } from './assemble.js';
import type { OperationParts, Underway } from './assemble.js';
import { CallingOff } from './calling-off.js';
import { deletePhase } from './delete-phase.js';
import { endOf } from './ending.js';
import { importPhase } from './import-phase.js';
import { atATime, Limiter } from './limiter.js';
import { OperationLoop } from './loop.js';
import type { CoreDoor, MeetNeighbours } from './neighbours.js';
import { objectionsAtStart, unknownLiterals } from './objections.js';
import { judgePlan } from './plan-phase.js';
import { analyzeStack, startPolicies } from './policy-phase.js';
import { fellEarlier, prelude } from './prelude.js';
import { programSource, runProgram } from './program-phase.js';
import { rebuildBase, refreshPhase, refreshRest, repairReferences } from './refresh-phase.js';
import { storeRootOutputs } from './root-outputs.js';

/**
 * One operation from start to end, apart from who speaks to it: refreshes, the program's registrations, deletes,
 * outputs. The one place that knows up from refresh and destroy.
 */
export class OperationCore {
  readonly #under: Mutable<Underway> = { loop: undefined, graph: undefined, unsettled: SETTLED };
  readonly #parts: OperationParts;
  readonly #startedMs: number;
  readonly #callingOff: CallingOff;
  /** Everything was done, or taken back. */
  #concluding = false;
  #continued: ContinuedLine | undefined;
  #policies: Policies | undefined;

  constructor(
    private readonly request: OperationRequest,
    private readonly ports: Ports,
    private readonly meet: MeetNeighbours,
  ) {
    this.#startedMs = ports.clock.monotonicMs();
    this.#parts = assemble(request, ports, this.#under);
    const { standing, chains, neighbours, report } = this.#parts;
    this.#callingOff = new CallingOff({
      clock: ports.clock,
      running: () => chains.running,
      report,
      cancelCalls: () => {
        standing.callsCancelled = true;
        neighbours.cancelProviders();
      },
      cancel: () => this.cancel(),
      kill: () => this.kill(),
    });
  }

  /** The entries as recorded so far, in snapshot order. O(V). */
  get entries(): readonly ResourceEntry[] {
    return this.#parts.chains.live.entries();
  }

  /** Never rejects, except with a BugError. */
  async run(): Promise<OperationResult> {
    const { standing, limits } = this.#parts;
    await Promise.race([this.#work(), standing.killed]);
    limits?.close();
    this.#concluding = true;
    this.#callingOff.over();
    if (standing.bug !== undefined) throw standing.bug;
    const durationMs = Math.max(0, this.ports.clock.monotonicMs() - this.#startedMs);
    const result = endOf(this.request, this.#parts, durationMs);
    this.ports.emit({ t: 'summary', summary: result.summary });
    return result;
  }

  /** Lets go on what waits for this approval; see {@link RunningOperation.approve}. */
  approve(task: string, by?: string): boolean {
    return this.#parts.gates.keeper.approve(task, by);
  }

  /**
   * Stops, and takes back what was done when that is wanted. What runs for long all the same is ended. False: it came
   * too late, and changes nothing.
   */
  abort({ rollback }: { readonly rollback: boolean }): boolean {
    if (this.#concluding) return false;
    if (rollback) this.#takeBack();
    else this.cancel();
    this.#callingOff.aborted();
    return true;
  }

  /** Starts nothing more; what runs ends, and what was done is rolled back. */
  #takeBack(): void {
    const { standing, takingBack, report, neighbours } = this.#parts;
    if (standing.cancelled || takingBack.unwanted) return;
    if (this.request.kind === 'rollback') return this.cancel();
    takingBack.unwanted = true;
    report.diagnostic(errorDiagnostic('CAIRN-CANCELLED', 'the operation was aborted'));
    standing.stop();
    neighbours.cancelProgram();
  }

  /** Starts nothing more; what runs ends and is recorded. A rollback that is under way ends where it is. */
  cancel(): void {
    const { standing, takingBack, report, machine, neighbours } = this.#parts;
    if (standing.cancelled) return;
    standing.cancelled = true;
    report.diagnostic(errorDiagnostic('CAIRN-CANCELLED', 'the operation was cancelled'));
    standing.stop();
    // Who waits for what is taken back hears of a change that ends before that.
    if (takingBack.state === 'running') machine.stop().catch(() => undefined);
    neighbours.cancelProgram();
    void this.#policies?.cancel();
  }

  /** Has the providers end what runs; what has not answered definitely after a grace is left in doubt. */
  cancelRunning(): void {
    this.cancel();
    this.#callingOff.cancelCalls();
  }

  /** Abandons what runs; it is left in doubt. */
  kill(): void {
    this.cancel();
    this.#parts.standing.kill();
    void this.#parts.neighbours.close();
  }

  async #work(): Promise<void> {
    const { report, chains, completed, neighbours, takingBack, standing, callbacks } = this.#parts;
    prelude(this.request, this.ports.emit, report);
    try {
      chains.recorder.complete(completed.added, completed.changed);
      await neighbours.meet(this.meet, this.#door());
      await this.#phases();
      if (takingBack.isDue) await takingBack.run();
      this.#concluding = true;
      await this.#conclude();
    } catch (thrown) {
      standing.fault(thrown);
    } finally {
      await this.#policies?.close();
      await neighbours.close();
      callbacks.close();
    }
  }

  /** What the neighbours may use. */
  #door(): CoreDoor {
    const { chains, gates, intake, standing, views, callbacks, plan, report } = this.#parts;
    return {
      entries: chains.live.entries(),
      post: (registration) => this.#post(registration),
      emit: (event) => this.#heard(event),
      intake,
      during: (work) => gates.watch.during(work),
      abort: (error) => standing.fault(error),
      refused: ({ diagnostics }) => diagnostics.forEach((each) => report.refusal(each)),
      status: views,
      entry: (urn) => this.#under.loop?.ledger.entry(urn),
      callbacks,
      extension: (ref, extension) => {
        plan.extended(ref, extension);
        chains.recorder.extension(ref, extension);
      },
    };
  }

  async #phases(): Promise<void> {
    const { first, program, registered, rest } = this.#course;
    const { chains, standing, neighbours, doubts, snippets, book, takingBack, report } = this.#parts;
    const objections = objectionsAtStart(this.request, this.#scope, this.#course);
    this.#reportAll(objections);
    if (objections.length > 0 || !(await this.#doubtsSettled())) return standing.stop();
    this.#continued = continuedLine(this.request, doubts.settled);
    this.#policies = await this.#loadPolicies();
    const sources = program === 'apply' ? await snippets.start(neighbours.met.schemas) : undefined;
    if (standing.stopped) return;
    const { base } = chains.live;
    const complete = await refreshPhase(chains, this.#scope, report, first, this.#continued?.lookedUp);
    if (!complete || (program === undefined && rest === 'nothing')) return this.#stopIf(!complete);
    if (standing.stopped) return;
    const { continues } = this.request;
    const now = chains.live.entries();
    book.startsFrom(continues === undefined ? now : beforeLine(continues, now), continues?.renamed);
    this.#under.graph = priorGraph(priorEntries(chains.live.base));
    if (this.#parts.policy.rollsBack) chains.lanes.fellBefore(continues?.past ?? []);
    if (chains.lanes.someFell) report.diagnostic(fellEarlier(this.request.preview));
    // What comes back before the program runs is there for it, like everything else.
    if (await takingBack.settleFallen()) rebuildBase(chains);
    const entries = priorEntries(chains.live.base);
    this.#under.graph = priorGraph(entries);
    const loop = this.#makeLoop(entries, this.#under.graph);
    for (const slot of base) if (slot.gone) loop.ledger.note({ t: 'vanished', urn: slot.entry.urn });
    if (program !== undefined) await this.#runProgram(loop, sources);
    await takingBack.settleFallen();
    if (!loop.stopped) await this.#afterwards(loop, entries);
    if (registered !== 'none') repairReferences(chains.recorder);
    if (!takingBack.isDue) this.#storeOutputs(loop);
  }

  /** Whether the operation can go on after asking what became of steps in doubt; a preview does not ask. */
  async #doubtsSettled(): Promise<boolean> {
    const { chains, doubts } = this.#parts;
    if (this.request.preview || (this.request.inDoubt ?? []).length === 0) return true;
    if (!(await doubts.run())) return false;
    this.#under.unsettled = unsettled(doubts.open, (urn) => chains.live.live(urn)?.entry);
    rebuildBase(chains);
    return true;
  }

  /** What happens to the entries that the program has not dealt with. */
  async #afterwards(loop: OperationLoop, prior: PriorEntries): Promise<void> {
    const { chains, report, plan, standing } = this.#parts;
    const { rest, program } = this.#course;
    if (program === 'apply' && this.#isOtherProgram(loop)) return;
    if (rest === 'import') return this.#import(loop);
    if (rest === 'refresh') return refreshRest(chains, this.#scope, report, loop.ledger);
    const missing = unknownLiterals(
      this.request,
      this.#scope.targets,
      (urn) => loop.ledger.progress(urn) !== undefined,
    );
    this.#reportAll(missing.each);
    await this.#delete(loop, rest === 'delete' ? this.#present() : prior);
    this.#reportAll(missing.end);
    judgePlan(plan, loop, prior, {
      live: chains.live,
      report,
      ended: () => report.failed || standing.stopped,
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
    repairReferences(this.#parts.chains.recorder);
    return priorEntries(this.#parts.chains.live.slots());
  }

  #delete(loop: OperationLoop, entries: PriorEntries): Promise<void> {
    const { chains, report, plan, hooks, policy, standing, takingBack } = this.#parts;
    const destroys = this.#course.rest === 'delete';
    return deletePhase({
      alone: policy.rollsBack && !destroys,
      onBegin: () => (takingBack.pastReturn = !destroys),
      ledger: loop.ledger,
      facts: {
        entries,
        graph: priorGraph(entries),
        view: loop.ledger,
        scope: this.#scope,
        destroy: this.#course.rest === 'delete',
        ignoreProtect: policy.ignoresProtect,
        failed: [...takingBack.staying(loop, entries), ...this.#keptByDoubts(entries)],
        untouched: loop.untouchedSlots,
      },
      chains,
      report,
      plan,
      hooks,
      preview: this.request.preview,
      continueOnError: policy.continues || policy.isolates,
      stopped: () => standing.stopped,
    });
  }

  /** What stays because something in doubt may be built on it, and what is in doubt itself. */
  #keptByDoubts({ slots }: PriorEntries): readonly Slot[] {
    const { needed } = this.#under.unsettled;
    return needed.size === 0 ? [] : slots.filter((slot) => !slot.gone && needed.has(slot.entry.urn));
  }

  #loadPolicies(): Promise<Policies | undefined> {
    const { chains, report, neighbours } = this.#parts;
    return startPolicies({
      request: this.request,
      loader: neighbours.met.analyzers ?? this.ports.analyzers,
      entryOf: (urn) => chains.live.live(urn)?.entry,
      report,
    });
  }

  async #analyzeStack(loop: OperationLoop): Promise<void> {
    if (this.#policies === undefined || this.#parts.standing.stopped || this.#parts.report.failed) return;
    await analyzeStack(this.#policies, this.entries, loop.rootOutputs, this.request, this.#parts.report);
  }

  async #import(loop: OperationLoop): Promise<void> {
    const { chains, report, neighbours, standing } = this.#parts;
    const { request, ports } = this;
    const working = importPhase({
      request,
      chains,
      report,
      providers: neighbours.met.providers,
      post: (registration) => loop.post(registration),
      newId: ports.newId,
      stopped: () => standing.stopped,
    });
    const complete = await working.finally(() => loop.quiet());
    this.#stopIf(!complete);
  }

  async #runProgram(loop: OperationLoop, snippets: SnippetSources | undefined): Promise<void> {
    const { neighbours, standing } = this.#parts;
    const source = programSource(this.request, neighbours.met, (registration) => this.#post(registration));
    this.#judgeProgram(await runProgram(source, loop, snippets, (thrown) => standing.fault(thrown)));
  }

  /** A program that failed fails the operation; why is not news when the operation had failed before. */
  #judgeProgram(result: RunResult): void {
    const { gates, report, standing } = this.#parts;
    if ((result.t === 'ok' && !report.hasRefused) || gates.rested) return;
    if (result.t === 'failed' && !standing.stopped && !report.hasRefused) {
      report.diagnostic(errorDiagnostic('CAIRN-PROGRAM-FAILED', result.message));
    }
    report.failed = true;
    standing.stop();
  }

  #post(registration: Registration): void {
    this.#parts.plan.heard(registration);
    if (this.#under.loop !== undefined) this.#under.loop.post(registration);
    else registration.reply.refuse(new StatusError('UNAVAILABLE', 'no program is running'));
  }

  #makeLoop(entries: PriorEntries, graph: PriorGraph): OperationLoop {
    const { chains, standing, report, plan, policy, contract, hooks, gates, intake, neighbours } =
      this.#parts;
    const { preview, concurrency } = this.request;
    const { providers } = neighbours.met;
    const loop = new OperationLoop({
      entries,
      graph,
      scope: this.#scope,
      policy: {
        preview,
        mode: this.#course.program ?? 'apply',
        lookUp: this.#course.registered,
        ignoreProtect: policy.ignoresProtect,
        legacyDiff: this.request.policy.legacyDiff,
        analyzed: this.#policies !== undefined,
      },
      continued: this.#continued?.view,
      digest: policy.digest,
      unsettled: this.#under.unsettled,
      continueOnError: policy.continues || policy.isolates,
      isolated: chains.lanes.isolates,
      chains,
      providers,
      inspector: {
        preview,
        providerOf: (resource) => providers.forResource(resource),
        changeReplaces: (from, to) => providers.changeReplaces(from, to),
        seed: (urn) => plan.seed(urn) ?? contract.seed(urn),
        report: (diagnostic) => report.diagnostic(diagnostic),
        contract,
        policies: this.#policies,
      },
      hooks,
      limiter: new Limiter(atATime(concurrency.parallel)),
      report,
      plan,
      onStop: () => standing.stop(),
      onNews: () => gates.watch.stir(),
      intake,
      onBug: (thrown) => standing.mistake(thrown),
    });
    this.#under.loop = loop;
    if (standing.stopped) loop.stop();
    return loop;
  }

  #storeOutputs(loop: OperationLoop): void {
    const { standing, report, chains } = this.#parts;
    const registered = loop.rootOutputs;
    if (registered === undefined || this.#course.program === 'destroy') return;
    const succeeded = !standing.stopped && !report.failed;
    storeRootOutputs(chains.recorder, registered, succeeded, this.request.preview, this.ports.emit);
  }

  #reportAll(diagnostics: readonly Diagnostic[]): void {
    for (const diagnostic of diagnostics) this.#parts.report.diagnostic(diagnostic);
  }

  async #conclude(): Promise<void> {
    const { chains, takingBack, snippets, gates, machine, neighbours } = this.#parts;
    if (chains.abandoned) return;
    chains.recorder.flush();
    if (takingBack.state === 'none') snippets.finish();
    gates.close();
    machine.complete();
    await machine.settled();
    await machine.flush();
    this.#judgeProgram(await neighbours.met.finished());
  }

  get #course(): Course {
    const { kind, scope, runProgram } = this.request;
    return (this.#courseTaken ??= courseOf(kind, scope.refresh, runProgram === true));
  }
  #courseTaken: Course | undefined;

  get #scope(): ScopeFacts {
    return (this.#scopeFacts ??= this.#parts.snippets.scope(this.request.scope));
  }
  #scopeFacts: ScopeFacts | undefined;

  #stopIf(stop: boolean): void {
    if (stop) this.#parts.standing.stop();
  }

  /** What neighbours have to say shows that they are at work. */
  #heard(event: EngineEvent): void {
    const { gates, report } = this.#parts;
    gates.watch.stir();
    report.pass(event);
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
