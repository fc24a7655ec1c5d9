import { isProviderType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { BugError, messageOf, unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type {
  ChangeEvent,
  ChangeMachine,
  Outcome,
  StepContext,
  StepKind as TaskKindHandler,
  StepKinds,
  Status,
  TaskResult,
  TaskView,
} from '@cairn/changes';
import type { JournalEntry, ResourceEntry } from '@cairn/state';
import { Bookkeeping, isGone } from './bookkeeping.js';
import { noteDoubt } from './note-doubt.js';
import { deletedBy, newRun, stepOf, subjectOf, wentWithContainer } from './step-run.js';
import type { Payload, StepRun, UndoOnly } from './step-run.js';
import { TaskLimits } from '../limits/task-limits.js';
import { GATE } from '../gates/gate-keeper.js';
import type { GateKeeper } from '../gates/gate-keeper.js';
import { needsApproval } from '../gates/gated.js';
import { claimsOfStep } from '../decide/claims.js';
import { goalReferences } from '../decide/goal-references.js';
import type { Referring } from '../decide/goal-references.js';
import type { OperationLimits } from '../limits/operation-limits.js';
import type { EngineClock, Ports } from '../ports.js';
import type { Report } from '../operation/report.js';
import type { InDoubtStep } from '../operation/result.js';
import type { LiveState } from '../record/live-state.js';
import type { Recorder } from '../record/recorder.js';
import type { StepKind } from '../steps/kinds.js';
import type { Chain, Step } from '../steps/step.js';
import { newOf, oldOf } from '../steps/step.js';
import type { DataHolders } from '../providers/data-holders.js';
import { UNDO_PART } from '../decide/undo.js';
import type { UndoPart } from '../decide/undo.js';
import type { UndoBook, UndoSubject } from '../undo/undo-book.js';
import { UndoRunner } from '../undo/undo-runner.js';
import type { Effect } from './effect.js';
import { FailureLanes } from './failure-lanes.js';
import type { Isolation, Placed } from './failure-lanes.js';
import { TaskEdges } from './task-edges.js';
import type { HandlerContext, StepStart } from './handlers/handler.js';
import { isTaskKind } from './handlers/index.js';
import type { Handlers, TaskKind } from './handlers/index.js';
import { recordedOutcome } from './recorded.js';
import { taskData } from './task-options.js';
import type { TaskOptions } from './task-options.js';
import { viewOf } from './views.js';

/** How a chain ended. */
export type ChainEnd =
  /** `entry`: of the last step that left one. */
  | { readonly t: 'done'; readonly entry: ResourceEntry | undefined }
  | { readonly t: 'failed'; readonly diagnostic: Diagnostic }
  /** It was not started, or not started any further: the operation is ending. */
  | { readonly t: 'held' };

/** What carrying out steps needs. */
export interface ChainRunnerParts {
  readonly handlers: Handlers;
  readonly context: HandlerContext;
  /** The same with providers as they were before the operation. */
  readonly contextBefore: HandlerContext;
  readonly report: Report;
  /** Approvals that chains wait for. */
  readonly gates: GateKeeper;
  /** How many calls of providers there may be at a time; undefined: as many as one likes. */
  readonly limits: OperationLimits | undefined;
  readonly clock: EngineClock;
  /** Seals an entry for the store; previews have none. */
  readonly encode: ((entry: JournalEntry) => unknown) | undefined;
  readonly preview: boolean;
  /** Whether a failed step leaves the others alone. */
  readonly continueOnError: boolean;
  /** What was done about a resource, or was to be, has fallen with something that failed. */
  readonly onFell: (urn: Urn) => void;
  /** What fails and rolls back together. */
  readonly isolation: Isolation;
  /** What failed is taken back: what a failed step has left is taken back as well. */
  readonly rollsBack: boolean;
  /** How everything was before. */
  readonly book: UndoBook;
  /** Which objects hold data. */
  readonly holders: DataHolders;
  /** Entries that referred to a resource before the operation. */
  readonly dependents: (urn: Urn) => Iterable<Urn>;
  /** Holds what a step needs; undefined: the whole stack is held. See `Ports.claim`. */
  readonly claim: Ports['claim'];
  /** A provider is what it was before. */
  readonly onProvider: (entry: ResourceEntry) => void;
  /** A mistake of ours that ends the operation. */
  readonly onBug: (thrown: unknown) => void;
  /** The store has failed: the operation ends with its error. */
  readonly onFault: (thrown: unknown) => void;
}

/** Something to be taken back; `after`: indexes of those that it came after. */
export type TakenBack = Omit<UndoSubject, 'followers'> & { readonly after: readonly number[] };

/**
 * Turns chains into tasks of the change: begin durable before the provider is called, outcome durable before the next step
 * starts or anybody hears of it. Bookkeeping steps are carried out where they stand, without a task and without waiting.
 */
export class ChainRunner {
  readonly inDoubt: InDoubtStep[] = [];
  readonly #running = new Map<string, StepRun>();
  readonly edges: TaskEdges;
  readonly lanes: FailureLanes;
  readonly undoer: UndoRunner;
  readonly taskLimits: TaskLimits;
  readonly #bookkeeping: Bookkeeping;
  #machine: ChangeMachine | undefined;
  #abandoned = false;

  constructor(
    private readonly parts: ChainRunnerParts,
    public recorder: Recorder,
  ) {
    this.lanes = new FailureLanes(parts.isolation, (urn) => this.recorder.live.live(urn)?.entry);
    this.edges = new TaskEdges(() => this.#attached().change, parts.dependents);
    this.#bookkeeping = new Bookkeeping(parts, () => this.recorder);
    this.taskLimits = new TaskLimits(
      parts.limits,
      (urn) => this.live.live(urn)?.entry ?? parts.book.aim(urn),
    );
    this.undoer = new UndoRunner({
      ...parts,
      recorder: () => this.recorder,
      abandoned: () => this.#abandoned,
      hasTask: (urn) => this.edges.has(urn),
      standing: () => this.edges.standing(),
      hasFallen: (urn) => this.lanes.hasFallen(urn),
      onEntry: (entry) => {
        if (isProviderType(entry.type)) parts.onProvider(entry);
      },
      views: (owner, effect, gone) =>
        gone
          ? this.#bookkeeping.removeViews(owner, effect)
          : this.#bookkeeping.applyViews(owner, effect.views ?? []),
    });
  }

  /** The snapshot as recorded so far. */
  get live(): LiveState {
    return this.recorder.live;
  }

  /** What handlers of steps work with. */
  get context(): HandlerContext {
    return this.parts.context;
  }

  /** Nothing is recorded any more. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** Gives the machine whose kinds are {@link kinds}. Called once, before anything runs. */
  attach(machine: ChangeMachine): void {
    this.#machine = machine;
  }

  /** A journal entry that belongs to no task. */
  write(entry: JournalEntry): void {
    if (this.parts.encode === undefined || this.#abandoned) return;
    const encoded = this.parts.encode(entry);
    this.#guarded((machine) => machine.tx((t) => t.entry(encoded)));
  }

  /** Starts nothing more; what runs may finish. */
  hold(reason: string): void {
    if (this.#abandoned) return;
    this.#guarded((machine) => {
      if (!machine.change.isReady) machine.hold(reason);
    });
  }

  /**
   * Something about a resource has failed that is no task: what fails with it falls, and is taken back when the operation does that.
   * Only with isolation.
   */
  fail(urn: Urn): void {
    if (this.#abandoned || this.lanes.hasFallen(urn)) return;
    this.#guarded((machine) =>
      machine.tx((t) => {
        const lanes = this.lanes.lanesOf(urn, t);
        if (this.parts.rollsBack) t.abortLanes(lanes);
        else t.hold('something in its failure domain has failed', lanes);
      }),
    );
    this.lanes.fell(urn);
  }

  /** A resource is registered: what it uses, and others use as well, falls only with all of them. */
  place(resource: Placed & Referring): void {
    const changed = this.lanes.place(resource, goalReferences(resource));
    if (changed.length === 0 || this.#abandoned) return;
    this.#guarded((machine) =>
      machine.tx((t) => {
        for (const each of changed) this.lanes.move(each, t);
      }),
    );
  }

  /** Told what the machine does: what fails takes others with it. */
  heard(event: ChangeEvent): void {
    if (event.t !== 'task') return;
    const { task, to } = event;
    const held = to === 'hold' && event.from === 'do' && isTaskKind(task.kind as StepKind);
    if (to !== 'error' && to !== 'abort' && to !== 'undo' && !held) return;
    this.lanes.taskFell(task);
    const urn = task.data['urn'];
    if (typeof urn === 'string') this.parts.onFell(urn as Urn);
  }

  /** The kinds of tasks, for opening the change. */
  kinds(): StepKinds {
    const kinds: Record<string, TaskKindHandler<Payload>> = {};
    for (const kind of Object.keys(this.parts.handlers) as TaskKind[]) {
      kinds[kind] = {
        begin: (context, direction) =>
          this.taskLimits.begin(context, () =>
            direction === 'do' ? this.#begin(context) : this.undoer.begin(context.task, subjectOf(context)),
          ),
        do: (context) => this.taskLimits.end(context, this.#do(context)),
        ...(UNDO_PART[kind] !== undefined && {
          undo: (context) => this.taskLimits.end(context, this.#undo(context)),
        }),
      };
    }
    return { ...kinds, [GATE]: this.parts.gates.kind() };
  }

  /**
   * Carries out a chain. The answer comes at once when no step of it is a task. `alone`: a failure domain of its own.
   * `options`: what the program says of the resource that the chain is for.
   */
  run(chain: Chain, alone = false, options?: TaskOptions): ChainEnd | Promise<ChainEnd> {
    if (!chain.some((step) => isTaskKind(step.kind))) return this.#inline(chain);
    return this.#asTasks(chain, alone || this.parts.continueOnError, options);
  }

  /** Takes back something that no task of this change has done, or not to the end: as tasks that are done, and aborted at once. */
  takeBack(undos: readonly TakenBack[]): void {
    if (undos.length === 0) return;
    this.#guarded((machine) =>
      machine.tx((t) => {
        const lanes = [t.newLane()];
        const ids: string[] = [];
        for (const { after, ...undoes } of undos) {
          const { urn, part, option, withContainer } = undoes;
          const id = t.addTask({
            kind: undoes.imported ? 'import' : TAKEN_BACK_AS[part],
            summary: `take back: ${part} ${urn}`,
            payload: { undoes } satisfies UndoOnly,
            data: {
              urn,
              ...(option !== undefined && { rollback: option }),
              ...(withContainer === true && { withContainer }),
            },
            status: 'done',
            lanes,
            waits: after.map((index) => ids[index] as string),
          });
          ids.push(id);
          this.edges.taken(urn, id);
        }
        t.abortTasks(ids);
      }),
    );
  }

  /** Lets go of the steps in flight at once; they are left in doubt. */
  abandon(): void {
    if (this.#abandoned) return;
    this.#abandoned = true;
    for (const run of this.#running.values()) this.#doubt(run.step, 'the operation was killed while it ran');
    this.inDoubt.push(...this.undoer.inDoubt('the operation was killed while it was taken back'));
    this.#attached().kill();
  }

  #inline(chain: Chain): ChainEnd {
    let entry: ResourceEntry | undefined;
    for (const step of chain) entry = this.#bookkeeping.carryOut(step) ?? entry;
    return { t: 'done', entry };
  }

  async #asTasks(chain: Chain, alone: boolean, options: TaskOptions | undefined): Promise<ChainEnd> {
    const ends = this.#guarded(() => this.#submit(chain, alone, options));
    if (ends === undefined) return { t: 'held' };
    let last: ResourceEntry | undefined;
    for (const [index, step] of chain.entries()) {
      const task = ends[index];
      if (task === undefined) {
        last = this.#bookkeeping.carryOut(step) ?? last;
        continue;
      }
      task.run.turn.open();
      const end = await this.#settle(task.run, task.ended);
      if (end.t !== 'done') return end;
      last = end.entry ?? last;
    }
    return { t: 'done', entry: last };
  }

  /** Adds the tasks of a chain in one transaction, each waiting for the one before. */
  #submit(
    chain: Chain,
    alone: boolean,
    options: TaskOptions | undefined,
  ): readonly ({ readonly run: StepRun; readonly ended: Promise<TaskResult> } | undefined)[] {
    const machine = this.#attached();
    const added = machine.tx((t) => {
      const gates = options !== undefined && needsApproval(chain) ? options.gates : [];
      let ahead = this.parts.gates.waits(gates, t);
      const about = (chain.at(-1) as Step).urn;
      const lanes = alone ? [t.newLane()] : this.lanes.isolates ? this.lanes.lanesOf(about, t) : undefined;
      return chain.map((step) => {
        if (!isTaskKind(step.kind)) return undefined;
        const run = newRun(step, options);
        const waits = this.edges.before(step);
        const id = t.addTask({
          kind: step.kind,
          summary: `${step.kind} ${step.urn}`,
          payload: run,
          data: taskData(step, options),
          ...(lanes !== undefined && { lanes }),
          waits: [...ahead, ...waits],
        });
        this.edges.note(step, id);
        if (!alone) this.lanes.noteTask(about, id);
        ahead = [id];
        return { run, id };
      });
    });
    return added.map((task) => task && { run: task.run, ended: machine.ended(task.id) });
  }

  async #settle(run: StepRun, ended: Promise<TaskResult>): Promise<ChainEnd> {
    let status: Status;
    try {
      ({ status } = await ended);
    } catch (thrown) {
      return this.#lost(run, thrown);
    }
    const { effect, step } = run;
    if (effect === undefined || run.announced) return { t: 'held' };
    if (effect.t === 'done' && status !== 'done') {
      // It was aborted while it ran.
      this.#announce(run, effect);
      return { t: 'held' };
    }
    if (effect.t === 'partial' || (effect.t === 'done' && !isGone(step, effect)))
      this.#bookkeeping.applyViews(step, effect.views ?? []);
    this.#announce(run, effect);
    switch (effect.t) {
      case 'done':
        return { t: 'done', entry: effect.entry };
      case 'partial':
      case 'failed':
        return { t: 'failed', diagnostic: effect.diagnostic };
      case 'in-doubt':
        this.#doubt(step, effect.diagnostic.summary);
        return { t: 'failed', diagnostic: effect.diagnostic };
      default:
        return unreachable(effect);
    }
  }

  /** The store failed or the operation was killed: what ran is in doubt. */
  #lost(run: StepRun, thrown: unknown): ChainEnd {
    if (this.#abandoned) return { t: 'held' };
    if (run.startedMs === undefined) {
      this.parts.onFault(thrown);
      return { t: 'held' };
    }
    this.#doubt(run.step, `its outcome could not be recorded: ${messageOf(thrown)}`);
    this.parts.onFault(thrown);
    return { t: 'held' };
  }

  #announce(run: StepRun, effect: Effect): void {
    if (run.announced) return;
    run.announced = true;
    const { step, startedMs } = run;
    const { report, clock, preview } = this.parts;
    const elapsedMs = Math.max(0, clock.monotonicMs() - (startedMs ?? 0));
    if (effect.t === 'done') {
      for (const warning of effect.warnings ?? []) report.diagnostic(warning);
      report.count(step.kind);
      report.emit({
        t: 'step-ended',
        step: viewOf(step, effect.entry, effect.refresh),
        planning: preview,
        elapsedMs,
      });
    } else {
      report.emit({ t: 'step-failed', step: viewOf(step), inDoubt: effect.t === 'in-doubt', elapsedMs });
    }
  }

  async #undo(context: StepContext<Payload>): Promise<Outcome> {
    const { payload } = context;
    if ('step' in payload && payload.effect?.t === 'done') this.#announce(payload, payload.effect);
    return this.undoer.undo(context);
  }

  #begin({ payload, task }: StepContext<Payload>): unknown {
    const run = stepOf(payload);
    const { operationId, entry } = this.recorder.begin(run.step);
    run.operationId = operationId;
    this.#running.set(task.id, run);
    return entry === undefined || this.parts.encode === undefined ? undefined : this.parts.encode(entry);
  }

  async #do(start: StepContext<Payload>): Promise<Outcome> {
    const { payload, task } = start;
    const run = stepOf(payload);
    const { step, options } = run;
    const { report, clock, preview } = this.parts;
    await run.turn.come;
    if (this.#abandoned) return { t: 'unknown', reason: 'the operation was killed' };
    run.startedMs = clock.monotonicMs();
    report.emit({ t: 'step-started', step: viewOf(step), planning: preview });
    const key = options?.urn === step.urn ? options.idempotencyKey : undefined;
    const effect = await this.#effect(step, {
      // Made for those who ask: most providers know no tokens.
      get token() {
        return key ?? start.token;
      },
      progressId: undefined,
      note: (id) => start.note(id),
    });
    this.#running.delete(task.id);
    if (this.#abandoned) return { t: 'unknown', reason: 'the operation was killed' };
    run.effect = effect;
    if (effect.t === 'partial' && this.parts.rollsBack) this.#noteResidue(run, task);
    return this.#outcome(run, effect);
  }

  #noteFound({ urn }: Step, entry: ResourceEntry | undefined): void {
    const { book, preview } = this.parts;
    if (preview) return;
    if (entry === undefined) book.before.vanished(urn);
    else book.found(entry);
  }

  /**
   * A failing task is not undone itself, so what it has left is the matter of a task of its own, in the same lanes and in the same
   * place of the order (changes.md g.2).
   */
  #noteResidue({ step, options }: StepRun, task: TaskView): void {
    const part = UNDO_PART[step.kind];
    if (part === undefined) return;
    const option = options?.urn === step.urn ? options.rollback : undefined;
    const withContainer = wentWithContainer(step);
    const undoes = { urn: step.urn, part, imported: false, option, deleted: deletedBy(step), withContainer };
    this.#guarded((machine) =>
      machine.tx((t) =>
        t.addTask({
          kind: step.kind,
          summary: `what is left of ${step.kind} ${step.urn}`,
          payload: { undoes } satisfies UndoOnly,
          data: task.data,
          status: 'done',
          lanes: task.lanes,
          waits: task.waits.map(({ id }) => id),
        }),
      ),
    );
  }

  async #effect(step: Step, start: StepStart): Promise<Effect> {
    const { handlers, context, claim, holders, rollsBack } = this.parts;
    const conflict = await claim?.(claimsOfStep(step));
    if (conflict !== undefined) return { t: 'failed', diagnostic: { ...conflict, urn: step.urn } };
    if (rollsBack) await holders.learn([newOf(step) ?? oldOf(step)].filter((entry) => entry !== undefined));
    const handler = handlers[step.kind as TaskKind] as (
      step: Step,
      context: HandlerContext,
    ) => Promise<Effect>;
    return handler(step, { ...context, start });
  }

  #outcome(run: StepRun, effect: Effect): Outcome {
    const { step, operationId } = run;
    switch (effect.t) {
      case 'done':
        if (FINDS[step.kind] === true) this.#noteFound(step, effect.entry);
        return this.#recorded({ t: 'ok' }, () => {
          if (isGone(step, effect)) this.#bookkeeping.removeViews(step, effect);
          return this.recorder.success(step, operationId, effect.entry);
        });
      case 'partial':
        return this.#recorded({ t: 'error', error: effect.diagnostic.summary }, () =>
          this.recorder.success(step, operationId, effect.entry),
        );
      case 'failed':
        return this.#recorded({ t: 'error', error: effect.diagnostic.summary }, () =>
          this.recorder.failure(operationId),
        );
      case 'in-doubt':
        return { t: 'unknown', reason: effect.diagnostic.summary };
      default:
        return unreachable(effect);
    }
  }

  #recorded(outcome: Outcome, record: () => JournalEntry | undefined): Outcome {
    return recordedOutcome(outcome, record, this.parts);
  }

  #doubt(step: Step, cause: string): void {
    if (!this.parts.preview) noteDoubt(this.inDoubt, step, cause);
  }

  /** The change refuses work once its store has failed. */
  #guarded<R>(work: (machine: ChangeMachine) => R): R | undefined {
    try {
      return work(this.#attached());
    } catch (thrown) {
      if (thrown instanceof BugError) throw thrown;
      this.parts.onFault(thrown);
      return undefined;
    }
  }

  #attached(): ChangeMachine {
    if (this.#machine === undefined) throw new BugError('steps run before the change was opened');
    return this.#machine;
  }
}

/** Kinds of tasks that take something back without having done it. */
const TAKEN_BACK_AS = { remove: 'create', restore: 'update', recreate: 'delete' } as const satisfies Record<
  UndoPart,
  TaskKind
>;

/** Kinds that say what an object is like before anything is done to it. */
const FINDS: Readonly<Partial<Record<StepKind, boolean>>> = {
  refresh: true,
  import: true,
  'import-replacement': true,
};
