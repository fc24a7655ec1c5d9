import { EXIT } from '@cairn/diagnostics';
import { importStack } from '@cairn/operations/stacks';
import { withStack } from '../session/open-stack.js';
import { readDocument } from '../session/state-document.js';
import type { Command } from './command-spec.js';

export const run: Command = async ({ flags }, world) =>
  withStack(world, flags, async (stack) => {
    const file = flags.text('file');
    const count = await importStack(stack, await readDocument(world, file), {
      source: file ?? 'the document on stdin',
      force: flags.on('force'),
      skipIntegrity: flags.on('disable-integrity-checking'),
    });
    world.stderr.write(`Imported ${count} resources into stack ${stack.id.stack}\n`);
    return EXIT.ok;
  });
