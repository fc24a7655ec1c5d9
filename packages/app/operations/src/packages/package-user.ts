import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import { readPluginManifest } from '@cairn/plugin-host/install';
import { findProject, loadProject, namedProject } from '@cairn/workspace';
import type { Project, ProjectRuntime } from '@cairn/workspace';

/** User of packages. */
export interface PackageUser {
  readonly project: Project;
  /** True if a file names its packages. */
  readonly records: boolean;
}

/**
 * Returns the user of an added package: the plugin of this folder, else the project here or above. If there is neither,
 * it is the folder itself, in the given language. It is a library of components, or a program that runs operations,
 * without a file that describes it.
 */
export async function packageUser(directory: string, language: string | undefined): Promise<PackageUser> {
  const manifest = await readPluginManifest(directory);
  const file =
    manifest === undefined ? (await findProject(directory))?.file : path.join(directory, 'PulumiPlugin.yaml');
  if (language !== undefined) {
    if (file === undefined)
      return { project: inLanguage(directory, { name: language, options: {} }), records: false };
    throw cairnError(
      'CAIRN-USAGE',
      `--language is for use outside a Pulumi project or plugin, and there is ${file}`,
      { hint: 'Leave it out: the code is generated in the language of the project.' },
    );
  }
  if (manifest === undefined)
    return {
      project: await loadProject(
        directory,
        'Name the language of the code with --language, because there is no project.',
      ),
      records: true,
    };
  const { runtime, options } = manifest;
  const plugin = inLanguage(
    directory,
    runtime === undefined ? undefined : { name: runtime, options: options as ProjectRuntime['options'] },
  );
  const location: Project['location'] = {
    file: path.join(directory, 'PulumiPlugin.yaml'),
    directory,
    base: 'Pulumi',
    extension: 'yaml',
  };
  return { project: { ...plugin, location }, records: true };
}

/** Returns a project that no file describes. */
function inLanguage(directory: string, runtime: ProjectRuntime | undefined): Project {
  return { ...namedProject('plugin', directory), runtime };
}
