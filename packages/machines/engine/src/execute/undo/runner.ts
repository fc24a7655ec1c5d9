import { isProviderType } from '@cairn/addresses';
import type { CallOutcome, StepContext, TaskView } from '@cairn/changes';
import { unreachable } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { holdText } from '../../decide/undo.js';
import type { Undo, UndoHold } from '../../decide/undo.js';
import type { OpenDoubts } from '../../decide/unsettled.js';
import type { Report } from '../../model/report.js';
import type { InDoubtStep } from '../../model/result.js';
import type { Cell } from '../../model/cell.js';
import { stepView } from '../../model/step-view.js';
import type { Step } from '../../model/step.js';
import type { EngineClock } from '../../ports.js';
import type { Recorder, UndoneChange } from '../../record/recorder.js';
import type { FailureLanes } from '../failure-lanes.js';
import type { StepHandlerContext } from '../handlers/handler.js';
import { carryOutUndo, undoStep } from '../handlers/undo.js';
import type { ActingUndo, UndoEffect } from '../handlers/undo.js';
import type { OperationChange } from '../operation-change.js';
import type { TaskEdges } from '../task-edges.js';
import type { DataHolders } from '../../providers/data-holders.js';
import { applyViews, removeViews } from '../views/apply-views.js';
import { PENDING_OF_UNDO, pendingEntry, undoneChange } from './effect.js';
import type { UndoPlanner, UndoPlan, UndoSubject } from './planner.js';
import { keptDiagnostic, replacesDiagnostic, replacingText } from './diagnostics.js';
import { restoreMarks } from './restore-marks.js';
import { storable } from './storable.js';
import { UndoTally } from './tally.js';

/** Dependencies of {@link UndoRunner}. */
interface UndoRunnerParts {
  readonly planner: UndoPlanner;
  /** Knows which objects hold data. */
  readonly holders: DataHolders;
  readonly change: OperationChange;
  readonly recorder: Recorder;
  readonly edges: TaskEdges;
  readonly lanes: FailureLanes;
  readonly context: StepHandlerContext;
  /** The same with the earlier providers. */
  readonly contextBefore: StepHandlerContext;
  readonly report: Report;
  readonly clock: EngineClock;
  /** Open doubts about steps of earlier operations. */
  readonly doubts: OpenDoubts;
  /** Called when a provider has its earlier settings again. */
  readonly onProvider: (entry: ResourceEntry) => void;
}

/** Undo in progress. */
interface Running {
  readonly subject: UndoSubject;
  readonly plan: UndoPlan;
  readonly operationId: number;
}

/**
 * Undoes tasks [REC-4]. The undo is decided when it starts, from the state at that moment. Its intent is durable before
 * the provider is called, and its outcome is recorded with the entry.
 */
export class UndoRunner {
  readonly tally = new UndoTally();
  readonly #running = new Map<string, Running>();

  /** Plans undos and knows the earlier state. */
  readonly planner: UndoPlanner;
  /** Knows which objects hold data. */
  readonly holders: DataHolders;
  /** Open doubts about steps of earlier operations. */
  readonly doubts: OpenDoubts;

  readonly #parts: UndoRunnerParts;

  constructor(parts: UndoRunnerParts) {
    this.#parts = parts;

    this.planner = parts.planner;
    this.holders = parts.holders;
    this.doubts = parts.doubts;
  }

  /** Returns the context of an undo. An object is brought back through its earlier provider. */
  contextOf(undo: Undo): StepHandlerContext {
    const { planner, context, contextBefore } = this.#parts;
    if (undo.t !== 'update' && undo.t !== 'create') return context;
    const { provider } = undo.was;
    return provider !== undefined && planner.providerDiffers(provider) ? contextBefore : context;
  }

  /** Undos that have begun and not ended, each as a separate value. */
  get running(): Iterable<object> {
    return this.#running.values();
  }

  /** Returns the running undos as steps whose end is unknown. */
  inDoubt(cause: string): readonly InDoubtStep[] {
    return [...this.#running.values()].flatMap(({ subject, plan }) => {
      const { undo } = plan;
      if (undo.t !== 'delete' && undo.t !== 'update' && undo.t !== 'create') return [];
      const id = undo.t === 'create' ? '' : undo.now.id;
      return [{ urn: subject.urn, kind: undo.t, id, cause }];
    });
  }

  /** Decides about the undo. Returns the journal entry that must be durable before it starts. */
  begin(task: TaskView, subject: UndoSubject): unknown {
    const plan = this.#parts.planner.plan(subject);
    const { undo } = plan;
    const begun = this.#parts.recorder.beginUndo(PENDING_OF_UNDO[undo.t], pendingEntry(undo));
    this.#running.set(task.id, { subject, plan, operationId: begun.operationId });
    return this.#parts.change.sealed(begun.entry);
  }

  async undo(start: StepContext): Promise<CallOutcome> {
    const { task } = start;
    const running = this.#running.get(task.id);
    if (running === undefined || this.#parts.change.abandoned) return ABANDONED;
    if (running.subject.part !== 'recreate')
      restoreMarks(this.#parts, ({ urn }) => !this.#parts.edges.has(urn));
    const outcome = await this.#carryOut(start, running);
    if (this.#parts.change.abandoned) return ABANDONED;
    this.#running.delete(task.id);
    return outcome;
  }

  /**
   * Restores the parts that no task is responsible for. These are changed entries of unchanged resources, including
   * their names, even if a look-up had named them before their step failed or was aborted. References to resources that
   * have come back are restored too. So are outputs of components with values of objects that were created again.
   */
  finish(): void {
    const inPlace = this.#parts.edges.inPlace();
    const { planner } = this.#parts;
    restoreMarks(this.#parts, ({ urn, custom }) => !custom || planner.isRestored(urn) || !inPlace.has(urn));
  }

  async #carryOut(start: StepContext, running: Running): Promise<CallOutcome> {
    const { plan, operationId } = running;
    const { undo } = plan;
    if (undo.t === 'nothing') return { t: 'ok' };
    if (undo.t === 'keep') return this.#keep(running.subject, undo.because);
    const { report, clock } = this.#parts;
    const { task, token } = start;
    const context = {
      ...this.contextOf(undo),
      start: { token, progressId: task.progressId, note: (id: string) => start.note(id) },
    };
    const step = undoStep(undo, plan.cell);
    report.emit({ t: 'step-started', step: stepView(step), planning: false, undo: true });
    const startedMs = clock.monotonicMs();
    const effect = await carryOutUndo(undo, step, context);
    if (this.#parts.change.abandoned) return ABANDONED;
    const elapsedMs = Math.max(0, clock.monotonicMs() - startedMs);
    if (effect.t === 'done') {
      return this.#recorded({ t: 'ok' }, () => {
        if (isGone(undo)) removeViews(this.#parts, step, effect.views);
        const change = this.#change(running.plan, effect.entry);
        const entry = this.#parts.recorder.undone(operationId, change);
        if (!isGone(undo)) applyViews(this.#parts, step, effect.views);
        this.tally.noteUndone(step);
        this.#parts.planner.restored(running.subject.urn);
        this.#after(undo, effect.entry);
        report.emit({
          t: 'step-ended',
          step: stepView(step, effect.entry),
          planning: false,
          elapsedMs,
          undo: true,
        });
        return entry;
      });
    }
    return this.#notDone(task, running, step, effect, elapsedMs);
  }

  #notDone(
    task: TaskView,
    running: Running,
    step: Step,
    effect: Exclude<UndoEffect, { readonly t: 'done' }>,
    elapsedMs: number,
  ): CallOutcome {
    const { report, recorder, planner } = this.#parts;
    const { subject, operationId } = running;
    const { urn } = subject;
    if (effect.t === 'deleted-first') return this.#deletedFirst(running, step, elapsedMs);
    planner.kept(urn);
    const failed = (inDoubt: boolean) =>
      report.emit({ t: 'step-failed', step: stepView(step), inDoubt, elapsedMs, undo: true });
    switch (effect.t) {
      case 'needs-consent': {
        failed(false);
        const why = `rollback-needs-replace: ${replacingText(effect.keys)}`;
        this.tally.consents.push({ task: task.id, urn, why });
        report.diagnostic(replacesDiagnostic(urn, effect.keys));
        return this.#recorded({ t: 'wait', then: 'undo', reason: why }, () => recorder.failure(operationId));
      }
      case 'partial':
        failed(false);
        this.tally.counts.failed += 1;
        report.diagnostic(effect.diagnostic);
        return this.#recorded({ t: 'error', error: effect.diagnostic.summary }, () => {
          const change = this.#change(running.plan, effect.entry);
          this.#after(running.plan.undo, effect.entry);
          return recorder.undone(operationId, change);
        });
      case 'failed':
        failed(false);
        this.tally.counts.failed += 1;
        report.diagnostic(effect.diagnostic);
        return this.#recorded({ t: 'error', error: effect.diagnostic.summary }, () =>
          recorder.failure(operationId),
        );
      case 'in-doubt':
        failed(true);
        this.tally.counts.failed += 1;
        this.#doubt(pendingEntry(running.plan.undo));
        report.diagnostic(effect.diagnostic);
        return { t: 'unknown', reason: effect.diagnostic.summary };
      default:
        return unreachable(effect);
    }
  }

  #doubt(resource: ResourceEntry | undefined): void {
    if (resource !== undefined) this.tally.unsure.push(resource);
  }

  /** Records the delete. A separate undo then creates the object again. */
  #deletedFirst(running: Running, step: Step, elapsedMs: number): CallOutcome {
    const { report, recorder, planner } = this.#parts;
    const { plan, operationId, subject } = running;
    const { undo, cell } = plan;
    return this.#recorded({ t: 'ok' }, () => {
      if (undo.t !== 'update' || cell === undefined) return recorder.failure(operationId);
      const entry = this.#storable(withEntry(undo.was, { pendingReplacement: true }), cell);
      planner.deletedFirst(subject.urn);
      report.emit({ t: 'step-ended', step: stepView(step), planning: false, elapsedMs, undo: true });
      return recorder.undone(operationId, { t: 'place', cell, entry });
    });
  }

  #keep(subject: UndoSubject, because: UndoHold): CallOutcome {
    const { report, planner } = this.#parts;
    planner.kept(subject.urn);
    this.tally.noteKept(because);
    report.diagnostic(keptDiagnostic(subject, because));
    return { t: 'hold', reason: holdText(because) };
  }

  #change(plan: UndoPlan, entry: ResourceEntry | undefined): UndoneChange {
    return undoneChange(plan, entry, (each, cell) => this.#storable(each, cell));
  }

  #storable(entry: ResourceEntry, cell: Cell | undefined): ResourceEntry {
    return storable(this.#parts.recorder.live, entry, cell);
  }

  #after(undo: Undo, entry: ResourceEntry | undefined): void {
    const { planner, onProvider } = this.#parts;
    if (undo.t === 'create' && entry !== undefined) planner.createdAgain(undo.was, entry);
    const back = undo.t === 'write' || undo.t === 'put-back';
    if (back && isProviderType(undo.was.type)) onProvider(undo.was);
  }

  #recorded<O extends CallOutcome>(outcome: O, record: () => ReturnType<Recorder['failure']> | undefined): O {
    return this.#parts.change.recorded(outcome, record);
  }
}

const ABANDONED: CallOutcome = { t: 'unknown', reason: 'the operation was killed' };

function isGone(undo: ActingUndo): boolean {
  return undo.t === 'delete' || undo.t === 'forget';
}
