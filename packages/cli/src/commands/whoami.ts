import { userInfo } from 'node:os';
import { EXIT } from '@cairn/diagnostics';
import { backendChoice } from '../session/backend.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ flags }, world) => {
  const user = userInfo().username;
  const { url } = await backendChoice(world, flags);
  if (flags.on('json')) printJson(world, { user, url });
  else if (flags.on('verbose')) world.stdout.write(`User: ${user}\nBackend URL: ${url}\n`);
  else world.stdout.write(`${user}\n`);
  return EXIT.ok;
};
