import { lstat, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listCache } from '../discovery/plugin-cache.js';
import { isPluginKind } from './plugin-identity.js';
import type { PluginIdentity } from './plugin-identity.js';
import semver from 'semver';

/** A plugin in a cache. */
export interface PluginInstallation extends PluginIdentity {
  readonly directory: string;
}

/** Facts about an installed plugin besides its name. */
export interface PluginFacts {
  readonly installed: Date;
  readonly lastUsed: Date;
  /** Bytes of all its files. */
  readonly size: number;
}

/** Returns the plugins in some caches, by name, the newest version first. */
export async function installedPlugins(caches: readonly string[]): Promise<readonly PluginInstallation[]> {
  const lists = await Promise.all([...new Set(caches)].map(listCache));
  return lists
    .flat()
    .flatMap(({ directory, kind, name, version }) =>
      version !== undefined && isPluginKind(kind) ? [{ directory, kind, name, version }] : [],
    )
    .sort(inOrder);
}

function inOrder(a: PluginInstallation, b: PluginInstallation): number {
  return byText(a.name, b.name) || byText(a.kind, b.kind) || semver.rcompare(a.version, b.version);
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns times and size of a plugin. Reads the times first: reading its files changes them. */
export async function pluginFacts({ directory }: PluginInstallation): Promise<PluginFacts> {
  const { ctimeMs, atimeMs } = await stat(directory);
  const used = await stat(`${directory}.lastused`).catch(() => undefined);
  return { installed: at(ctimeMs), lastUsed: at(used?.mtimeMs ?? atimeMs), size: await sizeOf(directory) };
}

/** Drops fractions of milliseconds. */
const at = (ms: number): Date => new Date(Math.floor(ms));

async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path);
  if (!found.isDirectory()) return found.size;
  const names = await readdir(path);
  const sizes = await Promise.all(names.map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes a plugin from its cache, with the files beside it. */
export async function removePlugin({ directory }: PluginInstallation): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  for (const suffix of ['.partial', '.lock', '.lastused', '.sha256'])
    await rm(directory + suffix, { force: true }).catch(() => undefined);
}
