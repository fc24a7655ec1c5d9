import { CairnError } from '@cairn/diagnostics';
import type { Snapshot } from '@cairn/state';
import type { Conduct, Operation } from '../operation/operation.js';
import { makePass } from '../operation/pass.js';
import type { Prepared } from '../operation/prepared.js';
import type { GoingOn } from '../operation/going-on.js';
import { interruptedEarly } from '../ports.js';

/**
 * Runs the program of an update that is to be resumed as a preview does, without a word, and refuses to go on when it
 * wants something else of what the lineage has begun, or leaves some of it out: before anything is done. Whatever else
 * goes wrong is for the real run to say. `change`: the one that is resumed. Throws CAIRN-PROGRAM-CHANGED,
 * CAIRN-CANCELLED.
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
