import { mkdir } from 'node:fs/promises';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { openBackend } from '../session/backend.js';
import { userOf } from '../session/user.js';
import { defaultBackendUrl, logIn } from '@cairn/workspace';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const user = userOf(world);
  const given = flags.on('local') ? 'file://~' : (args[0] ?? flags.text('backend-url'));
  if (flags.on('local') && args[0] !== undefined) {
    throw cairnError('CAIRN-USAGE', '--local and a URL cannot be given together', {
      hint: 'give one of the two',
    });
  }
  const url = given ?? defaultBackendUrl(user);
  const backend = await openBackend(world, flags, { url, createDirectory: url === defaultBackendUrl(user) });
  await backend.close();
  await mkdir(user.userHome, { recursive: true });
  await logIn(user, url);
  world.stderr.write(`Logged in to ${url}\n`);
  return EXIT.ok;
};
