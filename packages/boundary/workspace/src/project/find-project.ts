import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fail } from '@cairn/diagnostics';
import { errno, readTextFile } from '@cairn/files';
import { parseProject } from './parse-project.js';
import type { Project, ProjectLocation } from './project.js';

/** Names of project files. In a directory, the first one found wins [CFG-1]. */
const NAMES: readonly Pick<ProjectLocation, 'base' | 'extension'>[] = [
  { base: 'Cairn', extension: 'yaml' },
  { base: 'Pulumi', extension: 'json' },
  { base: 'Pulumi', extension: 'yaml' },
  { base: 'Pulumi', extension: 'yml' },
];

/**
 * Returns the project file of the nearest directory at or above `from`. Returns undefined if there is none, or if a
 * directory may not be read.
 */
export async function findProject(from: string): Promise<ProjectLocation | undefined> {
  for (let directory = resolve(from); ; directory = dirname(directory)) {
    for (const name of NAMES) {
      const file = join(directory, `${name.base}.${name.extension}`);
      const found = await isFile(file);
      if (found === 'denied') return undefined;
      if (found) return { file, directory, ...name };
    }
    if (dirname(directory) === directory) return undefined;
  }
}

/**
 * Finds and parses the project. Fails with `CAIRN-PROJECT-MISSING` or `CAIRN-PROJECT-INVALID`. `otherwise` replaces the
 * usual hint if there is no project.
 */
export async function loadProject(from: string, otherwise?: string): Promise<Project> {
  const location = await findProject(from);
  const text = location === undefined ? undefined : await readTextFile(location.file);
  if (location === undefined || text === undefined) {
    return fail('CAIRN-PROJECT-MISSING', `no project file found in ${resolve(from)} or above it`, {
      hint: otherwise ?? (await usualHint(from)),
    });
  }
  return parseProject(text, location);
}

/**
 * Returns a project whose file is elsewhere, so that only its name is known. `directory` is the directory searched for
 * its files.
 */
export function namedProject(name: string, directory: string): Project {
  const location: ProjectLocation = {
    file: join(resolve(directory), 'Cairn.yaml'),
    directory: resolve(directory),
    base: 'Cairn',
    extension: 'yaml',
  };
  return parseProject(`name: ${JSON.stringify(name)}\n`, location);
}

async function usualHint(from: string): Promise<string> {
  const other = (await hasTerraform(from))
    ? 'translate the Terraform configuration here with "cairn convert --from terraform"'
    : 'create a project with "cairn new"';
  return `Run the command in a directory with a Cairn.yaml (or Pulumi.yaml), name one with --cwd, or ${other}.`;
}

async function hasTerraform(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch(() => []);
  return names.some((name) => name.endsWith('.tf'));
}

async function isFile(path: string): Promise<boolean | 'denied'> {
  try {
    return (await stat(path)).isFile();
  } catch (thrown) {
    return errno(thrown) === 'EACCES' || errno(thrown) === 'EPERM' ? 'denied' : false;
  }
}
