import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { unreachable, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { equalMaps } from '@cairn/values';
import { isSameObject } from '../../decide/undo.js';
import { askBack, undoStep } from '../../execute/handlers/undo.js';
import { addUndos } from '../../execute/undo/add-undos.js';
import type { UndoRequest } from '../../execute/undo/add-undos.js';
import { keptDiagnostic, replacesDiagnostic } from '../../execute/undo/diagnostics.js';
import type { Continued, PastTask } from '../../model/history.js';
import type { Report } from '../../model/report.js';
import { stepView } from '../../model/step-view.js';
import { beforeLineage } from '../../recover/before-lineage.js';
import { planRollback } from '../../recover/plan-rollback.js';
import type { PlannedUndo, RollbackPlan } from '../../recover/plan-rollback.js';
import type { Run } from '../run.js';

/** Parts that a rollback works with. */
type RollbackPhase = Pick<Run, 'change' | 'recorder' | 'edges' | 'lanes' | 'undoer'>;

/**
 * Rolls back everything that the change's own tasks have done, in reverse order [CHG-15] [REC-9]. Resolves when all of
 * it has ended.
 */
export async function runRollback(phase: RollbackPhase): Promise<void> {
  await phase.undoer.holders.learn(phase.recorder.live.entries());
  phase.change.machine.abort();
  await settleUndo(phase);
}

/** Parts that a rollback of earlier changes works with. */
interface LineageRollback extends RollbackPhase {
  readonly continues: Continued;
  readonly preview: boolean;
  /** Steps whose outcome is not known; only a preview still has any. */
  readonly unanswered?: readonly PastTask[] | undefined;
  readonly report: Report;
  /** Resources to roll back: those of failure domains that have failed. Defaults to all. */
  readonly only?: ReadonlySet<Urn> | undefined;
}

/**
 * Rolls back the changes of a lineage, without its program. If an earlier rollback was cut off, rolls back the rest. A
 * preview reports the actions and those that are not possible, and asks only for diffs.
 */
export async function runLineageRollback(phase: LineageRollback): Promise<void> {
  const { continues } = phase;
  const { planner, holders } = phase.undoer;
  const { before, past, renamed, found, made, touched } = continues;
  const { live } = phase.recorder;
  if (!planner.started) planner.startsFrom(beforeLineage(continues, live.entries()), renamed);
  for (const entry of found?.values() ?? []) planner.found(entry);
  await holders.learn([...live.entries(), ...before.resources]);
  const plan = planRollback({
    before: planner.before,
    leavingBefore: before.resources.filter((entry) => entry.delete),
    present: live.cells(),
    past,
    made,
    found,
    again: planner.again,
    // Changes of others beside the lineage remain.
    only: phase.only ?? touched,
  });
  for (const urn of plan.vanished) planner.before.vanished(urn);
  for (const again of plan.createdAgain) planner.createdAgain(again.before, again.since);
  if (phase.preview) {
    for (const task of phase.unanswered ?? []) {
      const said = doubtToFindOut(task);
      if (said !== undefined) phase.report.diagnostic(said);
    }
    return previewUndos(plan, phase);
  }
  addUndos(phase, plan.undos);
  await settleUndo(phase);
}

/**
 * Waits until failed parts are rolled back, with the consequences: resources that have values of objects created again,
 * and objects deleted to be created again.
 */
export async function settleUndo(phase: RollbackPhase): Promise<void> {
  const { machine } = phase.change;
  await machine.settled();
  for (let next = followUps(phase); next.length > 0; next = followUps(phase)) {
    addUndos(phase, next);
    await machine.settled();
  }
  phase.undoer.finish();
}

function followUps({ recorder: { live }, undoer: { planner } }: RollbackPhase): readonly UndoRequest[] {
  const none = { imported: false, option: undefined, cell: undefined, after: [] } as const;
  const again = planner.takeDeletedFirst().map((urn): UndoRequest => ({ ...none, urn, part: 'recreate' }));
  if (again.length > 0) return again;
  return planner.takeUnsettled().flatMap((was): readonly UndoRequest[] => {
    const entry = live.live(was)?.entry;
    const expected = entry && planner.expected(entry.urn, entry.aliases);
    if (entry === undefined || expected === undefined || !isSameObject(expected, entry)) return [];
    return equalMaps(expected.inputs, entry.inputs) ? [] : [{ ...none, urn: entry.urn, part: 'restore' }];
  });
}

/**
 * Returns the preview's report about a step in doubt: the rollback finds out its outcome before it undoes anything
 * [REC-2].
 */
function doubtToFindOut({ doubt }: Pick<PastTask, 'doubt'>): Diagnostic | undefined {
  if (doubt === undefined) return undefined;
  const { urn, type } = doubt.resource;
  const about = doubt.direction === 'undo' ? 'its rollback continues' : 'if it was, it is undone too';
  return warningDiagnostic(
    'CAIRN-IN-DOUBT',
    `it is unknown whether ${doubt.type} "${urnName(urn)}" (${type}) was done`,
    { urn, causes: [`the rollback finds out first; ${about}`] },
  );
}

/** Reports the planned undos in their order. */
async function previewUndos({ undos }: RollbackPlan, phase: LineageRollback): Promise<void> {
  const followers = new Map<number, number[]>();
  undos.forEach(({ after }, index) => {
    for (const earlier of after) followers.set(earlier, [...(followers.get(earlier) ?? []), index]);
  });
  const kept = new Set<number>();
  for (let index = undos.length - 1; index >= 0; index -= 1) {
    const undo = undos[index] as PlannedUndo;
    const staying = (followers.get(index) ?? []).filter((follower) => kept.has(follower));
    const urns = staying.map((follower) => (undos[follower] as PlannedUndo).urn);
    if (!(await previewUndo(undo, urns, phase))) kept.add(index);
  }
}

/** Tells whether the undo would take place. */
async function previewUndo(
  planned: PlannedUndo,
  followers: readonly PlannedUndo['urn'][],
  { undoer, report }: LineageRollback,
): Promise<boolean> {
  const { planner, tally } = undoer;
  const { undo, cell } = planner.plan({ ...planned, followers });
  switch (undo.t) {
    case 'nothing':
      return true;
    case 'keep':
      planner.kept(planned.urn);
      tally.noteKept(undo.because);
      report.diagnostic(keptDiagnostic(planned, undo.because));
      return false;
    case 'delete':
    case 'forget':
    case 'update':
    case 'write':
    case 'create':
    case 'put-back': {
      const step = undoStep(undo, cell);
      if (undo.t === 'update') {
        const asked = await askBack(undo.now, undo.was, step, undoer.contextOf(undo));
        if ('t' in asked) report.diagnostic(asked.diagnostic);
        else if (asked.replaces !== undefined && !undo.mayReplace) {
          planner.kept(planned.urn);
          tally.counts.held += 1;
          report.diagnostic(replacesDiagnostic(planned.urn, asked.replaces));
          return false;
        }
      }
      tally.noteUndone(step);
      report.emit({ t: 'step-started', step: stepView(step), planning: true, undo: true });
      report.emit({ t: 'step-ended', step: stepView(step), planning: true, elapsedMs: 0, undo: true });
      return true;
    }
    default:
      return unreachable(undo);
  }
}
