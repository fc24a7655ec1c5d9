import { programInfo, requiredPackages } from '@cairn/operations';
import { readVersion } from '@cairn/plugin-host/install';
import type { InstallRequest } from '@cairn/plugin-host/install';
import { loadProject } from '@cairn/workspace';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { portsOf } from '../ports.js';

/** Plugins that the project here needs: those that its program's packages ask for [PRG-2]. */
export async function projectPlugins(world: World, flags: Flags): Promise<readonly InstallRequest[]> {
  const project = await loadProject(world.cwd);
  if (project.runtime === undefined) return [];
  const packages = await requiredPackages(portsOf(world, flags), {
    ...{ runtime: project.runtime.name, info: programInfo(project), project },
    onMessage: ({ text }) => void world.stderr.write(`${text}\n`),
  });
  return packages.map(({ name, version, server }) => ({
    plugin: { kind: 'resource' as const, name, version: readVersion(version) },
    server: server === '' ? undefined : server,
  }));
}
