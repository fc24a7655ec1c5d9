import { CairnError } from '@cairn/diagnostics';
import type { Snapshot } from '@cairn/state';
import type { Conduct, Operation } from '../operation/operation.js';
import { makePass } from '../operation/pass.js';
import type { Prepared } from '../operation/prepared.js';
import type { GoingOn } from '../operation/going-on.js';
import { interruptedEarly } from '../ports.js';

/**
 * Runs the program of an update to resume silently, like a preview. Refuses to continue if its goals for begun
 * resources of the lineage differ, or if it leaves some of those out, before anything is done. The real run reports all
 * other errors. `change` is the one to resume. Throws CAIRN-PROGRAM-CHANGED, CAIRN-CANCELLED.
 */
export async function refuseOtherProgram(
  prepared: Prepared,
  operation: Operation,
  conduct: Conduct,
  change: number,
  base: Snapshot,
  goingOn: GoingOn,
): Promise<void> {
  const purpose = { t: 'resume', change, rollingBack: false } as const;
  const { result } = await makePass(
    prepared,
    operation,
    conduct,
    { which: 'preview', purpose, silent: true },
    { base, goingOn, checked: true },
  );
  if (result.summary.result === 'cancelled') throw interruptedEarly();
  const changed = result.diagnostics.filter(
    ({ severity, code }) => severity === 'error' && code === 'CAIRN-PROGRAM-CHANGED',
  );
  if (changed.length > 0) throw new CairnError(changed);
}
