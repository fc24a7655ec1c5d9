import { EXIT } from '@cairn/diagnostics';
import { renameStack } from '@cairn/operations/stacks';
import { withStack } from '../session/open-stack.js';
import type { Command } from './command-spec.js';

export const run: Command = async ({ args: [given = ''], flags }, world) =>
  withStack(world, flags, async (stack) => {
    const renamed = await renameStack(stack, given);
    world.stderr.write(`Renamed stack ${stack.id.stack} to ${renamed.stack}\n`);
    world.stderr.write('Its history, backups, tags and changes have gone with it\n');
    return EXIT.ok;
  });
