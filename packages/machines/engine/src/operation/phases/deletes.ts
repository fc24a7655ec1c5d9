import { closure, deleteWaves, eachReference } from '@cairn/state';
import type { Next } from '@cairn/state';
import { selectDeletes } from '../../decide/deletes.js';
import type { DeleteFacts, Guarded } from '../../decide/deletes.js';
import type { ChainEnd } from '../../execute/chain.js';
import { isHooked } from '../../model/hook-moments.js';
import type { Cell } from '../../model/cell.js';
import { stepView } from '../../model/step-view.js';
import type { Step } from '../../model/step.js';
import { keepUnchanged } from '../keep-unchanged.js';
import { atATime } from '../limiter.js';
import type { Run } from '../run.js';

/** Number of deletes that are tasks at a time, if not more may run. Tasks that only wait would take memory. */
const WINDOW = 512;

/** Parts that the delete phase works with. */
type DeletePhase = Pick<
  Run,
  'request' | 'ledger' | 'chains' | 'lanes' | 'report' | 'plan' | 'context' | 'control'
> & {
  readonly facts: DeleteFacts;
  readonly preview: boolean;
  /** True if each delete is a failure domain of its own: a failed one rolls nothing else back. */
  readonly alone: boolean;
  /** Called before the first delete, if there is any. Returns false if no delete may run. */
  readonly begins: () => Promise<boolean>;
  readonly continueOnError: boolean;
};

type Removal = Step & { readonly cell: Cell };

/**
 * Deletes resources that are no longer in the goal, wave by wave, dependents first [DEL-3]. Dependencies of a failed
 * delete remain; without continue-on-error no further wave starts. First, entries that are out of scope and had no step
 * get their `same`.
 */
export async function deletePhase(phase: DeletePhase): Promise<void> {
  const { facts, report, preview } = phase;
  const { steps, stays, guarded, notes, untargeted } = selectDeletes(facts);
  await refuse(phase, guarded);
  for (const diagnostic of [...notes, ...untargeted]) report.diagnostic(diagnostic);
  if (untargeted.length > 0 && !preview) return;
  const unplanned = phase.plan.steps(steps, facts.view);
  for (const diagnostic of unplanned) report.diagnostic(diagnostic);
  if (unplanned.length > 0) return;
  keepUnchanged(stays, phase.ledger, phase.chains);
  const byCell = new Map<Cell, Removal>();
  for (const step of steps)
    if ('cell' in step && step.cell !== undefined) byCell.set(step.cell, step as Removal);
  const { cells } = facts.entries;
  const waves = deleteWaves(
    cells,
    (cell) => cell.entry,
    (cell) => byCell.has(cell),
  );
  const kept = new Set<Cell>();
  if (steps.length > 0 && !phase.control.stopped && !(await phase.begins())) return;
  for (const wave of waves) {
    if (phase.control.stopped) return;
    const removals = wave.filter((cell) => !kept.has(cell)).map((cell) => byCell.get(cell) as Removal);
    const failed = await runWave(phase, removals);
    if (failed.length > 0 && !phase.continueOnError) return;
    if (failed.length > 0) keepNeeds(facts, [...failed, ...failedWith(phase)], kept);
  }
}

/**
 * Returns the cells that failed with a delete, including those already deleted: they are being rolled back, and need
 * the entries they referred to.
 */
function failedWith({ facts, lanes }: DeletePhase): readonly Cell[] {
  if (!lanes.isolates || !lanes.anyFailed) return [];
  return facts.entries.cells.filter(({ entry }) => lanes.hasFailed(entry.urn));
}

/**
 * Reports that protected resources remain: each has a delete that begins, an error and a failure. Their hooks before a
 * delete are called first, as before every other delete [HOOK-5].
 */
async function refuse(
  { context: { hooks }, report, preview }: DeletePhase,
  guarded: readonly Guarded[],
): Promise<void> {
  const why = await Promise.all(
    guarded.map(async ({ step, error }) => (isHooked(step) ? await hooks.before(step) : undefined) ?? error),
  );
  guarded.forEach(({ step, error }, index) => {
    const view = stepView(step);
    report.emit({ t: 'step-started', step: view, planning: preview });
    report.diagnostic(why[index] ?? error);
    report.emit({ t: 'step-failed', step: view, inDoubt: false, elapsedMs: 0, planning: preview });
  });
}

/**
 * Runs one wave, every delete as soon as there is a place for it. Returns the entries that still exist. Deletes that
 * have no task yet when the operation stops do not begin.
 */
async function runWave(
  { request, chains, control, report, alone }: DeletePhase,
  removals: readonly Removal[],
): Promise<readonly Cell[]> {
  const ends: ChainEnd[] = [];
  let next = 0;
  const place = async (): Promise<void> => {
    while (next < removals.length) {
      const index = next;
      next += 1;
      ends[index] = control.stopped ? { t: 'held' } : await chains.run([removals[index] as Step], alone);
    }
  };
  const places = Math.max(WINDOW, atATime(request.concurrency.parallel));
  await Promise.all(Array.from({ length: Math.min(places, removals.length) }, place));
  const failed: Cell[] = [];
  ends.forEach((end, index) => {
    if (end.t === 'done') return;
    if (end.t === 'failed') report.diagnostic(end.diagnostic);
    const cell = removals[index]?.cell;
    if (cell !== undefined) failed.push(cell);
  });
  return failed;
}

function keepNeeds({ entries }: DeleteFacts, roots: readonly Cell[], kept: Set<Cell>): void {
  const needs: Next<Cell> = (cell, enter) =>
    eachReference(cell.entry, (urn) => entries.all(urn).forEach(enter));
  const direct = new Set<Cell>();
  for (const root of roots) needs(root, (cell) => direct.add(cell));
  for (const cell of closure(direct, needs)) kept.add(cell);
}
