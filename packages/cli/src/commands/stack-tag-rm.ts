import { EXIT } from '@cairn/diagnostics';
import { tagOf } from '@cairn/operations/stacks';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args: [name = ''], flags }, world) =>
  withStack(world, flags, async ({ backend, id }) => {
    await backend.editTags(id, (tags) => {
      tagOf(tags, name);
      return Object.fromEntries(Object.entries(tags).filter(([each]) => each !== name));
    });
    return EXIT.ok;
  });
