import { isAbsolute, join } from 'node:path';
import { stat } from 'node:fs/promises';
import { fail } from '@cairn/diagnostics';
import semver from 'semver';
import type { ProjectPlugin } from '../options.js';
import { executableName, pluginIn } from './executables.js';
import { readPluginManifest } from './plugin-manifest.js';
import type { LocatedPlugin } from './plugin-location.js';

/**
 * Returns plugins that the project file names by path [PLUG-1]: `plugins.providers`, then `packages` with a local
 * source. Plugins that such a package itself names come before it.
 */
export async function locateProjectPlugins(
  root: string,
  plugins: readonly ProjectPlugin[],
  packages: Readonly<Record<string, unknown>>,
): Promise<readonly ProjectPlugin[]> {
  const named = plugins.map((plugin) => ({ ...plugin, path: absolute(root, plugin.path) }));
  return [...named, ...(await localPackages(root, packages, new Set()))];
}

async function localPackages(
  base: string,
  packages: Readonly<Record<string, unknown>>,
  seen: Set<string>,
): Promise<readonly ProjectPlugin[]> {
  const found: ProjectPlugin[] = [];
  for (const [name, entry] of Object.entries(packages)) {
    const source = typeof entry === 'string' ? entry : (entry as { source?: unknown } | null)?.source;
    if (typeof source !== 'string' || !isLocal(source)) continue;
    const path = await withoutVersion(absolute(base, source));
    if (seen.has(path)) continue;
    seen.add(path);
    const manifest = await readPluginManifest(path);
    found.push(...(await localPackages(path, manifest?.packages ?? {}, seen)), {
      name,
      path,
      version: undefined,
    });
  }
  return found;
}

/** Returns a path as project files have it. In `PATH@VERSION` the version is ignored: a folder has its own. */
export async function withoutVersion(path: string): Promise<string> {
  const bare = path.replace(/@v?\d[^@/\\]*$/, '');
  if (bare === path) return path;
  return stat(path).then(
    () => path,
    () => bare,
  );
}

const isLocal = (source: string): boolean => /^\.{1,2}(?:[/\\]|$)/.test(source) || isAbsolute(source);

const absolute = (base: string, path: string): string => (isAbsolute(path) ? path : join(base, path));

/** Looks for a plugin among those of the project. Fails when the project names a path that does not have it. */
export async function findProjectPlugin(
  plugins: readonly ProjectPlugin[],
  name: string,
  requested: string | undefined,
  warn: (text: string) => void,
): Promise<LocatedPlugin | undefined> {
  for (const plugin of plugins.filter((candidate) => candidate.name === name)) {
    if (!sameVersion(plugin.version, requested)) {
      warn(`the project's plugin ${name} has version ${plugin.version}, not ${requested}: it is not used`);
      continue;
    }
    return { location: await locate(plugin) };
  }
  return undefined;
}

const sameVersion = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined ||
  b === undefined ||
  semver.valid(a) === null ||
  semver.valid(b) === null ||
  semver.eq(a, b);

async function locate(plugin: ProjectPlugin): Promise<LocatedPlugin['location']> {
  const directory = await stat(plugin.path).catch(() => undefined);
  const location = directory?.isDirectory() === true ? await pluginIn(plugin.path, plugin.name) : undefined;
  if (location !== undefined) return location;
  const what =
    directory?.isDirectory() === true
      ? `has neither ${executableName(plugin.name)} nor PulumiPlugin.yaml`
      : 'is not a directory';
  return fail(
    'CAIRN-PLUGIN-NOT-FOUND',
    `the project names ${plugin.path} for the plugin ${plugin.name}, but it ${what}`,
    {
      hint: 'Correct the path in the project file, or build the plugin there.',
    },
  );
}
