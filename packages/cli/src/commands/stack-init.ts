import { loadProject } from '@cairn/workspace';
import { askText, needsAnswer } from '../terminal/prompt.js';
import type { World } from '../world.js';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { Command } from './command-spec.js';
import { createStack } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) => {
  const name = args[0] ?? flags.text('stack') ?? (await askName(world));
  await createStack(world, flags, name, { select: !flags.on('no-select') });
  world.stderr.write(`Created stack ${name}\n`);
  return EXIT.ok;
};

async function askName(world: World): Promise<string> {
  await loadProject(world.cwd);
  if (!world.terminal.interactive) throw needsAnswer('no name for the new stack', 'the name as an argument');
  const name = await askText(world, 'Name of the stack', 'dev');
  if (name === undefined) throw cairnError('CAIRN-CANCELLED', 'no stack was created');
  return name;
}
