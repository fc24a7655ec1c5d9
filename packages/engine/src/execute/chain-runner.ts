import { isProviderType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { BugError, messageOf, unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type {
  BlockedPredicate,
  ChangeEvent,
  ChangeMachine,
  ChangeTx,
  Outcome,
  StepContext,
  StepKind as TaskKindHandler,
  StepKinds,
  Status,
  TaskResult,
  TaskView,
} from '@cairn/changes';
import type { JournalEntry, ResourceEntry } from '@cairn/state';
import { GATE } from '../gates/gate-keeper.js';
import type { GateKeeper } from '../gates/gate-keeper.js';
import { needsApproval } from '../gates/gated.js';
import { claimsOfStep } from '../decide/claims.js';
import type { OperationLimits } from '../limits/operation-limits.js';
import { callAbout, callOf } from '../limits/provider-call.js';
import type { ProviderCall } from '../limits/provider-call.js';
import type { EngineClock, Ports } from '../ports.js';
import type { Report } from '../operation/report.js';
import type { InDoubtStep } from '../operation/result.js';
import type { LiveState } from '../record/live-state.js';
import type { Recorder } from '../record/recorder.js';
import type { StepKind } from '../steps/kinds.js';
import { same } from '../steps/make.js';
import type { Chain, SameStep, Step } from '../steps/step.js';
import { oldOf } from '../steps/step.js';
import { UNDO_PART, undoPartOf } from '../decide/undo.js';
import type { UndoPart } from '../decide/undo.js';
import type { UndoBook, UndoSubject } from '../undo/undo-book.js';
import { UndoRunner } from '../undo/undo-runner.js';
import type { Effect } from './effect.js';
import { FailureLanes } from './failure-lanes.js';
import type { Isolation } from './failure-lanes.js';
import { TaskEdges } from './task-edges.js';
import type { HandlerContext, StepStart } from './handlers/handler.js';
import { isTaskKind } from './handlers/index.js';
import type { Handlers, TaskKind } from './handlers/index.js';
import { recordedOutcome } from './recorded.js';
import { taskData } from './task-options.js';
import type { TaskOptions } from './task-options.js';
import { viewOf } from './views.js';
import { applyView, viewStepView } from '../views/apply-views.js';
import type { ViewChange } from '../views/view-changes.js';

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

/** A door that is opened once. */
interface Turn {
  readonly come: Promise<void>;
  readonly open: () => void;
}

function newTurn(): Turn {
  let open: () => void = () => undefined;
  const come = new Promise<void>((resolve) => (open = resolve));
  return { come, open: () => open() };
}

/** One step on its way through the change. */
interface StepRun {
  readonly step: Step;
  /** What the program says of it; undefined when it says nothing. */
  readonly options: TaskOptions | undefined;
  operationId: number;
  /** Opens when all that is before it in its chain has been announced. */
  readonly turn: Turn;
  /** When its handler was called; undefined before. */
  startedMs: number | undefined;
  effect: Effect | undefined;
  announced: boolean;
}

/** A task that only takes something back: what it is about was done by another change, or by a step that failed. */
interface UndoOnly {
  readonly undoes: Omit<UndoSubject, 'followers'>;
}

/** Something to be taken back; `after`: indexes of those that it came after. */
export type TakenBack = Omit<UndoSubject, 'followers' | 'holdsData'> & { readonly after: readonly number[] };

type Payload = StepRun | UndoOnly;

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
  #machine: ChangeMachine | undefined;
  #abandoned = false;

  constructor(
    private readonly parts: ChainRunnerParts,
    public recorder: Recorder,
  ) {
    this.lanes = new FailureLanes(parts.isolation, (urn) => this.recorder.live.live(urn)?.entry);
    this.edges = new TaskEdges(() => this.#attached().change, parts.dependents);
    this.undoer = new UndoRunner({
      ...parts,
      recorder: () => this.recorder,
      abandoned: () => this.#abandoned,
      hasTask: (urn) => this.edges.has(urn),
      hasFallen: (urn) => this.lanes.hasFallen(urn),
      onEntry: (entry) => {
        if (isProviderType(entry.type)) parts.onProvider(entry);
      },
      views: (owner, effect, gone) =>
        gone ? this.#removeViews(owner, effect) : this.#applyViews(owner, effect.views ?? []),
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
        const lanes = [this.lanes.laneOf(urn, t)];
        if (this.parts.rollsBack) t.abortLanes(lanes);
        else t.hold('something in its failure domain has failed', lanes);
      }),
    );
    this.lanes.fell(urn);
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
          this.#beginCall(context, () =>
            direction === 'do' ? this.#begin(context) : this.undoer.begin(context.task, subjectOf(context)),
          ),
        do: (context) => this.#endCall(context, this.#do(context)),
        ...(UNDO_PART[kind] !== undefined && {
          undo: (context) => this.#endCall(context, this.#undo(context)),
        }),
      };
    }
    return { ...kinds, [GATE]: this.parts.gates.kind() };
  }

  /** Why tasks may not start although nothing they wait for is missing, for opening the change. */
  blocked(): readonly BlockedPredicate[] {
    const { limits } = this.parts;
    if (limits === undefined) return [];
    return [
      (_task, _running, payload) => {
        const call = this.#callOf(payload as Payload | undefined);
        return call === undefined ? false : (limits.blockedBy(call) ?? false);
      },
    ];
  }

  #beginCall<R>({ payload, task }: StepContext<Payload>, begin: () => R): R {
    const { limits } = this.parts;
    const call = limits && this.#callOf(payload);
    if (call !== undefined) limits?.begin(task.id, call);
    try {
      return begin();
    } catch (thrown) {
      limits?.end(task.id);
      throw thrown;
    }
  }

  #endCall<R>({ task }: StepContext<Payload>, work: Promise<R>): Promise<R> {
    const { limits } = this.parts;
    return limits === undefined ? work : work.finally(() => limits.end(task.id));
  }

  /** The call that a task makes, done or undone; undefined for tasks that make none. */
  #callOf(payload: Payload | undefined): ProviderCall | undefined {
    if (payload === undefined) return undefined;
    if ('step' in payload) return callOf(payload.step);
    if (!('undoes' in payload)) return undefined;
    const { urn } = payload.undoes;
    return callAbout(this.live.live(urn)?.entry ?? this.parts.book.aim(urn));
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
          const { urn, part, option } = undoes;
          const id = t.addTask({
            kind: undoes.imported ? 'import' : TAKEN_BACK_AS[part],
            summary: `take back: ${part} ${urn}`,
            payload: { undoes: { holdsData: false, ...undoes } } satisfies UndoOnly,
            data: { urn, ...(option !== undefined && { rollback: option }) },
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
    for (const step of chain) entry = this.#carryOutHere(step) ?? entry;
    return { t: 'done', entry };
  }

  #carryOutHere(step: Step): ResourceEntry | undefined {
    const { report, preview } = this.parts;
    report.emit({ t: 'step-started', step: viewOf(step), planning: preview });
    if (step.kind === 'same') this.recorder.same(step);
    const entry = step.kind === 'same' ? step.new : undefined;
    report.count(step.kind);
    report.emit({ t: 'step-ended', step: viewOf(step, entry), planning: preview, elapsedMs: 0 });
    if (step.kind === 'same') this.#sameViews(step);
    return entry;
  }

  /** The views of an unchanged resource are unchanged as well (engine-behaviours-2.md A9.6). */
  #sameViews({ old }: SameStep): void {
    for (const slot of this.parts.context.views.viewsOf(old.urn))
      this.#carryOutHere(same(slot, slot.entry, slot.entry));
  }

  /** What became of views, in the order of publication. */
  #applyViews(owner: Step, changes: readonly ViewChange[]): void {
    const { report, context, preview } = this.parts;
    const at = context.now().toISOString();
    for (const change of changes) {
      const step = viewStepView(owner, change);
      const stands = change.error === '' || change.partial;
      if (stands) applyView(owner, change, this.recorder, context.views, at);
      if (change.error !== '') {
        report.emit({ t: 'step-failed', step, inDoubt: change.partial, elapsedMs: 0 });
        continue;
      }
      report.count(step.kind);
      report.emit({ t: 'step-ended', step, planning: preview, elapsedMs: 0 });
    }
  }

  /** Views of a resource that goes, before it: what was published, then what is left of them. */
  #removeViews(owner: Step, effect: Extract<Effect, { readonly t: 'done' }>): void {
    this.#applyViews(owner, effect.views ?? []);
    const { views } = this.parts.context;
    const rest = views.leftOver(owner);
    for (const change of rest) views.published(owner, change);
    this.#applyViews(owner, rest);
  }

  async #asTasks(chain: Chain, alone: boolean, options: TaskOptions | undefined): Promise<ChainEnd> {
    const ends = this.#guarded(() => this.#submit(chain, alone, options));
    if (ends === undefined) return { t: 'held' };
    let last: ResourceEntry | undefined;
    for (const [index, step] of chain.entries()) {
      const task = ends[index];
      if (task === undefined) {
        last = this.#carryOutHere(step) ?? last;
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
      const lanes = alone ? [t.newLane()] : this.#lanesOf(chain, t);
      return chain.map((step) => {
        if (!isTaskKind(step.kind)) return undefined;
        const run: StepRun = {
          step,
          options,
          operationId: 0,
          turn: newTurn(),
          startedMs: undefined,
          effect: undefined,
          announced: false,
        };
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
        ahead = [id];
        return { run, id };
      });
    });
    return added.map((task) => task && { run: task.run, ended: machine.ended(task.id) });
  }

  #lanesOf(chain: Chain, t: ChangeTx): readonly number[] | undefined {
    const urn = chain.at(-1)?.urn;
    return urn === undefined || !this.lanes.isolates ? undefined : [this.lanes.laneOf(urn, t)];
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
      this.#applyViews(step, effect.views ?? []);
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
    const token = (options?.urn === step.urn ? options.idempotencyKey : undefined) ?? start.token;
    const effect = await this.#effect(step, { token, progressId: undefined, note: (id) => start.note(id) });
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
    const undoes = { urn: step.urn, part, imported: false, option, holdsData: false };
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
    const { handlers, context, claim } = this.parts;
    const conflict = await claim?.(claimsOfStep(step));
    if (conflict !== undefined) return { t: 'failed', diagnostic: { ...conflict, urn: step.urn } };
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
          if (isGone(step, effect)) this.#removeViews(step, effect);
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
    if (this.parts.preview || !LEAVES_DOUBT[step.kind]) return;
    if (this.inDoubt.some((each) => each.urn === step.urn && each.kind === step.kind)) return;
    this.inDoubt.push({ urn: step.urn, kind: step.kind, id: idOf(step), cause });
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

/** The step of a task that has something to do. */
function stepOf(payload: Payload): StepRun {
  if ('step' in payload) return payload;
  throw new BugError(`a task that takes back something of ${payload.undoes.urn} has nothing to do`);
}

/** What a task's undo is about. */
function subjectOf({ payload, task }: StepContext<Payload>): UndoSubject {
  const followers = task.halts.flatMap(({ data }) =>
    typeof data['urn'] === 'string' ? [data['urn'] as Urn] : [],
  );
  if (!('step' in payload)) return { ...payload.undoes, followers };
  const { step, options } = payload;
  return {
    urn: step.urn,
    part: undoPartOf(step.kind),
    imported: step.kind === 'import' || step.kind === 'import-replacement',
    option: options?.urn === step.urn ? options.rollback : undefined,
    followers,
    holdsData: false,
  };
}

/** Whether the step leaves nothing of its resource's object. */
function isGone(step: Step, { entry }: Extract<Effect, { readonly t: 'done' }>): boolean {
  if (step.kind === 'remove-pending-replace') return true;
  return entry === undefined && 'old' in step && step.old !== undefined;
}

/** Kinds that may have changed an object although nobody saw their end. */
const LEAVES_DOUBT: Readonly<Partial<Record<StepKind, boolean>>> = {
  create: true,
  'create-replacement': true,
  update: true,
  delete: true,
  'delete-replaced': true,
};

function idOf(step: Step): string {
  return step.kind === 'create' || step.kind === 'create-replacement' ? '' : (oldOf(step)?.id ?? '');
}
