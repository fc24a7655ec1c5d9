import { rm } from 'node:fs/promises';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { selectStack, selectedStack, stackFilePath } from '@cairn/workspace';
import { qualified, userOf } from '@cairn/operations';
import { askText, needsAnswer } from '../terminal/prompt.js';
import type { CommandCode } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) =>
  withStack(
    world,
    flags,
    async ({ project, backend, url, id }) => {
      if (!flags.on('yes')) {
        if (!world.terminal.interactive)
          throw needsAnswer(`removing stack ${id.stack} needs a confirmation`, '--yes');
        const typed = await askText(world, `Remove stack ${id.stack} and its history? Type its name`);
        if (typed !== id.stack) throw cairnError('CAIRN-CANCELLED', 'the stack was not removed');
      }
      await backend.remove(id, { force: flags.on('force'), backups: flags.on('remove-backups') });
      if (!flags.on('preserve-config') && id.project === project.name)
        await rm(stackFilePath(project, id.stack), { force: true });
      const user = userOf(world);
      const selected = await selectedStack(user, project, url, () => true);
      if (selected === qualified(id)) await selectStack(user, project, url, undefined);
      world.stderr.write(`Removed stack ${id.stack}\n`);
      return EXIT.ok;
    },
    args[0],
  );
