import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { listCache, selectPlugin, touch } from '../discovery/plugin-cache.js';
import { readPluginManifest } from '../discovery/plugin-manifest.js';
import { readSettings } from '../settings.js';
import { commandName } from './plugin-identity.js';
import type { PluginKind } from './plugin-identity.js';

/** Plugin to look for: in a directory, else on the PATH and in the caches. */
export interface WantedCommand {
  readonly kind: PluginKind;
  readonly name: string;
  readonly version?: string | undefined;
  readonly directory?: string | undefined;
}

/** Returns the executable of a plugin of any kind, or undefined if there is none. */
export async function findCommand(
  wanted: WantedCommand,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const settings = readSettings(environment);
  const { version, directory } = wanted;
  const file = commandName(wanted);
  if (directory !== undefined) return executableAt(directory, file);
  const folders = settings.ignoreAmbient || version !== undefined ? [] : settings.path.split(delimiter);
  for (const folder of folders.filter(isAbsolute)) {
    const found = await executableAt(folder, file);
    if (found !== undefined) return found;
  }
  return inCaches(wanted, settings.cacheDirectories, (folder) => executableAt(folder, file));
}

/** Returns the folder of a plugin that is source code, with a PulumiPlugin.yaml, or undefined if there is none. */
export async function findPluginFolder(
  wanted: WantedCommand,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const described = async (folder: string): Promise<string | undefined> =>
    (await readPluginManifest(folder)) === undefined ? undefined : folder;
  if (wanted.directory !== undefined) return described(wanted.directory);
  return inCaches(wanted, readSettings(environment).cacheDirectories, described);
}

/** Looks in the folder of the plugin that fits best, in the first cache where `look` finds something. */
async function inCaches(
  { kind, name, version }: WantedCommand,
  caches: readonly string[],
  look: (folder: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const cache of caches) {
    const plugin = selectPlugin(await listCache(cache), { kind, name, version }, false);
    const found = plugin && (await look(plugin.directory));
    if (plugin === undefined || found === undefined) continue;
    await touch(plugin);
    return found;
  }
  return undefined;
}

async function executableAt(directory: string, file: string): Promise<string | undefined> {
  for (const suffix of process.platform === 'win32' ? ['.exe', '.cmd'] : ['']) {
    const path = join(directory, file + suffix);
    const isFile = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isFile) continue;
    const may = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (may) return path;
  }
  return undefined;
}
