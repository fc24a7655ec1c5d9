import { Writable } from 'node:stream';
import { CairnError, cairnError } from '@cairn/diagnostics';
import type { StackLease } from '@cairn/backends';
import type { World } from '../world.js';
import { flagsWithout } from './absent-flags.js';
import type { GoingOn } from './going-on.js';
import type { Operation } from './operate.js';
import { phase } from './phase.js';
import type { Prepared } from './prepare.js';
import { withManager } from './state-of-stack.js';

/**
 * Runs the program of an update that is to be resumed as a preview does, without a word, and refuses to go on when it
 * wants something else of what the line has begun, or leaves some of it out: before anything is done. Whatever else
 * goes wrong is for the real run to say. Throws CAIRN-PROGRAM-CHANGED, CAIRN-CANCELLED.
 */
export async function refuseOtherProgram(
  world: World,
  prepared: Prepared,
  operation: Operation,
  lease: StackLease,
  goingOn: GoingOn,
): Promise<void> {
  const silent = { ...world, stdout: nowhere(), stderr: nowhere() };
  const terminal = { ...world.terminal, redraw: false, interactive: false };
  const flags = flagsWithout(operation.flags, 'event-log');
  const { result } = await phase(
    { ...silent, terminal },
    prepared,
    { ...operation, flags },
    withManager(prepared, lease.snapshot),
    'preview',
    undefined,
    { claims: undefined, plan: {}, goingOn },
  );
  if (result.summary.result === 'cancelled')
    throw cairnError('CAIRN-CANCELLED', 'interrupted: nothing was changed');
  const changed = result.diagnostics.filter(
    ({ severity, code }) => severity === 'error' && code === 'CAIRN-PROGRAM-CHANGED',
  );
  if (changed.length > 0) throw new CairnError(changed);
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
