import { EXIT } from '@cairn/diagnostics';
import { checkTag } from '@cairn/operations/stacks';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args: [name = '', value = ''], flags }, world) => {
  checkTag(name, value);
  return withStack(world, flags, async ({ backend, id }) => {
    await backend.editTags(id, (tags) => ({ ...tags, [name]: value }));
    return EXIT.ok;
  });
};
