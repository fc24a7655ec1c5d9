import { copyFile } from 'node:fs/promises';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { saveStackFile, treeOfStored } from '@cairn/workspace';
import type { Command } from './command-spec.js';
import { openStackFile, withStack } from '../session/open-stack.js';

export const run: Command = async ({ flags }, world) => {
  const stack = await openStackFile(world, flags);
  const [latest] = await withStack(world, flags, ({ backend, id }) =>
    backend.history(id, { page: 1, size: 1 }),
  );
  if (latest === undefined) {
    throw cairnError('CAIRN-CONFIG-MISSING', `stack ${stack.stack} has not been updated yet`, {
      hint: 'there is no configuration to take over before the first `cairn up`',
    });
  }
  const config = new Map(Object.entries(latest.config).map(([key, value]) => [key, treeOfStored(value)]));
  if (!flags.on('force') && stack.file.text !== undefined) {
    const kept = `${stack.file.path}.bak`;
    await copyFile(stack.file.path, kept);
    world.stderr.write(`The file as it was is ${kept}\n`);
  }
  await saveStackFile(stack.file, { config });
  world.stderr.write(`${stack.file.path} has the configuration of the latest ${latest.kind}\n`);
  return EXIT.ok;
};
