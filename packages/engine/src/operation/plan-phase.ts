import type { PriorEntries } from '../prior/entries.js';
import type { LiveState } from '../record/live-state.js';
import type { RunPlan } from '../saved-plan/run-plan.js';
import type { OperationLoop } from './loop.js';
import type { Report } from '../model/report.js';

/** What judging a plan at the end looks at. */
export interface PlanPhase {
  readonly live: LiveState;
  readonly report: Report;
  /** Whether the operation has failed or must end: then steps that were not taken are no news. */
  readonly ended: () => boolean;
}

/**
 * What plans say at the end: about the outputs of the stack, and about planned steps that were not taken [PLAN-8]
 * [PLAN-9].
 */
export function judgePlan(
  plan: RunPlan,
  loop: OperationLoop,
  entries: PriorEntries,
  { live, report, ended }: PlanPhase,
): void {
  const registered = loop.rootOutputs;
  const root = registered && live.live(registered.urn)?.entry;
  if (registered !== undefined && root !== undefined) {
    const against = plan.outputs(registered.urn, root.outputs, registered.outputs);
    if (against.length > 0) loop.rootOutputs = undefined;
    for (const diagnostic of against) report.diagnostic(diagnostic);
  }
  if (ended()) return;
  for (const diagnostic of plan.leftovers((urn) => entries.all(urn).length > 0))
    report.diagnostic(diagnostic);
}
