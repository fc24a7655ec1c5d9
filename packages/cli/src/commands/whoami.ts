import { goStruct } from '@cairn/state';
import { userInfo } from 'node:os';
import { EXIT } from '@cairn/diagnostics';
import { findProject, loadProject } from '@cairn/workspace';
import { printJson } from '../terminal/json-output.js';
import type { Command } from './command-spec.js';
import { backendChoice } from '../session/open-stack.js';

export const run: Command = async ({ flags }, world) => {
  const user = userInfo().username;
  const project = (await findProject(world.cwd)) === undefined ? undefined : await loadProject(world.cwd);
  const { url } = await backendChoice(world, flags, project);
  if (flags.on('json')) printJson(world, goStruct({ user, url }));
  else if (flags.on('verbose')) world.stdout.write(`User: ${user}\nBackend URL: ${url}\n`);
  else world.stdout.write(`${user}\n`);
  return EXIT.ok;
};
