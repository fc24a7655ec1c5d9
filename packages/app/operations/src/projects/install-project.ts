import type { InstallRequest } from '@cairn/plugin-host/install';
import type { Project } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { installAll } from '../plugins/install-all.js';
import type { InstallSettings } from '../plugins/install-all.js';
import { installDependencies } from '../plugins/install-dependencies.js';
import { lockPlugins, withLockedChecksums } from '../plugins/lock-plugins.js';
import { refusePackageCycles } from './package-cycles.js';
import { packagePlugins, projectPlugins, isPath } from '../plugins/project-plugins.js';
import { addPackage } from '../packages/add-package.js';
import { obtainSchema } from '../packages/obtain-schema.js';

/** Parts of an installation: plugins, and dependencies of the program by its package manager. */
interface ProjectInstall extends InstallSettings {
  readonly plugins: boolean;
  readonly dependencies: boolean;
  /** Includes the tools that choose the version of the program's language. */
  readonly versionTools: boolean;
}

/**
 * Installs everything that the project in `ports.cwd` needs. Plugins generate packages, and the program's dependencies
 * name the generated code; hence the order. The program then names the plugins that it needs.
 */
export async function installProject(
  ports: Ports,
  project: Project,
  settings: ProjectInstall,
): Promise<void> {
  await refusePackageCycles(project);
  if (settings.plugins) await installLocked(ports, project, packagePlugins(project), settings);
  await addRecordedPackages(ports, project);
  if (settings.dependencies) await installDependencies(ports, project, settings);
  if (settings.plugins) await installLocked(ports, project, await projectPlugins(ports), settings);
}

/** Installs plugins of a project, checks them against its lock file, and records the downloads [PLUG-13]. */
export async function installLocked(
  ports: Ports,
  { location: { directory } }: Pick<Project, 'location'>,
  requests: readonly InstallRequest[],
  settings: InstallSettings,
): Promise<void> {
  const locked = await withLockedChecksums(directory, requests);
  await lockPlugins(directory, await installAll(ports, locked, settings));
}

/** Generates the packages that the project file names under `packages`, as `package add` does. */
async function addRecordedPackages(ports: Ports, project: Project): Promise<void> {
  if (project.packages.size === 0) return;
  for (const { source, version, parameters, pluginDownloadUrl: server } of project.packages.values()) {
    // A package in a folder has its own version.
    const text = version === undefined || isPath(source) ? source : `${source}@${version}`;
    const obtained = await obtainSchema(ports, { text, parameters, server });
    await addPackage(ports, { project, records: true }, obtained);
  }
}
