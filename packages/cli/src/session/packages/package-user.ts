import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import { readPluginManifest } from '@cairn/plugin-host/install';
import { findProject, loadProject, namedProject } from '@cairn/workspace';
import type { Project, ProjectRuntime } from '@cairn/workspace';

/**
 * What uses a package that is added: the plugin whose folder this is, else the project here or above. Where neither is,
 * it is the folder itself, in the language that is named: a library of components, or a program that runs operations.
 */
export async function packageUser(directory: string, language: string | undefined): Promise<Project> {
  const manifest = await readPluginManifest(directory);
  const file =
    manifest === undefined ? (await findProject(directory))?.file : path.join(directory, 'PulumiPlugin.yaml');
  if (language !== undefined) {
    if (file === undefined) return inLanguage(directory, { name: language, options: {} });
    throw cairnError(
      'CAIRN-USAGE',
      `--language is for use outside a Pulumi project or plugin, and there is ${file}`,
      { hint: 'leave it out: the code is in the language of the project' },
    );
  }
  if (manifest === undefined) return found(directory, file);
  const { runtime, options } = manifest;
  const user = inLanguage(
    directory,
    runtime === undefined ? undefined : { name: runtime, options: options as ProjectRuntime['options'] },
  );
  return {
    ...user,
    location: {
      file: path.join(directory, 'PulumiPlugin.yaml'),
      directory,
      base: 'Pulumi',
      extension: 'yaml',
    },
  };
}

/** A project that no file tells of. */
function inLanguage(directory: string, runtime: ProjectRuntime | undefined): Project {
  return { ...namedProject('plugin', directory), runtime };
}

async function found(directory: string, file: string | undefined): Promise<Project> {
  if (file !== undefined) return loadProject(directory);
  throw cairnError('CAIRN-PROJECT-MISSING', `no project file found in ${directory} or above it`, {
    hint: 'outside a project, say with --language which language the code is for',
  });
}
