import { programInfo, requiredPackages } from '@cairn/operations';
import { isGitName, providerPackages, readVersion } from '@cairn/plugin-host/install';
import type { InstallRequest } from '@cairn/plugin-host/install';
import { loadProject } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { portsOf } from '../ports.js';
import { packageDirectory } from '../version.js';

/** Package of Terraform providers: what serves it comes with the command line. */
export const TERRAFORM = 'terraform-provider';

/**
 * Plugins that the project here needs from a cache: those that its project file and its program's packages ask for
 * [PRG-2], without those that come with npm packages or lie where the project file says.
 */
export async function projectPlugins(world: World, flags: Flags): Promise<readonly InstallRequest[]> {
  const project = await loadProject(world.cwd);
  return [...packagePlugins(project), ...(await programPlugins(world, flags, project))].filter(isFirst);
}

/** The plugins of `packages` in the project file that have to be installed. */
export function packagePlugins(project: Project): readonly InstallRequest[] {
  return [...project.packages.values()]
    .filter(({ source }) => !isPath(source) && source !== TERRAFORM && !source.startsWith('cairn-'))
    .map(({ source, version, pluginDownloadUrl, checksums }) => ({
      plugin: {
        kind: 'resource' as const,
        name: source,
        // In a git repository it may be a commit.
        version: version === undefined || isGitName(source) ? version : readVersion(version),
      },
      server: pluginDownloadUrl,
      checksums: Object.fromEntries(
        [...checksums].map(([platform, text]) => [platform, Buffer.from(text, 'base64').toString('hex')]),
      ),
    }));
}

async function programPlugins(
  world: World,
  flags: Flags,
  project: Project,
): Promise<readonly InstallRequest[]> {
  if (project.runtime === undefined) return [];
  const info = programInfo(project);
  const packages = await requiredPackages(portsOf(world, flags), {
    ...{ runtime: project.runtime.name, info, project },
    onMessage: ({ text }) => void world.stderr.write(`${text}\n`),
  });
  const lists = await Promise.all([info.programDirectory, packageDirectory()].map(providerPackages));
  const there = new Set([
    ...lists.flat().map(({ provider }) => provider),
    ...project.plugins.providers.map(({ name }) => name),
    ...[...project.packages].filter(([, { source }]) => isPath(source)).map(([name]) => name),
    TERRAFORM,
  ]);
  return packages
    .filter(({ name }) => !there.has(name))
    .map(({ name, version, server }) => ({
      plugin: { kind: 'resource' as const, name, version: readVersion(version) },
      server: server === '' ? undefined : server,
    }));
}

export function isPath(source: string): boolean {
  return /^\.{1,2}(?:[/\\]|$)/.test(source) || source.startsWith('/');
}

function isFirst({ plugin }: InstallRequest, index: number, all: readonly InstallRequest[]): boolean {
  const same = (other: InstallRequest) =>
    other.plugin.name === plugin.name && other.plugin.version === plugin.version;
  return all.findIndex(same) === index;
}
