import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { PluginLocation } from './plugin-location.js';

/** Kind of a plugin, as in the names of its files. */
type PluginKind = 'resource' | 'language';

/** Returns the file name of a plugin, without the ending that Windows adds. */
export const executableName = (plugin: string, kind: PluginKind = 'resource'): string =>
  `pulumi-${kind}-${plugin.replaceAll('/', '_')}`;

const SUFFIXES = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];

/** Returns the plugin's executable in a directory, or undefined if there is none that may be executed. */
export async function executableIn(
  directory: string,
  plugin: string,
  kind?: PluginKind,
): Promise<string | undefined> {
  for (const suffix of SUFFIXES) {
    const path = join(directory, executableName(plugin, kind) + suffix);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** Returns the plugin in a directory of its own: its executable, else a manifest that names a runtime [PLUG-3]. */
export async function pluginIn(directory: string, plugin: string): Promise<PluginLocation | undefined> {
  const path = await executableIn(directory, plugin);
  if (path !== undefined) return { kind: 'executable', path };
  return (await isFile(join(directory, 'PulumiPlugin.yaml')))
    ? { kind: 'directory', path: directory }
    : undefined;
}

/**
 * Returns the first executable of the plugin on a search path. Skips relative entries: they depend on the caller's
 * directory.
 */
export async function executableOnPath(
  searchPath: string,
  plugin: string,
  kind?: PluginKind,
): Promise<string | undefined> {
  for (const directory of searchPath.split(delimiter).filter((entry) => isAbsolute(entry))) {
    const found = await executableIn(directory, plugin, kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  if (!(await isFile(path))) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
