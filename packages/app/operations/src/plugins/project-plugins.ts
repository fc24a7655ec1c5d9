import { isGitName, providerPackages, readVersion } from '@cairn/plugin-host/install';
import type { InstallRequest } from '@cairn/plugin-host/install';
import { loadProject } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import { programInfo } from '../access/program-info.js';
import { requiredPackages } from '../languages/languages.js';
import { passedOn } from '../making.js';
import type { Ports } from '../ports.js';

/** Package of Terraform providers; its plugin comes with Cairn. */
const TERRAFORM = 'terraform-provider';

/**
 * Returns the plugins that the project here needs from a cache: those of its project file and its program's packages
 * [PRG-2]. Plugins from npm packages, or in the place that the project file names, are left out.
 */
export async function projectPlugins(ports: Ports): Promise<readonly InstallRequest[]> {
  const project = await loadProject(ports.cwd);
  return [...packagePlugins(project), ...(await programPlugins(ports, project))].filter(isFirst);
}

/** Returns the plugins of `packages` in the project file that have to be installed. */
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

async function programPlugins(ports: Ports, project: Project): Promise<readonly InstallRequest[]> {
  if (project.runtime === undefined) return [];
  const info = programInfo(project);
  const packages = await requiredPackages(ports, {
    ...{ runtime: project.runtime.name, info, project },
    onMessage: passedOn(ports),
  });
  const lists = await Promise.all([info.programDirectory, ...ports.packageRoots].map(providerPackages));
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
