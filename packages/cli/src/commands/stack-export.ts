import { EXIT } from '@cairn/diagnostics';
import { exportStack } from '@cairn/operations/stacks';
import { withStack } from '../session/open-stack.js';
import { writeDocument } from '../session/state-document.js';
import type { Command } from './command-spec.js';

export const run: Command = async ({ flags }, world) =>
  withStack(world, flags, async (stack) => {
    const pieces = await exportStack(stack, {
      version: flags.count('version'),
      showSecrets: flags.on('show-secrets'),
      plain: flags.on('plain'),
    });
    await writeDocument(world, flags.text('file'), pieces);
    return EXIT.ok;
  });
