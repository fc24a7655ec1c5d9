import semver from 'semver';
import { RegistryError, askJson } from './registry.js';
import type { RegistryAnswer, RegistryQuery } from './registry.js';
import { hostsOf } from './source-address.js';
import { allows } from './version-constraint.js';

/**
 * Asks a web mirror for the newest matching version that it has for this platform. `index.json` lists versions,
 * `VERSION.json` archives with their checksums [TFD-10]. Never rejects.
 */
export async function askMirror(query: RegistryQuery, mirror: string): Promise<RegistryAnswer> {
  const base = new URL(mirror.endsWith('/') ? mirror : `${mirror}/`);
  const why: string[] = [];
  for (const host of hostsOf(query.source)) {
    try {
      return await askHost(query, base, host);
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      why.push(`the mirror ${mirror} ${error.message}`);
    }
  }
  return { t: 'none', why: why[0] ?? '' };
}

async function askHost(query: RegistryQuery, base: URL, host: string): Promise<RegistryAnswer> {
  const { source, constraint, platform } = query;
  const name = `${host}/${source.namespace}/${source.type}`;
  const listed = await askJson(query, base.host, new URL(`${name}/index.json`, base), 'has no such provider');
  const { versions } = listed as { versions?: unknown };
  if (typeof versions !== 'object' || versions === null)
    throw new RegistryError('does not list its versions');
  const wanted = Object.keys(versions).filter(
    (version) => semver.valid(version) !== null && allows(constraint, version),
  );
  for (const version of wanted.sort(semver.rcompare)) {
    const url = new URL(`${name}/${version}.json`, base);
    const told = await askJson(query, base.host, url, `has no archives of ${version}`);
    const archives = (told as { archives?: Record<string, { url?: unknown; hashes?: unknown }> }).archives;
    const archive = archives?.[platform];
    if (archive === undefined) continue;
    if (typeof archive.url !== 'string' || !URL.canParse(archive.url, url.href))
      throw new RegistryError(`does not have the address of the archive of ${version}`);
    const hashes = Array.isArray(archive.hashes) ? archive.hashes.map(String) : [];
    return {
      t: 'package',
      found: { source: name, version, url: new URL(archive.url, url).href, sha256: undefined, hashes },
    };
  }
  throw new RegistryError(`has no wanted version for ${platform}`);
}
