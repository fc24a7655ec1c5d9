import { CairnError, cairnError } from '@cairn/diagnostics';
import type { DamagedState, StateCopy } from '@cairn/backends';
import type { Flags } from '../commands/command-spec.js';
import { stripEscapes } from '../terminal/paint.js';
import { confirm } from '../terminal/prompt.js';
import type { World } from '../world.js';
import { isConfirmed, refuseUnconfirmed } from './confirm.js';
import { withStack } from './open-stack.js';

/**
 * Shows the best copy of a state that cannot be read, and puts it back when the answer is yes. Throws CAIRN-CANCELLED
 * when it is no, and what is wrong with the state when no copy can be read. True: it was put back.
 */
export function restoreDamaged(world: World, flags: Flags): Promise<boolean> {
  refuseUnconfirmed(world, flags, 'this changes the state');
  return withStack(world, flags, async ({ backend, id }) => {
    const kept = await backend.restore(id, async (damaged) => {
      const { damage, copy } = damaged;
      if (copy === undefined) throw withoutCopy(damaged);
      for (const line of [`${damage.summary}`, ...linesOf(copy)])
        world.stderr.write(`${stripEscapes(line)}\n`);
      if (isConfirmed(world, flags) || (await confirm(world, 'Do you want to put it back?'))) return true;
      throw cairnError('CAIRN-CANCELLED', 'nothing was changed');
    });
    if (kept === undefined) return false;
    world.stderr.write(`Put it back as the state of stack ${id.stack}; the damaged one is kept in ${kept}\n`);
    return true;
  });
}

function withoutCopy({ damage }: DamagedState): Error {
  const causes = [...(damage.causes ?? []), 'no copy of it can be read: history, backups and .bak'];
  const hint =
    'Nothing was changed. Import an export of the stack with `cairn stack import`, or restore the file from a backup of the backend.';
  return new CairnError([{ ...damage, causes, hint }]);
}

/** What is known of a copy. */
export function linesOf({ key, time, resources, is }: StateCopy): readonly string[] {
  const copy = `The copy ${key} of ${time} can be read: ${resources} resources.`;
  switch (is?.what) {
    case 'last':
      return [copy, `It is the state that change ${is.change} left, and none is newer.`];
    case 'base':
      return [copy, `Change ${is.change} began with it; what that recorded is added by the next command.`];
    default:
      return [
        copy,
        'It is the newest that can be read, and may not be the last state: what was done after it is not in it. `cairn refresh` and `cairn preview` show what differs.',
      ];
  }
}
