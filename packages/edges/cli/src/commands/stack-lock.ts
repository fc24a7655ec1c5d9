import { EXIT, cairnError } from '@cairn/diagnostics';
import { lockText, locksOfPersons } from '@cairn/operations/stacks';
import { withStack } from '../session/open-stack.js';
import { isConfirmed } from '../session/confirm.js';
import { confirm, needsAnswer } from '../terminal/prompt.js';
import type { Command } from '../command-spec.js';

/** `stack lock`: prints the id of the lock alone on stdout. */
export const lock: Command = ({ args: [named], flags }, world) => {
  const reason = flags.text('reason');
  if (reason === undefined)
    throw cairnError('CAIRN-USAGE', 'cannot lock the stack without a reason', {
      hint: 'Give --reason TEXT: whoever is refused reads it.',
    });
  return withStack(
    world,
    flags,
    async ({ backend, id }) => {
      const { id: lockId } = await backend.lockWithReason(id, reason);
      world.stderr.write(
        `Locked stack ${id.stack}: ${reason}\n` +
          `Work on it with CAIRN_STACK_LOCK=${lockId}; \`cairn stack unlock\` removes the lock\n`,
      );
      world.stdout.write(`${lockId}\n`);
      return EXIT.ok;
    },
    named,
  );
};

/** `stack unlock`: asks before it removes the lock of another person. */
export const unlock: Command = ({ args: [named], flags }, world) =>
  withStack(
    world,
    flags,
    async (stack) => {
      const { backend, id } = stack;
      const locks = await locksOfPersons(stack);
      for (const each of locks) {
        const text = `Stack ${id.stack} was ${lockText(each)}`;
        world.stderr.write(`${text}\n`);
        if (!isConfirmed(world, flags)) {
          if (!world.terminal.interactive)
            throw needsAnswer('this removes the lock of a person and needs a confirmation', '--yes');
          if (!(await confirm(world, 'Remove the lock?')))
            throw cairnError('CAIRN-CANCELLED', 'the lock was not removed');
        }
        await backend.unlock(id, each);
      }
      world.stderr.write(
        locks.length === 0 ? `Stack ${id.stack} is not locked by a person\n` : `Unlocked stack ${id.stack}\n`,
      );
      return EXIT.ok;
    },
    named,
  );
