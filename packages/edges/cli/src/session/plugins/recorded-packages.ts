import type { Project } from '@cairn/workspace';
import type { Flags } from '../../command-spec.js';
import type { World } from '../../world.js';
import { addPackage } from '../packages/add-package.js';
import { obtainSchema } from '../packages/obtain-schema.js';
import { isPath } from './project-plugins.js';

/** Generates the packages that the project file names under `packages`, as `package add` does. */
export async function addRecordedPackages(world: World, flags: Flags, project: Project): Promise<void> {
  if (project.packages.size === 0) return;
  for (const { source, version, parameters, pluginDownloadUrl: server } of project.packages.values()) {
    // What lies in a folder has the version that it has.
    const text = version === undefined || isPath(source) ? source : `${source}@${version}`;
    const obtained = await obtainSchema(world, flags, { text, parameters, server });
    await addPackage(world, flags, { project, records: true }, obtained);
  }
}
