import { selectStack } from '@cairn/workspace';
import { operate } from '../session/operate.js';
import { userOf } from '../session/user.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = ({ flags }, world) =>
  operate(world, { kind: 'destroy', previewOnly: false, flags }, async ({ project, backend, url, id }) => {
    if (!flags.on('remove')) return;
    await backend.remove(id, {});
    await selectStack(userOf(world), project, url, undefined);
    world.stderr.write(`Removed stack ${id.stack}\n`);
  });
