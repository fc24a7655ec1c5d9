import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';

/** One installed plugin. */
interface CachedPlugin {
  readonly directory: string;
  readonly kind: string;
  readonly name: string;
  /** Undefined if the name of its directory has no readable version. */
  readonly version: string | undefined;
}

/** Plugin to look for. `version` is undefined for any. */
interface WantedPlugin {
  readonly kind: string;
  readonly name: string;
  readonly version: string | undefined;
}

const ENTRY = /^([a-z]+)-([a-zA-Z0-9-][a-zA-Z0-9-_.]*[a-zA-Z0-9])-v(.*)$/;
const SIBLINGS = ['.lock', '.partial', '.lastused'];

/** Reads a directory listing of a cache [PLUG-2]. Leaves out unfinished installs and other files. */
export function cachedPlugins(cache: string, names: readonly string[]): readonly CachedPlugin[] {
  const all = new Set(names);
  return names.flatMap((entry) => {
    const match = ENTRY.exec(entry);
    if (match === null || isNoPlugin(entry) || all.has(`${entry}.partial`)) return [];
    const [, kind, name, version] = match as unknown as [string, string, string, string];
    return [{ directory: join(cache, entry), kind, name, version: semver.valid(version) ?? undefined }];
  });
}

const isNoPlugin = (entry: string): boolean =>
  SIBLINGS.some((suffix) => entry.endsWith(suffix)) || /\.tmp\d+$/.test(entry);

/**
 * Returns the installed version that fits a request: exactly the requested one. Without a request it is the newest one,
 * stable before pre-release. One without a version fits only when there is no other. `legacy`: the newest that is not
 * below the requested one.
 */
export function selectPlugin(
  plugins: readonly CachedPlugin[],
  { kind, name, version: requested }: WantedPlugin,
  legacy: boolean,
): CachedPlugin | undefined {
  const candidates = plugins.filter((plugin) => plugin.kind === kind && plugin.name === name);
  const versioned = candidates.filter((plugin) => plugin.version !== undefined).sort(newestFirst);
  const fallback = candidates.find((plugin) => plugin.version === undefined);
  if (requested !== undefined) {
    const fits = (version: string) =>
      legacy ? semver.gte(version, requested) : semver.compareBuild(version, requested) === 0;
    return versioned.find((plugin) => fits(plugin.version as string)) ?? fallback;
  }
  const stable = versioned.find((plugin) => semver.prerelease(plugin.version as string) === null);
  return stable ?? versioned[0] ?? fallback;
}

const newestFirst = (a: CachedPlugin, b: CachedPlugin): number =>
  semver.rcompare(a.version as string, b.version as string);

/** Lists a cache. One that cannot be read is empty. */
export async function listCache(cache: string): Promise<readonly CachedPlugin[]> {
  return cachedPlugins(cache, await readdir(cache).catch(() => []));
}

/** Notes that a plugin was used, for tools that tidy the cache. A cache that cannot be written is not an error. */
export async function touch(plugin: CachedPlugin): Promise<void> {
  await writeFile(`${plugin.directory}.lastused`, '').catch(() => undefined);
}
