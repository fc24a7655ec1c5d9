import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { CallOutcome, StepContext, TaskDefinition } from '@cairn/changes';
import { BugError, errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { JournalEntry, ResourceEntry, SerializedDeployment } from '@cairn/state';
import { answerFits } from '../decide/in-doubt.js';
import type { OpenDoubts } from '../decide/unsettled.js';
import type { StepHandlerContext } from '../execute/handlers/handler.js';
import { callAbout } from '../execute/limits/provider-call.js';
import type { ProviderCall } from '../execute/limits/provider-call.js';
import type { TaskLimits } from '../execute/limits/task-limits.js';
import type { OperationChange } from '../execute/operation-change.js';
import { createdAgainAt, takenAway } from '../execute/undo/taken-away.js';
import { IN_DOUBT, doubtKey, doubtName } from '../model/history.js';
import type { Doubt, PastTask, DoubtResolution } from '../model/history.js';
import { refreshStep, deleteStep, removeFirst, removeReplaced, updateStep } from '../model/make-step.js';
import type { Report } from '../model/report.js';
import type { OperationRequest } from '../model/request.js';
import type { OutputsToTell, WaitingTask } from '../model/result.js';
import type { Cell } from '../model/cell.js';
import { stepView } from '../model/step-view.js';
import { noDiff } from '../model/step.js';
import type { Step } from '../model/step.js';
import type { Recorder, UndoneChange } from '../record/recorder.js';
import { createAgain, findOut } from './find-out.js';
import type { DoubtFinding } from './finding.js';

/** Parts that the phase works with. */
interface InDoubtParts {
  readonly request: Pick<OperationRequest, 'kind' | 'inDoubt' | 'resolutions' | 'stored' | 'continues'>;
  readonly context: StepHandlerContext;
  readonly report: Report;
  readonly change: OperationChange;
  readonly recorder: Recorder;
  /** Receives the doubts that remain open. */
  readonly doubts: OpenDoubts;
  readonly limits: TaskLimits;
}

/** Outcome of a settled step. */
type Settled = 'done' | 'not-done';

interface DoubtRun {
  readonly task: PastTask;
  readonly doubt: Doubt;
  readonly resolution: DoubtResolution | undefined;
  /** Call that may be repeated and has an effect if it was not done: a create under its token, or a repeatable step. */
  readonly call: ProviderCall | undefined;
  operationId: number;
  looks: number;
}

/**
 * Finds out the outcome of steps of earlier operations, before anything else of this one starts [REC-2]. Each is a
 * task: it remains pending in state until its end is recorded, together with the resulting change of the state. Steps
 * that were settled are in `settled`, the others in `waiting`.
 */
export class InDoubtPhase {
  readonly waiting: WaitingTask[] = [];
  /** Resources of the steps whose outcome is not known yet. */
  readonly #open: ResourceEntry[] = [];
  /** Outcomes by key of the step in doubt. */
  readonly settled = new Map<string, Settled>();
  #stored: SerializedDeployment | undefined;
  readonly #parts: InDoubtParts;

  constructor(parts: InDoubtParts) {
    this.#parts = parts;
    this.#stored = parts.request.stored;
  }

  /** Handlers of its tasks. */
  get kind(): TaskDefinition<DoubtRun> {
    const { limits } = this.#parts;
    return {
      begin: (context) => limits.begin(context, () => this.#begin(context.payload)),
      do: (context) => this.#do(context).finally(() => limits.end(context)),
    };
  }

  /**
   * Resolves when all steps are settled or wait. Returns true if the operation may continue with the steps that are not
   * in doubt.
   */
  async run(): Promise<boolean> {
    const { request, report } = this.#parts;
    for (const diagnostic of this.#unknownResolutions()) report.diagnostic(diagnostic);
    if (report.failed) return false;
    const runs = (request.inDoubt ?? []).flatMap((task) => this.#runOf(task));
    const wanted = runs.filter(({ resolution }) => resolution !== undefined || request.kind !== 'resolve');
    for (const run of runs)
      if (!wanted.includes(run)) this.#waits(run, 'it has not been answered yet', false);
    const { machine } = this.#parts.change;
    const tasks = machine.tx((t) =>
      wanted.map((run) =>
        t.addTask({
          kind: IN_DOUBT,
          summary: `find out about ${run.doubt.type} ${run.task.urn}`,
          payload: run,
          data: dataOf(run),
          lanes: [t.newLane()],
        }),
      ),
    );
    await Promise.all(tasks.map((id) => machine.ended(id)));
    for (const run of wanted)
      if (!this.#isHeard(run)) this.#waits(run, 'the operation was stopped first', false);
    const { doubts, recorder } = this.#parts;
    doubts.left(this.#open, (urn) => recorder.live.live(urn)?.entry);
    return !report.failed && (this.waiting.length === 0 || request.kind !== 'resolve');
  }

  #runOf(task: PastTask): readonly DoubtRun[] {
    const { doubt } = task;
    if (doubt === undefined) return [];
    const resolution = said(this.#parts.request.resolutions, task, doubt);
    const again = (doubt.type !== 'creating' || doubt.token !== '') && resolution === undefined;
    const call = again ? callAbout(doubt.resource) : undefined;
    return [{ task, doubt, resolution, call, operationId: 0, looks: 0 }];
  }

  /** Reports answers that match no question. An operation with such an answer does nothing. */
  #unknownResolutions(): readonly Diagnostic[] {
    const { resolutions, inDoubt = [] } = this.#parts.request;
    const doubts = new Map(
      inDoubt.flatMap((task) => {
        const { doubt } = task;
        return doubt === undefined
          ? []
          : [doubtName(doubt), doubtKey(task)].map((name) => [name, doubt] as const);
      }),
    );
    return [...(resolutions ?? [])].flatMap(([name, answer]) => {
      const doubt = doubts.get(name);
      return doubt !== undefined && answerFits(doubt.type, answer) ? [] : [notAnAnswer(name, doubt)];
    });
  }

  /** Begins a look-up. A second look-up continues the one that the first began. */
  #begin(run: DoubtRun): unknown {
    if (run.operationId > 0) return undefined;
    const { type, resource } = run.doubt;
    const { operationId, entry } = this.#parts.recorder.beginAgain({ type, resource });
    run.operationId = operationId;
    return this.#parts.change.sealed(entry);
  }

  async #do(start: StepContext<DoubtRun>): Promise<CallOutcome> {
    const run = start.payload;
    const { doubt, resolution, looks } = run;
    const cell = this.#cellOf(run);
    const finding = await findOut(
      {
        doubt,
        resolution,
        cell,
        known: this.#knownIds(doubt.resource.type),
        looks,
        start: { token: doubt.token, progressId: doubt.progressId, note: (id) => start.note(id) },
        step: cell === undefined && doubt.type !== 'creating' ? undefined : stepOf(run, cell),
        noCall:
          doubt.type === 'deleting' &&
          (cell?.entry.retainOnDelete === true || run.task.withContainer === true),
      },
      this.#parts.context,
    );
    return this.#outcome(run, cell, finding);
  }

  #outcome(run: DoubtRun, cell: Cell | undefined, finding: DoubtFinding): CallOutcome {
    switch (finding.t) {
      case 'done':
        return this.#done(run, stepOf(run, cell), finding);
      case 'gone':
        return this.#done(run, refreshStep(cell as Cell), { t: 'done', entry: undefined });
      case 'in-part':
        this.#settle(run, 'not-done');
        return this.#notDone(run, 'it was done in part', () =>
          this.#parts.recorder.found(cell as Cell, finding.entry),
        );
      case 'not-done':
        this.#settle(run, 'not-done');
        return this.#notDone(run, 'it was not done');
      case 'later':
        run.looks += 1;
        return { t: 'retry', afterMs: Math.max(1, finding.afterMs), reason: 'nothing was found yet' };
      case 'ask':
        this.#waits(run, finding.why, true, finding.outputs);
        return { t: 'wait', then: 'do', reason: finding.why };
      case 'failed':
        this.#parts.report.diagnostic(finding.diagnostic);
        this.#waits(run, finding.diagnostic.summary, false, finding.outputs);
        return { t: 'wait', then: 'do', reason: finding.diagnostic.summary };
    }
  }

  #done(
    run: DoubtRun,
    step: Step,
    { entry, failed }: Extract<DoubtFinding, { readonly t: 'done' }>,
  ): CallOutcome {
    const { report, recorder } = this.#parts;
    this.#settle(run, 'done');
    report.emit({ t: 'step-started', step: stepView(step), planning: false });
    const ended = stepView(step, entry);
    report.countSettled(ended);
    report.emit({ t: 'step-ended', step: ended, planning: false, elapsedMs: 0 });
    // The operation that deals with the object reports that it is not ready: a rollback deletes it, an up makes it
    // ready.
    if (failed !== undefined) report.diagnostic({ ...failed, severity: 'warning' });
    const record = (): JournalEntry | undefined => {
      this.#forget(run.doubt);
      if (entry === undefined) this.#removeViews(step.urn);
      const undone = this.#undone(run, entry);
      if (undone !== undefined) return recorder.undone(run.operationId, undone);
      return recorder.success(step, run.operationId, entry);
    };
    return this.#parts.change.recorded({ t: 'ok' }, record);
  }

  /**
   * Returns the change that an undo that took effect makes. Returns `undefined` if the step was not an undo, or was one
   * that ends as its kind of step does.
   */
  #undone(run: DoubtRun, entry: ResourceEntry | undefined): UndoneChange | undefined {
    const { direction, type } = run.doubt;
    if (direction !== 'undo') return undefined;
    const cell = this.#cellOf(run);
    if (type === 'creating' && entry !== undefined) return createdAgainAt(cell, entry);
    if (type !== 'deleting' || cell === undefined) return undefined;
    const { before } = this.#parts.request.continues ?? {};
    return takenAway(this.#parts.recorder.live, cell, before?.resources);
  }

  #notDone(run: DoubtRun, reason: string, before?: () => void): CallOutcome {
    const record = (): JournalEntry => {
      this.#forget(run.doubt);
      before?.();
      return this.#parts.recorder.failure(run.operationId);
    };
    return this.#parts.change.recorded({ t: 'hold', reason }, record);
  }

  /** Removes a create from the pending operations of the state. */
  #forget({ type, resource }: Doubt): void {
    const stored = this.#stored;
    if (stored === undefined || type !== 'creating') return;
    const pendingOperations = stored.pendingOperations.filter(
      (each) => each.type !== type || each.resource.urn !== resource.urn,
    );
    if (pendingOperations.length === stored.pendingOperations.length) return;
    this.#stored = { ...stored, pendingOperations };
    this.#parts.recorder.pendingChanged(this.#stored);
  }

  #removeViews(owner: Urn): void {
    const recorder = this.#parts.recorder;
    for (const cell of recorder.live.cells()) {
      if (cell.entry.viewOf === owner)
        recorder.alone(
          deleteStep(cell, { t: 'view', owner }, () => true),
          undefined,
        );
    }
  }

  #settle(run: DoubtRun, settled: Settled): void {
    this.settled.set(doubtKey(run.task), settled);
    const { type, resource } = run.doubt;
    const became = { done: 'was done', 'not-done': 'was not done' }[settled];
    const source = run.resolution === undefined ? 'found out' : 'as answered';
    this.#parts.report.diagnostic({
      severity: 'info',
      code: 'CAIRN-IN-DOUBT',
      summary: `${source}: ${type} "${urnName(resource.urn)}" (${resource.type}) ${became}`,
      urn: resource.urn,
    });
  }

  /** Tells whether a step was settled or has a recorded reason why not. */
  #isHeard({ task, doubt }: DoubtRun): boolean {
    return this.settled.has(doubtKey(task)) || this.waiting.some((each) => each.task === doubtName(doubt));
  }

  /** Records that a step waits. `ask`: a person is asked; otherwise an error was reported. */
  #waits({ task, doubt }: DoubtRun, why: string, ask: boolean, outputs?: OutputsToTell): void {
    const name = doubtName(doubt);
    this.waiting.push({ task: name, urn: task.urn, kind: 'in-doubt', why, doubt: doubt.type, outputs });
    this.#open.push(doubt.resource);
    if (!ask) return;
    const { urn, type } = doubt.resource;
    this.#parts.report.diagnostic(
      warningDiagnostic(
        'CAIRN-IN-DOUBT',
        `it is unknown whether ${doubt.type} "${urnName(urn)}" (${type}) was done`,
        {
          urn,
          causes: [why],
          hint: `Look for the object at the provider, then run ${answersTo(doubt.type, name, outputs)}.`,
        },
      ),
    );
  }

  /** Returns the entry that the step was about; for a create, the entry that it replaces. */
  #cellOf({ doubt: { type, resource } }: DoubtRun): Cell | undefined {
    const { live } = this.#parts.recorder;
    if (type === 'creating' || !resource.delete) return live.live(resource.urn) ?? this.#formerCell(resource);
    return live
      .cells()
      .find(({ entry }) => entry.urn === resource.urn && entry.id === resource.id && entry.delete);
  }

  /** Finds the entry under a former name: a step that was to rename it has not been recorded in the state. */
  #formerCell({ urn, aliases }: ResourceEntry): Cell | undefined {
    const { live } = this.#parts.recorder;
    const former = this.#parts.request.continues?.renamed?.get(urn);
    return [...aliases, ...(former === undefined ? [] : [former])]
      .map((alias) => live.live(alias))
      .find((cell) => cell !== undefined);
  }

  /**
   * Returns the ids of objects that entries have. An entry that is pending replacement no longer has one: the object
   * made in its place may get the same id.
   */
  #knownIds(type: string): ReadonlySet<string> {
    const entries: readonly ResourceEntry[] = this.#parts.recorder.live.entries();
    const having = entries.filter((entry) => entry.type === type && !entry.pendingReplacement);
    return new Set(having.map(({ id }) => id));
  }
}

/** Finds the answer about a step. It is given under the name of the step or of the task that began it. */
function said(
  resolutions: OperationRequest['resolutions'],
  task: PastTask,
  doubt: Doubt,
): DoubtResolution | undefined {
  return resolutions?.get(doubtName(doubt)) ?? resolutions?.get(doubtKey(task));
}

function notAnAnswer(name: string, doubt: Doubt | undefined): Diagnostic {
  const hint =
    'Nothing was changed. Run `cairn resume` or `cairn rollback` to see the steps that are in doubt.';
  if (doubt === undefined)
    return errorDiagnostic('CAIRN-IN-DOUBT', `there is no step ${name} in doubt`, { hint });
  const { type, resource } = doubt;
  return errorDiagnostic(
    'CAIRN-IN-DOUBT',
    `the answer does not fit ${name}: the step in doubt is ${type} "${urnName(resource.urn)}" (${resource.type})`,
    { urn: resource.urn, hint },
  );
}

/** Returns the commands by which a person reports the outcome of a step. */
function answersTo(type: Doubt['type'], name: string, outputs: OutputsToTell | undefined): string {
  const [yes, no] = type === 'creating' ? ['--created ID', '--not-created'] : ['--done', '--not-done'];
  const told = outputs?.needed === 'always' ? ' --outputs FILE' : '';
  const more =
    outputs?.needed === 'unless-read'
      ? ' (with `--outputs FILE` where its provider cannot read its outputs)'
      : '';
  return `\`cairn change resolve ${name} ${yes}${told}\`${more} or \`cairn change resolve ${name} ${no}\``;
}

/** Returns the data stored with the task, for a later task that must find out about it in turn. */
function dataOf({ task, doubt }: DoubtRun): Readonly<Record<string, unknown>> {
  return {
    urn: task.urn,
    resolves: doubtKey(task),
    step: task.kind,
    ...(doubt.direction === 'undo' && { direction: doubt.direction }),
    ...(doubt.token !== '' && { token: doubt.token }),
    ...(doubt.progressId !== undefined && { progressId: doubt.progressId }),
    ...(task.goal !== undefined && { goal: task.goal }),
    ...(task.rollback !== undefined && { rollback: task.rollback }),
    ...(task.withContainer === true && { withContainer: true }),
  };
}

/** Returns the step that was in doubt and turned out to be done. */
function stepOf({ task, doubt }: DoubtRun, cell: Cell | undefined): Step {
  const { type, resource } = doubt;
  const reason = { t: 'continued' } as const;
  if (type === 'creating') return createAgain(resource, cell);
  if (cell === undefined) throw new BugError(`${type} ${resource.urn} was done to nothing`);
  if (type === 'updating') return updateStep(cell, cell.entry, resource, noDiff, reason);
  if (task.kind === 'delete-replaced') return removeFirst(cell, noDiff, reason, () => false);
  return cell.entry.delete
    ? removeReplaced(cell, reason, () => false)
    : deleteStep(cell, reason, () => false);
}
