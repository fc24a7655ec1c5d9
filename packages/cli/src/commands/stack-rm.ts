import { EXIT, cairnError } from '@cairn/diagnostics';
import { removeStack } from '@cairn/operations/stacks';
import { askText, needsAnswer } from '../terminal/prompt.js';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) =>
  withStack(
    world,
    flags,
    async (stack) => {
      const { id } = stack;
      if (!flags.on('yes')) {
        if (!world.terminal.interactive)
          throw needsAnswer(`removing stack ${id.stack} needs a confirmation`, '--yes');
        const typed = await askText(world, `Remove stack ${id.stack} and its history? Type its name`);
        if (typed !== id.stack) throw cairnError('CAIRN-CANCELLED', 'the stack was not removed');
      }
      await removeStack(stack, {
        force: flags.on('force'),
        backups: flags.on('remove-backups'),
        preserveConfig: flags.on('preserve-config'),
      });
      world.stderr.write(`Removed stack ${id.stack}\n`);
      return EXIT.ok;
    },
    args[0],
  );
