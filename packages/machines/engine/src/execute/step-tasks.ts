import type { CallOutcome, Status, StepContext, TaskDefinition, StepKinds, TaskView } from '@cairn/changes';
import { unreachable } from '@cairn/diagnostics';
import { claimsOfStep } from '../decide/claims.js';
import type { Report } from '../model/report.js';
import type { StepKind } from '../model/step-kinds.js';
import { stepView } from '../model/step-view.js';
import { deletedBy, endedStep, newOf, oldOf, wentWithContainer } from '../model/step.js';
import type { Step } from '../model/step.js';
import type { EngineClock, EnginePorts } from '../ports.js';
import type { DataHolders } from '../providers/data-holders.js';
import type { Recorder } from '../record/recorder.js';
import { isLocal, leavesNoObject } from './effect.js';
import type { Effect } from './effect.js';
import type { StepHandlerContext, StepStart } from './handlers/handler.js';
import type { Handlers, TaskKind } from './handlers/index.js';
import type { TaskLimits } from './limits/task-limits.js';
import type { OperationChange } from './operation-change.js';
import { stepOf, undoSubject } from './step-run.js';
import type { Payload, StepRun, UndoOnly } from './step-run.js';
import type { UndoPlanner } from './undo/planner.js';
import type { UndoRunner } from './undo/runner.js';
import { applyViews, failViews, removeViews } from './views/apply-views.js';
import { UNDO_PART } from '../model/undo-part.js';

/** Dependencies of {@link StepTasks}. */
interface StepTasksParts {
  readonly handlers: Handlers;
  readonly context: StepHandlerContext;
  readonly report: Report;
  readonly clock: EngineClock;
  readonly change: OperationChange;
  readonly recorder: Recorder;
  readonly undoer: UndoRunner;
  readonly taskLimits: TaskLimits;
  /** Plans undos and knows the earlier state. */
  readonly planner: UndoPlanner;
  /** Knows which objects hold data. */
  readonly holders: DataHolders;
  readonly preview: boolean;
  /** True if failures are rolled back: the remains of a failed step are undone as well. */
  readonly rollsBack: boolean;
  /** Claims the resources of a step. Undefined if the operation holds the whole stack. See `Ports.claim`. */
  readonly claim: EnginePorts['claim'];
}

/**
 * Carries out steps as tasks of the change. Records the intent, calls the handler, then records the outcome with the
 * journal entry. The undo runner undoes them [REC-9].
 */
export class StepTasks {
  readonly #running = new Set<StepRun>();

  readonly #parts: StepTasksParts;

  constructor(parts: StepTasksParts) {
    this.#parts = parts;
  }

  /** Runs that have begun and not ended. */
  get running(): Iterable<StepRun> {
    return this.#running;
  }

  /** Returns the kinds of tasks, for opening the change. */
  kinds(): StepKinds {
    const { claim, handlers, taskLimits, undoer } = this.#parts;
    const kinds: Record<string, TaskDefinition<Payload>> = {};
    for (const kind of Object.keys(handlers) as TaskKind[]) {
      kinds[kind] = {
        begin: (context, direction) =>
          taskLimits.begin(context, () =>
            direction === 'do' ? this.#begin(context) : undoer.begin(context.task, undoSubject(context)),
          ),
        isLocal: ({ payload }) => claim === undefined && 'step' in payload && isLocal(payload.step),
        do: (context) => this.#do(context),
        ...(UNDO_PART[kind] !== undefined && {
          undo: (context) => this.#undo(context).finally(() => taskLimits.end(context)),
        }),
      };
    }
    return kinds;
  }

  /**
   * Reports the end of a step with its views, once it is durable. Returns its effect. Undefined if that does not count,
   * because the step did not run or was aborted.
   */
  settled(run: StepRun, status: Status): Effect | undefined {
    const { effect, step } = run;
    if (effect === undefined || run.announced) return undefined;
    const aborted = effect.t === 'done' && status !== 'done';
    if (effect.t === 'failed' || effect.t === 'in-doubt') failViews(this.#parts, step, effect.views);
    else if (!aborted && !(effect.t === 'done' && leavesNoObject(step, effect)))
      applyViews(this.#parts, step, effect.views);
    this.#announce(run, effect);
    if (effect.t === 'done') run.step = endedStep(step, effect.entry);
    return aborted ? undefined : effect;
  }

  #announce(run: StepRun, effect: Effect): void {
    if (run.announced) return;
    run.announced = true;
    const { step, startedMs } = run;
    const { report, clock, preview } = this.#parts;
    const elapsedMs = Math.max(0, clock.monotonicMs() - (startedMs ?? 0));
    if (effect.t === 'done') {
      for (const warning of effect.warnings ?? []) report.diagnostic(warning);
      const ended = stepView(step, effect.entry, effect.refresh, effect.diff);
      report.count(ended, effect.refresh);
      report.emit({ t: 'step-ended', step: ended, planning: preview, elapsedMs });
    } else {
      const inDoubt = effect.t === 'in-doubt';
      report.emit({ t: 'step-failed', step: stepView(step), inDoubt, elapsedMs, planning: preview });
    }
  }

  #begin({ payload }: StepContext<Payload>): unknown {
    const { change, recorder } = this.#parts;
    const run = stepOf(payload);
    const { operationId, entry } = recorder.begin(run.step);
    run.operationId = operationId;
    this.#running.add(run);
    return change.sealed(entry);
  }

  async #do(start: StepContext<Payload>): Promise<CallOutcome> {
    const { payload, task } = start;
    const run = stepOf(payload);
    const { step, options } = run;
    const { report, clock, preview, change, taskLimits } = this.#parts;
    try {
      await REPORTED;
      if (change.abandoned) return { t: 'unknown', reason: 'the operation was killed' };
      run.startedMs = clock.monotonicMs();
      report.emit({ t: 'step-started', step: stepView(step), planning: preview });
      const key = options?.urn === step.urn ? options.idempotencyKey : undefined;
      const effect = await this.#effect(step, new FirstStart(start, key));
      this.#running.delete(run);
      if (change.abandoned) return { t: 'unknown', reason: 'the operation was killed' };
      run.effect = effect;
      if (effect.t === 'partial' && this.#parts.rollsBack) this.#noteResidue(run, task);
      return this.#outcome(run, effect);
    } finally {
      taskLimits.end(start);
    }
  }

  async #undo(context: StepContext<Payload>): Promise<CallOutcome> {
    const { payload } = context;
    if ('step' in payload && payload.effect?.t === 'done') this.#announce(payload, payload.effect);
    return this.#parts.undoer.undo(context);
  }

  #effect(step: Step, start: StepStart): Promise<Effect> {
    const { claim, rollsBack } = this.#parts;
    return claim === undefined && !rollsBack ? this.#handle(step, start) : this.#prepared(step, start);
  }

  /** Claims the resources of a step and learns whether its object holds data, where that is necessary. */
  async #prepared(step: Step, start: StepStart): Promise<Effect> {
    const { claim, holders, rollsBack } = this.#parts;
    const conflict = await claim?.(claimsOfStep(step));
    if (conflict !== undefined) return { t: 'failed', diagnostic: { ...conflict, urn: step.urn } };
    if (rollsBack) await holders.learn([newOf(step) ?? oldOf(step)].filter((entry) => entry !== undefined));
    return this.#handle(step, start);
  }

  #handle(step: Step, start: StepStart): Promise<Effect> {
    const { handlers, context } = this.#parts;
    const handler = handlers[step.kind as TaskKind] as (
      step: Step,
      context: StepHandlerContext,
    ) => Promise<Effect>;
    return handler(step, { ...context, start });
  }

  #outcome(run: StepRun, effect: Effect): CallOutcome {
    const { step, operationId } = run;
    const { change, recorder, planner, preview } = this.#parts;
    switch (effect.t) {
      case 'done':
        if (FINDS[step.kind] === true && !preview) {
          if (effect.entry === undefined) planner.before.vanished(step.urn);
          else planner.found(effect.entry);
        }
        return change.recorded({ t: 'ok' }, () => {
          if (leavesNoObject(step, effect)) removeViews(this.#parts, step, effect.views);
          return recorder.success(step, operationId, effect.entry);
        });
      case 'partial':
        return change.recorded({ t: 'error', error: effect.diagnostic.summary }, () =>
          recorder.success(step, operationId, effect.entry),
        );
      case 'failed':
        return change.recorded({ t: 'error', error: effect.diagnostic.summary }, () =>
          recorder.failure(operationId),
        );
      case 'in-doubt':
        return { t: 'unknown', reason: effect.diagnostic.summary };
      default:
        return unreachable(effect);
    }
  }

  /**
   * Adds a task for the remains of a failed step, in the same lanes and at the same place of the order [REC-9]. A
   * failing task is not undone itself.
   */
  #noteResidue({ step, options }: StepRun, task: TaskView): void {
    const part = UNDO_PART[step.kind];
    // An object that remains after its delete is not created again.
    if (part === undefined || part === 'recreate') return;
    const option = options?.urn === step.urn ? options.rollback : undefined;
    const withContainer = wentWithContainer(step);
    const undoes = { urn: step.urn, part, imported: false, option, deleted: deletedBy(step), withContainer };
    this.#parts.change.tx((t) =>
      t.addTask({
        kind: step.kind,
        summary: `what is left of ${step.kind} ${step.urn}`,
        payload: { undoes } satisfies UndoOnly,
        data: task.data,
        status: 'done',
        lanes: task.lanes,
        waits: task.waits.map(({ id }) => id),
      }),
    );
  }
}

/** Start of a step that no earlier process has begun. Its token is made on demand, because most providers take none. */
class FirstStart implements StepStart {
  readonly progressId = undefined;
  readonly #start: StepContext<Payload>;
  /** The program's own token. */
  readonly #key: string | undefined;

  constructor(start: StepContext<Payload>, key: string | undefined) {
    this.#start = start;
    this.#key = key;
  }

  get token(): string {
    return this.#key ?? this.#start.token;
  }

  note(id: string): Promise<void> {
    return this.#start.note(id);
  }
}

/** Turn in which the ends of the tasks are reported that a step waited for: they are durable when it is called. */
const REPORTED = Promise.resolve();

/** Kinds that show an object's state before any change to it. */
const FINDS: Readonly<Partial<Record<StepKind, boolean>>> = {
  refresh: true,
  import: true,
  'import-replacement': true,
};
