import { EXIT, cairnError } from '@cairn/diagnostics';
import { confirm, needsAnswer } from '../terminal/prompt.js';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) =>
  withStack(
    world,
    flags,
    async ({ backend, id }) => {
      if (!flags.on('yes')) {
        if (!world.terminal.interactive)
          throw needsAnswer(`releasing the lock of stack ${id.stack} needs a confirmation`, '--yes');
        const sure = await confirm(
          world,
          `Release the lock of stack ${id.stack}? Whoever still works on it will be cut off.`,
        );
        if (!sure) throw cairnError('CAIRN-CANCELLED', 'the lock was not released');
      }
      const released = await backend.releaseLocks(id);
      world.stderr.write(
        released.length === 0
          ? `Stack ${id.stack} is not locked\n`
          : `Released the lock of stack ${id.stack}\n`,
      );
      return EXIT.ok;
    },
    args[0],
  );
