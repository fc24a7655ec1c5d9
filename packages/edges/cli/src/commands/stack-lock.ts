import { bucketOf } from '@cairn/backends';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { lockText, locksOfPersons } from '@cairn/operations/stacks';
import { withStackForFlags } from '../flows/open-stack.js';
import { isConfirmed } from '../flows/confirm.js';
import { confirm, needsAnswer } from '../terminal/prompt.js';
import type { Command } from '../command-spec.js';
import type { Texts } from '../flags/flag-spec.js';

/** `stack lock`: prints the id of the lock alone on stdout. */
export const lock: Command<Texts<'reason'>> = ({ args: [named], flags }, context) => {
  const reason = flags.reason;
  if (reason === undefined)
    throw cairnError('CAIRN-USAGE', 'cannot lock the stack without a reason', {
      hint: 'Pass --reason TEXT, which is shown to users whose operations fail.',
    });
  return withStackForFlags(
    context,
    flags,
    async ({ backend, id }) => {
      const { id: lockId } = await bucketOf(backend, 'lock the stack').lockWithReason(id, reason);
      context.stderr.write(
        `Locked stack ${id.stack}: ${reason}\n` +
          `Work on it with CAIRN_STACK_LOCK=${lockId}; \`cairn stack unlock\` removes the lock\n`,
      );
      context.stdout.write(`${lockId}\n`);
      return EXIT.ok;
    },
    named,
  );
};

/** `stack unlock`: asks before it removes the lock of another person. */
export const unlock: Command = ({ args: [named], flags }, context) =>
  withStackForFlags(
    context,
    flags,
    async (stack) => {
      const { backend, id } = stack;
      const bucket = bucketOf(backend, 'unlock the stack');
      const locks = await locksOfPersons(stack);
      for (const each of locks) {
        const text = `Stack ${id.stack} was ${lockText(each)}`;
        context.stderr.write(`${text}\n`);
        if (!isConfirmed(context, flags)) {
          if (!context.terminal.interactive)
            throw needsAnswer('this removes the lock of a person and needs a confirmation', '--yes');
          if (!(await confirm(context, 'Remove the lock?')))
            throw cairnError('CAIRN-CANCELLED', 'the lock was not removed');
        }
        await bucket.unlock(id, each);
      }
      context.stderr.write(
        locks.length === 0 ? `Stack ${id.stack} is not locked by a person\n` : `Unlocked stack ${id.stack}\n`,
      );
      return EXIT.ok;
    },
    named,
  );
