import path from 'node:path';
import { readPluginManifest } from '@cairn/plugin-host/install';
import { loadProject, namedProject } from '@cairn/workspace';
import type { Project, ProjectRuntime } from '@cairn/workspace';

/** What uses a package that is added: the plugin whose folder this is, else the project here or above. */
export async function packageUser(directory: string): Promise<Project> {
  const manifest = await readPluginManifest(directory);
  if (manifest === undefined) return loadProject(directory);
  const { runtime, options } = manifest;
  return {
    ...namedProject('plugin', directory),
    location: {
      file: path.join(directory, 'PulumiPlugin.yaml'),
      directory,
      base: 'Pulumi',
      extension: 'yaml',
    },
    runtime:
      runtime === undefined ? undefined : { name: runtime, options: options as ProjectRuntime['options'] },
  };
}
