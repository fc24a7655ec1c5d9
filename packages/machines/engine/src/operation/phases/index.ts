import type { Diagnostic } from '@cairn/diagnostics';
import type { Cell } from '../../model/cell.js';
import { priorEntries } from '../../prior/entries.js';
import type { PriorEntries } from '../../prior/entries.js';
import { priorGraph } from '../../prior/graph.js';
import { beforeLineage } from '../../recover/before-lineage.js';
import { continuedLineage } from '../../recover/continued-lineage.js';
import type { ContinuedLineage } from '../../recover/continued-lineage.js';
import type { SnippetSources } from '../../snippets/snippet-sources.js';
import type { Policies } from '../../policy/policies.js';
import type { InDoubtPhase } from '../../recover/in-doubt-phase.js';
import type { StatefulPhases } from '../execution.js';
import type { OperationLoop } from '../loop.js';
import type { OperationRollback } from '../operation-rollback.js';
import type { Run } from '../run.js';
import { deletePhase } from './deletes.js';
import { importPhase } from './import.js';
import { objectionsAtStart, unknownLiterals } from './objections.js';
import { storeRootOutputs } from './outputs.js';
import { analyzeStack } from './policies.js';
import { fellEarlier } from './prelude.js';
import { judgeProgram, makeLoop, programPhase } from './program.js';
import type { Start } from './program.js';
import { rebuildBase, refreshPhase, refreshRest, repairReferences } from './refresh.js';

/** Facts known before anything is registered. */
interface Prepared {
  /** Lineage that a resume continues. */
  readonly lineage: ContinuedLineage | undefined;
  /** Declarative resources that are registered beside the program. */
  readonly sources: SnippetSources | undefined;
}

/**
 * Runs the phases of an operation, from objections at the start to the outputs of the stack. Its kind determines which
 * of them (`settings.phases`). Each phase receives the findings of those before it. A rollback, if due, comes after all
 * of them.
 */
export async function runPhases(run: Run, stateful: StatefulPhases): Promise<void> {
  const { settings, control, recorder } = run;
  const { phases } = settings;
  const { rollback, policies } = stateful;
  const prepared = await prepare(run, stateful);
  if (prepared === undefined || control.stopped) return;
  const start = await startingPoint(run, rollback, prepared);
  if (start === undefined) return;
  const loop = makeLoop(run, start, prepared.lineage, policies.loaded);
  if (phases.program !== undefined) await programPhase(run, loop, prepared.sources);
  await rollback.settleFailed();
  if (!loop.stopped) await rest(run, stateful, prepared, loop, start.entries);
  if (phases.registered !== 'none') repairReferences(recorder);
  if (!rollback.isDue) rootOutputs(run, loop);
}

/** Collects the facts that must be known before anything is done. Returns `undefined` if the operation cannot start. */
async function prepare(run: Run, stateful: StatefulPhases): Promise<Prepared | undefined> {
  const { request, settings, control, peers } = run;
  const { phases, scope } = settings;
  const { inDoubt, policies, snippets } = stateful;
  const objections = objectionsAtStart(request, scope, phases);
  reportAll(run, objections);
  if (objections.length > 0) {
    control.stop();
    return undefined;
  }
  if (phases.program !== undefined && !(await programChecked(run))) return undefined;
  if (!(await doubtsSettled(run, inDoubt))) {
    control.stop();
    return undefined;
  }
  const lineage = continuedLineage(request, inDoubt.settled);
  await policies.load(run);
  const sources = phases.program === 'apply' ? await snippets.start(peers.schemas) : undefined;
  return { lineage, sources };
}

/** Tells whether no fault of the program is known. A fault is reported as a failure of the program. */
async function programChecked(run: Run): Promise<boolean> {
  const wrong = await run.peers.checkProgram();
  if (wrong === undefined) return true;
  judgeProgram(run, wrong);
  return false;
}

/** Finds out the outcome of steps in doubt. Returns true if the operation can continue; a preview does not ask. */
async function doubtsSettled({ request, recorder }: Run, inDoubt: InDoubtPhase): Promise<boolean> {
  if (request.preview || (request.inDoubt ?? []).length === 0) return true;
  if (!(await inDoubt.run())) return false;
  rebuildBase(recorder);
  return true;
}

/**
 * Returns the entries that registrations are compared with: the state after it was refreshed, and after failed parts
 * were rolled back. Returns `undefined` if the operation is over.
 */
async function startingPoint(
  run: Run,
  rollback: OperationRollback,
  { lineage }: Prepared,
): Promise<Start | undefined> {
  const { request, settings, undoer, edges, lanes, recorder, report, control, ledger } = run;
  const { phases, scope } = settings;
  const { base } = recorder.live;
  if (!(await refreshPhase(run, scope, phases.first, lineage?.lookedUp))) {
    control.stop();
    return undefined;
  }
  if (control.stopped || (phases.program === undefined && phases.rest === 'nothing')) return undefined;
  const { continues } = request;
  const now = recorder.live.entries();
  undoer.planner.startsFrom(
    continues === undefined ? now : beforeLineage(continues, now),
    continues?.renamed,
  );
  edges.builtOn(priorGraph(priorEntries(recorder.live.base)));
  if (settings.rollsBack && continues !== undefined) lanes.failedEarlier(continues);
  if (lanes.anyFailed) report.diagnostic(fellEarlier(request.preview));
  // Resources restored before the program runs are available to it, like everything else.
  if (await rollback.settleFailed()) rebuildBase(recorder);
  const entries = priorEntries(recorder.live.base);
  const graph = priorGraph(entries);
  edges.builtOn(graph);
  for (const cell of base) if (cell.gone) ledger.note({ t: 'vanished', urn: cell.entry.urn });
  return { entries, graph };
}

/** Handles the entries that the program has not handled. */
async function rest(
  run: Run,
  { policies, rollback }: StatefulPhases,
  { lineage }: Prepared,
  loop: OperationLoop,
  prior: PriorEntries,
): Promise<void> {
  const { request, settings, ledger, recorder, lanes } = run;
  const { phases, scope } = settings;
  const isRegistered = (urn: Cell['entry']['urn']) => ledger.progress(urn) !== undefined;
  if (phases.program === 'apply') {
    // A program that leaves out resources of its lineage is a different program: nothing is deleted for it. One whose
    // component has failed earlier registers nothing in it.
    const missing = lineage?.leftOut((urn) => isRegistered(urn) || lanes.hadFailed(urn)) ?? [];
    reportAll(run, missing);
    if (missing.length > 0) return;
  }
  if (phases.rest === 'import') return importList(run, loop);
  if (phases.rest === 'refresh') return refreshRest(run, scope);
  const missing = unknownLiterals(request, scope.targets, isRegistered);
  reportAll(run, missing.each);
  // A destroy deletes everything present, including the resources that the run itself has added.
  if (phases.rest === 'delete' && !recorder.live.isBase) repairReferences(recorder);
  await deleteRest(
    run,
    rollback,
    loop,
    phases.rest === 'delete' ? priorEntries(recorder.live.cells()) : prior,
  );
  reportAll(run, missing.end);
  judgePlan(run, loop, prior);
  await analyze(run, policies.loaded, loop);
}

async function importList(run: Run, loop: OperationLoop): Promise<void> {
  const working = importPhase({ ...run, post: (registration) => loop.post(registration) });
  const complete = await working.finally(() => loop.quiet());
  if (!complete) run.control.stop();
}

/**
 * Tells whether resources that the program left out may be deleted. A program that may still fail is let exit first, to
 * learn its result.
 */
async function programEndedWell(run: Run): Promise<boolean> {
  const { peers, control } = run;
  if (peers.mayFailLate) judgeProgram(run, await peers.finished());
  return !control.stopped;
}

function deleteRest(
  run: Run,
  rollback: OperationRollback,
  loop: OperationLoop,
  entries: PriorEntries,
): Promise<void> {
  const { request, settings, ledger } = run;
  const destroys = settings.phases.rest === 'delete';
  return deletePhase({
    ...run,
    alone: settings.rollsBack && !destroys,
    begins: async () => {
      if (!destroys && !(await programEndedWell(run))) return false;
      rollback.pastReturn = !destroys;
      return true;
    },
    facts: {
      entries,
      graph: priorGraph(entries),
      view: ledger,
      scope: settings.scope,
      destroy: destroys,
      ignoreProtect: settings.ignoresProtect,
      refusesDeletes: settings.unexpected.deletes,
      failed: [...rollback.staying(loop.failedCells, entries), ...keptByDoubts(run, entries)],
      untouched: loop.untouchedCells,
    },
    preview: request.preview,
    continueOnError: settings.continues || settings.isolates,
  });
}

/** Returns the entries in doubt, and those that remain because something in doubt may be built on them. */
function keptByDoubts({ undoer }: Run, { cells }: PriorEntries): readonly Cell[] {
  const { needed } = undoer.doubts.unsettled;
  return needed.size === 0 ? [] : cells.filter((cell) => !cell.gone && needed.has(cell.entry.urn));
}

async function analyze(
  { control, report, recorder, request }: Run,
  packs: Policies | undefined,
  loop: OperationLoop,
): Promise<void> {
  if (packs === undefined || control.stopped || report.failed) return;
  await analyzeStack(packs, recorder.live.entries(), loop.rootOutputs, request, report);
}

function rootOutputs(
  { control, report, recorder, settings, request, ports }: Run,
  loop: OperationLoop,
): void {
  const registered = loop.rootOutputs;
  if (registered === undefined || settings.phases.program === 'destroy') return;
  const succeeded = !control.stopped && !report.failed;
  storeRootOutputs(recorder, registered, succeeded, request.preview, ports.emit);
}

function reportAll({ report }: Run, diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) report.diagnostic(diagnostic);
}

/**
 * Reports violations of the plan at the end: outputs of the stack, and planned steps that were not taken [PLAN-8]
 * [PLAN-9].
 */
function judgePlan(
  { plan, report, control, recorder }: Pick<Run, 'plan' | 'report' | 'control' | 'recorder'>,
  loop: OperationLoop,
  entries: PriorEntries,
): void {
  const registered = loop.rootOutputs;
  const root = registered && recorder.live.live(registered.urn)?.entry;
  if (registered !== undefined && root !== undefined) {
    const against = plan.outputs(registered.urn, root.outputs, registered.outputs);
    if (against.length > 0) loop.rootOutputs = undefined;
    for (const diagnostic of against) report.diagnostic(diagnostic);
  }
  // If the operation has failed or must end, missing steps are not reported.
  if (report.failed || control.stopped) return;
  for (const diagnostic of plan.leftovers((urn) => entries.all(urn).length > 0))
    report.diagnostic(diagnostic);
}
