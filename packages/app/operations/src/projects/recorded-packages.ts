import type { Project } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { addPackage } from '../packages/add-package.js';
import { obtainSchema } from '../packages/obtain-schema.js';
import { isPath } from '../plugins/project-plugins.js';

/** Generates the packages that the project file names under `packages`, as `package add` does. */
export async function addRecordedPackages(ports: Ports, project: Project): Promise<void> {
  if (project.packages.size === 0) return;
  for (const { source, version, parameters, pluginDownloadUrl: server } of project.packages.values()) {
    // A package in a folder has its own version.
    const text = version === undefined || isPath(source) ? source : `${source}@${version}`;
    const obtained = await obtainSchema(ports, { text, parameters, server });
    await addPackage(ports, { project, records: true }, obtained);
  }
}
