import { EXIT } from '@cairn/diagnostics';
import { tagOf } from '@cairn/operations/stacks';
import { valueStream } from '../terminal/controls.js';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args: [name = ''], flags }, world) =>
  withStack(world, flags, async ({ backend, id }) => {
    valueStream(world).write(`${tagOf(await backend.tags(id), name)}\n`);
    return EXIT.ok;
  });
