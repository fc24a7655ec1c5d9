import type { Urn } from '@cairn/addresses';
import type { ChangeEvent, Status, TaskResult } from '@cairn/changes';
import type { ChangeTx } from '@cairn/changes';
import { messageOf, unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { goalReferences } from '../decide/goal-references.js';
import type { Referring } from '../decide/goal-references.js';
import type { UndoPart } from '../decide/undo.js';
import type { InDoubtStep } from '../model/result.js';
import type { StepKind } from '../model/step-kinds.js';
import type { Chain, Step } from '../model/step.js';
import type { LiveState } from '../record/live-state.js';
import type { Recorder } from '../record/recorder.js';
import type { Bookkeeping } from './bookkeeping.js';
import { isGone } from './bookkeeping.js';
import type { FailureLanes } from './failure-lanes.js';
import type { Placed } from './failure-lanes.js';
import type { GateKeeper } from './gates/gate-keeper.js';
import { needsApproval } from './gates/gated.js';
import { isTaskKind } from './handlers/index.js';
import type { TaskKind } from './handlers/index.js';
import { noteDoubt } from './note-doubt.js';
import type { OperationChange } from './operation-change.js';
import { newRun } from './step-run.js';
import type { StepRun, UndoOnly } from './step-run.js';
import type { StepTasks } from './step-tasks.js';
import type { TaskEdges } from './task-edges.js';
import { taskData } from './task-options.js';
import type { TaskOptions } from './task-options.js';
import type { UndoSubject } from './undo/planner.js';
import type { UndoRunner } from './undo/runner.js';

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

/** Dependencies of {@link ChainRunner}. */
interface ChainRunnerParts {
  readonly change: OperationChange;
  readonly recorder: Recorder;
  /** Steps as tasks. */
  readonly tasks: StepTasks;
  readonly bookkeeping: Bookkeeping;
  readonly undoer: UndoRunner;
  readonly edges: TaskEdges;
  readonly lanes: FailureLanes;
  /** Approvals that chains wait for. */
  readonly gates: GateKeeper;
  readonly preview: boolean;
  /** True if a failed step does not affect the others. */
  readonly continueOnError: boolean;
  /** True if failed resources are rolled back. */
  readonly rollsBack: boolean;
}

/** Change to undo. `after` contains indexes of the requests that it came after. */
export type UndoRequest = Omit<UndoSubject, 'followers'> & { readonly after: readonly number[] };

/**
 * Turns chains into tasks of the change. The begin is durable before the provider is called. The outcome is durable
 * before the next step starts or the outcome is reported. Bookkeeping steps are carried out in place, without a task
 * and without waiting.
 */
export class ChainRunner {
  readonly inDoubt: InDoubtStep[] = [];
  readonly recorder: Recorder;
  readonly edges: TaskEdges;
  readonly lanes: FailureLanes;
  readonly undoer: UndoRunner;
  readonly #change: OperationChange;

  constructor(private readonly parts: ChainRunnerParts) {
    this.recorder = parts.recorder;
    this.edges = parts.edges;
    this.lanes = parts.lanes;
    this.undoer = parts.undoer;
    this.#change = parts.change;
  }

  /** Snapshot as recorded so far. */
  get live(): LiveState {
    return this.recorder.live;
  }

  /** True if nothing is recorded any more. */
  get abandoned(): boolean {
    return this.#change.abandoned;
  }

  /** Starts nothing more. Running steps may finish. */
  hold(reason: string): void {
    this.#change.hold(reason);
  }

  /**
   * Records a failure about a resource outside of tasks. Its failure domain fails with it, and is undone if the
   * operation rolls back. Only with isolation.
   */
  fail(urn: Urn): void {
    if (this.abandoned || this.lanes.hasFailed(urn)) return;
    this.#change.tx((t) => {
      const lanes = this.lanes.lanesOf(urn, t);
      if (this.parts.rollsBack) t.abortLanes(lanes);
      else t.hold('something in its failure domain has failed', lanes);
    });
    this.lanes.fail(urn);
  }

  /** Registers a resource with its failure domains. A resource that several domains use fails only with all of them. */
  place(resource: Placed & Referring): void {
    const changed = this.lanes.place(resource, goalReferences(resource));
    if (changed.length === 0 || this.abandoned) return;
    this.#change.tx((t) => {
      for (const each of changed) this.lanes.move(each, t);
    });
  }

  /**
   * Receives events of the machine. A failed task makes its failure domains fail. Returns the failed resource, if any.
   */
  heard(event: ChangeEvent): Urn | undefined {
    if (event.t !== 'task') return undefined;
    const { task, to } = event;
    const held = to === 'hold' && event.from === 'do' && isTaskKind(task.kind as StepKind);
    if (to !== 'error' && to !== 'abort' && to !== 'undo' && !held) return undefined;
    this.lanes.taskFell(task);
    const urn = task.data['urn'];
    return typeof urn === 'string' ? (urn as Urn) : undefined;
  }

  /**
   * Carries out a chain. Returns synchronously when no step of it is a task. `alone` gives it a failure domain of its
   * own. `options` are the program's options for the resource of the chain.
   */
  run(chain: Chain, alone = false, options?: TaskOptions): ChainEnd | Promise<ChainEnd> {
    if (!chain.some((step) => isTaskKind(step.kind))) return this.#inline(chain);
    return this.#asTasks(chain, alone || this.parts.continueOnError, options);
  }

  /**
   * Undoes changes that no task of this change has done, or that one has done only in part. Adds them as tasks that are
   * done, and aborts these immediately.
   */
  undo(undos: readonly UndoRequest[]): void {
    if (undos.length === 0) return;
    this.#change.tx((t) => {
      const lanes = [t.newLane()];
      const ids: string[] = [];
      for (const { after, ...undoes } of undos) {
        const { urn, part, option, withContainer } = undoes;
        const id = t.addTask({
          kind: undoes.imported ? 'import' : UNDONE_AS[part],
          summary: `undo: ${part} ${urn}`,
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
    });
  }

  /** Running steps and undos, each as a separate value. */
  get running(): ReadonlySet<object> {
    return new Set<object>([...this.parts.tasks.running, ...this.undoer.running]);
  }

  /** Abandons the steps in flight immediately. They are left in doubt. */
  abandon(): void {
    if (this.abandoned) return;
    for (const run of this.parts.tasks.running)
      this.#doubt(run.step, 'the operation was killed while it ran');
    this.inDoubt.push(...this.undoer.inDoubt('the operation was killed while it was rolled back'));
    this.#change.abandon();
  }

  #inline(chain: Chain): ChainEnd {
    let entry: ResourceEntry | undefined;
    for (const step of chain) entry = this.parts.bookkeeping.carryOut(step) ?? entry;
    return { t: 'done', entry };
  }

  async #asTasks(chain: Chain, alone: boolean, options: TaskOptions | undefined): Promise<ChainEnd> {
    const ends = this.#submit(chain, alone, options);
    if (ends === undefined) return { t: 'held' };
    let last: ResourceEntry | undefined;
    for (const [index, step] of chain.entries()) {
      const task = ends[index];
      if (task === undefined) {
        last = this.parts.bookkeeping.carryOut(step) ?? last;
        continue;
      }
      task.run.turn.open();
      const end = await this.#settle(task.run, task.ended);
      if (end.t !== 'done') return end;
      last = end.entry ?? last;
    }
    return { t: 'done', entry: last };
  }

  /** Adds the tasks of a chain in one transaction. Each waits for the previous one. */
  #submit(
    chain: Chain,
    alone: boolean,
    options: TaskOptions | undefined,
  ): readonly ({ readonly run: StepRun; readonly ended: Promise<TaskResult> } | undefined)[] | undefined {
    const { machine } = this.#change;
    const add = (t: ChangeTx) => {
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
    };
    return this.#change.submit(add, (added) =>
      added.map((task) => task && { run: task.run, ended: machine.ended(task.id) }),
    );
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
      this.parts.tasks.announce(run, effect);
      return { t: 'held' };
    }
    if (effect.t === 'partial' || (effect.t === 'done' && !isGone(step, effect)))
      this.parts.bookkeeping.applyViews(step, effect.views ?? []);
    if (effect.t === 'failed' || effect.t === 'in-doubt')
      this.parts.bookkeeping.failViews(step, effect.views ?? []);
    this.parts.tasks.announce(run, effect);
    switch (effect.t) {
      case 'done':
        return { t: 'done', entry: effect.entry };
      case 'failed':
        return { t: 'failed', diagnostic: effect.diagnostic, also: effect.also };
      case 'partial':
        return { t: 'failed', diagnostic: effect.diagnostic };
      case 'in-doubt':
        this.#doubt(step, effect.diagnostic.summary);
        return { t: 'failed', diagnostic: effect.diagnostic };
      default:
        return unreachable(effect);
    }
  }

  /** Handles a failed store or a killed operation: a step that ran is in doubt. */
  #lost(run: StepRun, thrown: unknown): ChainEnd {
    if (this.abandoned) return { t: 'held' };
    if (run.startedMs !== undefined)
      this.#doubt(run.step, `its outcome could not be recorded: ${messageOf(thrown)}`);
    this.#change.failed(thrown);
    return { t: 'held' };
  }

  #doubt(step: Step, cause: string): void {
    if (!this.parts.preview) noteDoubt(this.inDoubt, step, cause);
  }
}

/** Kinds of tasks that undo a change without having done it. */
const UNDONE_AS = { remove: 'create', restore: 'update', recreate: 'delete' } as const satisfies Record<
  UndoPart,
  TaskKind
>;
