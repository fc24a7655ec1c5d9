import { EXIT } from '@cairn/diagnostics';
import { logOut, logOutOfAll, readCredentials } from '@cairn/workspace';
import { userOf } from '@cairn/operations/stacks';
import type { Command } from './command-spec.js';

export const run: Command = async ({ args, flags }, world) => {
  const user = userOf(world);
  if (flags.on('all')) {
    await logOutOfAll(user);
    world.stderr.write('Logged out of every backend\n');
    return EXIT.ok;
  }
  const url = args[0] ?? flags.text('backend-url') ?? (await readCredentials(user)).current;
  if (url === undefined) {
    world.stderr.write('Not logged in to any backend\n');
    return EXIT.ok;
  }
  const known = await logOut(user, url);
  world.stderr.write(known ? `Logged out of ${url}\n` : `Not logged in to ${url}\n`);
  return EXIT.ok;
};
