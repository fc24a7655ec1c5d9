import { selectStack } from '@cairn/workspace';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import type { Prepared } from './prepare.js';
import { userOf } from './user.js';

/** `destroy --remove`: the stack itself goes as well, once its resources are gone. */
export async function removeAfterwards(
  world: World,
  { project, backend, url, id }: Prepared,
  flags: Flags,
): Promise<void> {
  if (!flags.on('remove')) return;
  await backend.remove(id, {});
  await selectStack(userOf(world), project, url, undefined);
  world.stderr.write(`Removed stack ${id.stack}\n`);
}
