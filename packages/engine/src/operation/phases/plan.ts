import type { PriorEntries } from '../../prior/entries.js';
import type { OperationLoop } from '../loop.js';
import type { Run } from '../run.js';

/**
 * What plans say at the end: about the outputs of the stack, and about planned steps that were not taken [PLAN-8]
 * [PLAN-9].
 */
export function judgePlan(
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
  // Of an operation that has failed or must end, steps that were not taken are no news.
  if (report.failed || control.stopped) return;
  for (const diagnostic of plan.leftovers((urn) => entries.all(urn).length > 0))
    report.diagnostic(diagnostic);
}
