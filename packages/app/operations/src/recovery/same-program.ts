import { CairnError } from '@cairn/diagnostics';
import type { Snapshot } from '@cairn/state';
import type { RunOptions, RequestedOperation } from '../operation/operation.js';
import { showPass } from '../operation/pass.js';
import type { Prepared } from '../operation/prepared.js';
import type { Continuation } from '../operation/continuation.js';
import { interruptedEarly } from '../ports.js';

/**
 * Runs the program of an update to resume silently, like a preview. Refuses to continue if its goals for begun
 * resources of the lineage differ, or if it leaves some of those out, before anything is done. The real run reports all
 * other errors. `change` is the one to resume. Throws CAIRN-PROGRAM-CHANGED, CAIRN-CANCELLED.
 */
export async function refuseOtherProgram(
  prepared: Prepared,
  operation: RequestedOperation,
  runOptions: RunOptions,
  change: number,
  base: Snapshot,
  continuation: Continuation,
): Promise<void> {
  const purpose = { t: 'resume', change, rollingBack: false } as const;
  const { result } = await showPass(
    prepared,
    operation,
    runOptions,
    { which: 'preview', purpose, silent: true },
    { base, continuation, checked: true },
  );
  if (result.summary.result === 'cancelled') throw interruptedEarly();
  const changed = result.diagnostics.filter(
    ({ severity, code }) => severity === 'error' && code === 'CAIRN-PROGRAM-CHANGED',
  );
  if (changed.length > 0) throw new CairnError(changed);
}
