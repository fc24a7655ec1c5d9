import { goStruct } from '@cairn/state';
import { release } from 'node:os';
import { EXIT } from '@cairn/diagnostics';
import { findProject, loadProject } from '@cairn/workspace';
import { chosenStackName } from '@cairn/operations/stacks';
import { cairnVersion } from '../session/version.js';
import { printJson } from '../terminal/json-output.js';
import type { Command } from './command-spec.js';
import { backendChoice } from '../session/open-stack.js';
import { stackChoice } from '../session/stack-choice.js';
import { portsOf } from '../session/ports.js';

export const run: Command = async ({ flags }, world) => {
  const location = await findProject(world.cwd);
  const project = location === undefined ? undefined : await loadProject(world.cwd);
  const { url, origin } = await backendChoice(world, flags, project);
  const facts = {
    cairn: cairnVersion(),
    node: process.versions.node,
    os: `${process.platform} ${release()} ${process.arch}`,
    backend: `${url} (from ${origin})`,
    ...(project === undefined ? {} : { project: project.name, runtime: project.runtime?.name ?? 'none' }),
    ...(project === undefined
      ? {}
      : {
          stack:
            (await chosenStackName(portsOf(world, flags), stackChoice(flags), project)) ?? 'none selected',
        }),
  };
  if (flags.on('json')) printJson(world, goStruct(facts));
  else for (const [name, value] of Object.entries(facts)) world.stdout.write(`${name.padEnd(8)} ${value}\n`);
  return EXIT.ok;
};
