import { BugError, messageOf, unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type {
  ChangeMachine,
  Outcome,
  StepContext,
  StepKind as TaskKindHandler,
  StepKinds,
} from '@cairn/changes';
import type { JournalEntry, ResourceEntry } from '@cairn/state';
import type { EngineClock } from '../ports.js';
import type { Report } from '../operation/report.js';
import type { InDoubtStep } from '../operation/result.js';
import type { LiveState } from '../record/live-state.js';
import type { Recorder } from '../record/recorder.js';
import type { StepKind } from '../steps/kinds.js';
import { same } from '../steps/make.js';
import type { Chain, SameStep, Step } from '../steps/step.js';
import { oldOf } from '../steps/step.js';
import type { Effect } from './effect.js';
import type { HandlerContext } from './handlers/handler.js';
import { isTaskKind } from './handlers/index.js';
import type { Handlers, TaskKind } from './handlers/index.js';
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
  readonly report: Report;
  readonly clock: EngineClock;
  /** Seals an entry for the store; previews have none. */
  readonly encode: ((entry: JournalEntry) => unknown) | undefined;
  readonly preview: boolean;
  /** Whether a failed step leaves the others alone. */
  readonly continueOnError: boolean;
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
}

/**
 * Turns chains into tasks of the change: begin durable before the provider is called, outcome durable before the next step
 * starts or anybody hears of it. Bookkeeping steps are carried out where they stand, without a task and without waiting.
 */
export class ChainRunner {
  readonly inDoubt: InDoubtStep[] = [];
  readonly #running = new Map<string, StepRun>();
  #machine: ChangeMachine | undefined;
  #abandoned = false;

  constructor(
    private readonly parts: ChainRunnerParts,
    public recorder: Recorder,
  ) {}

  /** The snapshot as recorded so far. */
  get live(): LiveState {
    return this.recorder.live;
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

  /** The kinds of tasks, for opening the change. */
  kinds(): StepKinds {
    const kinds: Record<string, TaskKindHandler<StepRun>> = {};
    for (const kind of Object.keys(this.parts.handlers)) {
      kinds[kind] = {
        begin: (context) => this.#begin(context),
        do: (context) => this.#do(context),
      };
    }
    return kinds;
  }

  /**
   * Carries out a chain. The answer comes at once when no step of it is a task. `alone`: a failure domain of its own.
   * `options`: what the program says of the resource that the chain is for.
   */
  run(chain: Chain, alone = false, options?: TaskOptions): ChainEnd | Promise<ChainEnd> {
    if (!chain.some((step) => isTaskKind(step.kind))) return this.#inline(chain);
    return this.#asTasks(chain, alone || this.parts.continueOnError, options);
  }

  /** Lets go of the steps in flight at once; they are left in doubt. */
  abandon(): void {
    if (this.#abandoned) return;
    this.#abandoned = true;
    for (const run of this.#running.values()) this.#doubt(run.step, 'the operation was killed while it ran');
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
  ): readonly ({ readonly run: StepRun; readonly ended: Promise<unknown> } | undefined)[] {
    const machine = this.#attached();
    let before: string | undefined;
    const added = machine.tx((t) => {
      const lanes = alone ? [t.newLane()] : undefined;
      return chain.map((step) => {
        if (!isTaskKind(step.kind)) return undefined;
        const run: StepRun = {
          step,
          options,
          operationId: 0,
          turn: newTurn(),
          startedMs: undefined,
          effect: undefined,
        };
        const id = t.addTask({
          kind: step.kind,
          summary: `${step.kind} ${step.urn}`,
          payload: run,
          data: taskData(step, options),
          ...(lanes !== undefined && { lanes }),
          ...(before !== undefined && { waits: [before] }),
        });
        before = id;
        return { run, id };
      });
    });
    return added.map((task) => task && { run: task.run, ended: machine.ended(task.id) });
  }

  async #settle(run: StepRun, ended: Promise<unknown>): Promise<ChainEnd> {
    try {
      await ended;
    } catch (thrown) {
      return this.#lost(run, thrown);
    }
    const { effect, step } = run;
    if (effect === undefined) return { t: 'held' };
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

  #announce({ step, startedMs }: StepRun, effect: Effect): void {
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

  #begin({ payload: run, task }: StepContext<StepRun>): unknown {
    const { operationId, entry } = this.recorder.begin(run.step);
    run.operationId = operationId;
    this.#running.set(task.id, run);
    return entry === undefined || this.parts.encode === undefined ? undefined : this.parts.encode(entry);
  }

  async #do({ payload: run, task }: StepContext<StepRun>): Promise<Outcome> {
    const { step } = run;
    const { report, clock, preview } = this.parts;
    await run.turn.come;
    if (this.#abandoned) return { t: 'unknown', reason: 'the operation was killed' };
    run.startedMs = clock.monotonicMs();
    report.emit({ t: 'step-started', step: viewOf(step), planning: preview });
    const effect = await this.#effect(step);
    this.#running.delete(task.id);
    if (this.#abandoned) return { t: 'unknown', reason: 'the operation was killed' };
    run.effect = effect;
    return this.#outcome(run, effect);
  }

  #effect(step: Step): Promise<Effect> {
    const { handlers, context } = this.parts;
    const handler = handlers[step.kind as TaskKind] as (
      step: Step,
      context: HandlerContext,
    ) => Promise<Effect>;
    return handler(step, context);
  }

  #outcome(run: StepRun, effect: Effect): Outcome {
    const { step, operationId } = run;
    switch (effect.t) {
      case 'done':
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

  /**
   * The outcome with its journal entry, which is made at the very moment the outcome is recorded: so the live state, the
   * sequence ids and the order of the journal are one, and what the entry needs before it is in the same transaction.
   */
  #recorded(outcome: Outcome, record: () => JournalEntry | undefined): Outcome {
    const { encode, onBug } = this.parts;
    let made: { readonly entry: unknown } | undefined;
    const make = (): unknown => {
      try {
        const entry = record();
        return entry === undefined || encode === undefined ? undefined : encode(entry);
      } catch (thrown) {
        onBug(thrown);
        throw thrown;
      }
    };
    return Object.defineProperty({ ...outcome }, 'entry', {
      enumerable: true,
      get: () => (made ??= { entry: make() }).entry,
    });
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
