import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { dotGraph } from '../display/dot-graph.js';
import type { World } from '../world.js';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args: [file = ''], flags }, world) =>
  withStack(world, flags, async ({ backend, id }) => {
    const { deployment } = await backend.read(id);
    const text = dotGraph(deployment?.resources ?? [], {
      parents: !flags.on('ignore-parent-edges'),
      dependencies: !flags.on('ignore-dependency-edges'),
      parentColor: flags.text('parent-edge-color') ?? '#AA6639',
      dependencyColor: flags.text('dependency-edge-color') ?? '#246C60',
      shortNames: flags.on('short-node-name'),
      fragment: flags.text('dot-fragment') ?? '',
    });
    if (file === '-') world.stdout.write(text);
    else await store(world, file, text);
    return EXIT.ok;
  });

async function store(world: World, file: string, text: string): Promise<void> {
  try {
    await writeFile(path.resolve(world.cwd, file), text);
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `cannot write ${file}`, { causes: [messageOf(error)] }, error);
  }
  world.stderr.write(`Wrote the graph to ${file}\n`);
}
