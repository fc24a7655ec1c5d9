import type { Status, TaskResult } from '@cairn/changes';
import { messageOf, unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { sameStep } from '../model/make-step.js';
import type { Report } from '../model/report.js';
import type { InDoubtStep } from '../model/result.js';
import type { StepKind } from '../model/step-kinds.js';
import { stepView } from '../model/step-view.js';
import { oldOf } from '../model/step.js';
import type { Chain, Step } from '../model/step.js';
import type { Recorder } from '../record/recorder.js';
import type { FailureLanes } from './failure-lanes.js';
import type { GateKeeper } from './gates/gate-keeper.js';
import { needsApproval } from './gates/gated.js';
import type { StepHandlerContext } from './handlers/handler.js';
import { isTaskKind } from './handlers/index.js';
import type { OperationChange } from './operation-change.js';
import { newStepRun } from './step-run.js';
import type { StepRun } from './step-run.js';
import type { StepTasks } from './step-tasks.js';
import type { TaskEdges } from './task-edges.js';
import { taskData } from './task-options.js';
import type { TaskOptions } from './task-options.js';

/** End of a chain. */
export type ChainEnd =
  /** `entry` comes from the last step that left one. */
  | { readonly t: 'done'; readonly entry: ResourceEntry | undefined }
  | {
      readonly t: 'failed';
      readonly diagnostic: Diagnostic;
      readonly also?: readonly Diagnostic[] | undefined;
    }
  /** Not started, or not continued: the operation is ending. */
  | { readonly t: 'held' };

/** Dependencies of {@link Chains}. */
interface ChainsParts {
  readonly change: OperationChange;
  readonly recorder: Recorder;
  readonly report: Report;
  readonly context: StepHandlerContext;
  readonly tasks: StepTasks;
  readonly edges: TaskEdges;
  readonly lanes: FailureLanes;
  /** Approvals that chains wait for. */
  readonly gates: GateKeeper;
  /** True if a failed step does not affect the others. */
  readonly continueOnError: boolean;
}

/** Step of a chain as a task of the change. */
interface ChainTask {
  readonly run: StepRun;
  readonly ended: Promise<TaskResult>;
}

/**
 * Turns chains into tasks of the change, and returns their ends. The waits of the tasks alone order the steps: each
 * waits for the one ahead of it. Steps that concern only the snapshot become no task: they are carried out in place,
 * when the task ahead of them has ended.
 */
export class Chains {
  /** Steps whose outcome is not known. */
  readonly inDoubt: InDoubtStep[] = [];

  readonly #parts: ChainsParts;

  constructor(parts: ChainsParts) {
    this.#parts = parts;
  }

  /**
   * Carries out a chain. Returns synchronously when no step of it is a task. `alone` gives it a failure domain of its
   * own. `options` are the program's options for the resource of the chain.
   */
  run(chain: Chain, alone = false, options?: TaskOptions): ChainEnd | Promise<ChainEnd> {
    if (chain.some((step) => isTaskKind(step.kind)))
      return this.#asTasks(chain, alone || this.#parts.continueOnError, options);
    let entry: ResourceEntry | undefined;
    for (const step of chain) entry = this.#inPlace(step) ?? entry;
    return { t: 'done', entry };
  }

  /** Steps in flight, each as a separate value. */
  get running(): Iterable<object> {
    return this.#parts.tasks.running;
  }

  /** Notes the steps in flight as in doubt. */
  doubtRunning(cause: string): void {
    for (const { step } of this.#parts.tasks.running) this.#doubt(step, cause);
  }

  async #asTasks(chain: Chain, alone: boolean, options: TaskOptions | undefined): Promise<ChainEnd> {
    const tasks = this.#submit(chain, alone, options);
    if (tasks === undefined) return { t: 'held' };
    let entry: ResourceEntry | undefined;
    for (let index = 0; index < chain.length; index++) {
      const step = chain[index] as Step;
      const task = tasks[index];
      if (task === undefined) {
        entry = this.#inPlace(step) ?? entry;
        continue;
      }
      let status: Status;
      try {
        // Awaited directly: the end is reported in the next turn, before the task that waits for it starts.
        ({ status } = await task.ended);
      } catch (thrown) {
        return this.#lost(task.run, thrown);
      }
      const end = this.#endOf(task.run, status);
      if (end.t !== 'done') return end;
      entry = end.entry ?? entry;
    }
    return { t: 'done', entry };
  }

  /** Adds the tasks of a chain in one transaction. Undefined if a step is not a task or the store has failed. */
  #submit(
    chain: Chain,
    alone: boolean,
    options: TaskOptions | undefined,
  ): readonly (ChainTask | undefined)[] | undefined {
    const { change, edges, gates, lanes } = this.#parts;
    const about = (chain.at(-1) as Step).urn;
    const added = change.tx((t) => {
      let ahead = gates.waits(options !== undefined && needsApproval(chain) ? options.gates : [], t);
      const own = alone ? [t.newLane()] : lanes.isolates ? lanes.lanesOf(about, t) : undefined;
      return chain.map((step) => {
        if (!isTaskKind(step.kind)) return undefined;
        const run = newStepRun(step, options);
        const id = t.addTask({
          kind: step.kind,
          summary: `${step.kind} ${step.urn}`,
          payload: run,
          data: taskData(step, options),
          ...(own !== undefined && { lanes: own }),
          waits: ahead.length === 0 ? edges.before(step) : [...ahead, ...edges.before(step)],
        });
        edges.note(step, id);
        if (!alone) lanes.noteTask(about, id);
        ahead = [id];
        return { run, id };
      });
    });
    return added?.map((task) => task && { run: task.run, ended: change.machine.ended(task.id) });
  }

  /** Carries out a step that is not a task. Returns the entry it left, if any. */
  #inPlace(step: Step): ResourceEntry | undefined {
    const { report, recorder, context } = this.#parts;
    const { preview: planning, views } = context;
    const ended = stepView(step);
    report.emit({ t: 'step-started', step: ended, planning });
    if (step.kind === 'same') recorder.same(step);
    const entry = step.kind === 'same' ? step.new : undefined;
    report.count(ended);
    report.emit({ t: 'step-ended', step: ended, planning, elapsedMs: 0 });
    // The views of an unchanged resource are unchanged as well [VIEW-5].
    if (step.kind === 'same')
      for (const cell of views.viewsOf(step.old.urn)) this.#inPlace(sameStep(cell, cell.entry, cell.entry));
    return entry;
  }

  #endOf(run: StepRun, status: Status): ChainEnd {
    const effect = this.#parts.tasks.settled(run, status);
    if (effect === undefined) return { t: 'held' };
    switch (effect.t) {
      case 'done':
        return { t: 'done', entry: effect.entry };
      case 'failed':
        return { t: 'failed', diagnostic: effect.diagnostic, also: effect.also };
      case 'partial':
        return { t: 'failed', diagnostic: effect.diagnostic };
      case 'in-doubt':
        this.#doubt(run.step, effect.diagnostic.summary);
        return { t: 'failed', diagnostic: effect.diagnostic };
      default:
        return unreachable(effect);
    }
  }

  /** Handles a failed store or a killed operation: a step that ran is in doubt. */
  #lost(run: StepRun, thrown: unknown): ChainEnd {
    const { change } = this.#parts;
    if (change.abandoned) return { t: 'held' };
    if (run.startedMs !== undefined)
      this.#doubt(run.step, `its outcome could not be recorded: ${messageOf(thrown)}`);
    change.failed(thrown);
    return { t: 'held' };
  }

  /** Notes a step whose outcome is unknown, once, if it may have changed an object. */
  #doubt(step: Step, cause: string): void {
    const { kind, urn } = step;
    if (this.#parts.context.preview || !LEAVES_DOUBT[kind]) return;
    if (this.inDoubt.some((each) => each.urn === urn && each.kind === kind)) return;
    const creates = kind === 'create' || kind === 'create-replacement';
    this.inDoubt.push({ urn, kind, id: creates ? '' : (oldOf(step)?.id ?? ''), cause });
  }
}

/** Kinds that may have changed an object although their outcome is unknown. */
const LEAVES_DOUBT: Readonly<Partial<Record<StepKind, boolean>>> = {
  create: true,
  'create-replacement': true,
  update: true,
  delete: true,
  'delete-replaced': true,
};
