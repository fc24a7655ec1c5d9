import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import type { PlatformName } from './platform.js';
import { hostsOf } from './source-address.js';
import type { ProviderAddress } from './source-address.js';

/** A place of provider packages, as shown to users. */
export interface PackageLocation {
  readonly kind: 'installed' | 'mirror' | 'plugin cache' | 'cache' | 'registry';
  readonly directory: string;
}

/** An existing package of a provider, for some platform. */
export interface TerraformProviderPackage {
  /** Full address: host, namespace and type. */
  readonly source: string;
  readonly version: string;
  readonly platform: PlatformName;
  readonly place: PackageLocation;
  /** The directory of its files, or the archive that contains them. */
  readonly files:
    { readonly t: 'directory'; readonly path: string } | { readonly t: 'archive'; readonly path: string };
}

/**
 * Returns the packages of a provider in a place, in both layouts: `HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/` and
 * `HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip` [TFD-3]. Ignores files of another form. A place
 * that cannot be read is empty.
 */
export async function packagesIn(
  place: PackageLocation,
  source: ProviderAddress,
): Promise<readonly TerraformProviderPackage[]> {
  const { namespace, type } = source;
  const found = hostsOf(source).map(async (host) => {
    const directory = join(place.directory, host, namespace, type);
    const full = `${host}/${namespace}/${type}`;
    const entries = await readdir(directory).catch((): string[] => []);
    const perEntry = entries.map(async (entry) => [
      ...archiveNamed(entry, directory, full, place, type),
      ...(await unpackedIn(join(directory, entry), entry, full, place)),
    ]);
    return (await Promise.all(perEntry)).flat();
  });
  return (await Promise.all(found)).flat();
}

function archiveNamed(
  entry: string,
  directory: string,
  source: string,
  place: PackageLocation,
  type: string,
): readonly TerraformProviderPackage[] {
  const name = entry.toLowerCase();
  const prefix = `terraform-provider-${type}_`;
  if (!name.startsWith(prefix) || !name.endsWith('.zip')) return [];
  const [version = '', system, architecture] = name.slice(prefix.length, -'.zip'.length).split('_');
  if (!isVersion(version) || system === undefined || architecture === undefined) return [];
  const files = { t: 'archive', path: join(directory, entry) } as const;
  return [{ source, version, platform: `${system}_${architecture}`, place, files }];
}

const isVersion = (text: string): boolean => /^\d/.test(text) && semver.valid(text) !== null;

async function unpackedIn(
  directory: string,
  entry: string,
  source: string,
  place: PackageLocation,
): Promise<readonly TerraformProviderPackage[]> {
  if (!isVersion(entry)) return [];
  const platforms = await readdir(directory).catch((): string[] => []);
  const found = platforms
    .filter((each) => /^[a-z0-9]+_[a-z0-9]+$/.test(each))
    .map(async (platform): Promise<readonly TerraformProviderPackage[]> => {
      const path = join(directory, platform);
      const there = await stat(path).catch(() => undefined);
      if (there?.isDirectory() !== true) return [];
      return [{ source, version: entry, platform, place, files: { t: 'directory', path } }];
    });
  return (await Promise.all(found)).flat();
}

/**
 * Returns the executable of a provider in a directory: `terraform-provider-TYPE`, followed by `_…`, `.exe` or nothing.
 * Without a type, returns that of any provider.
 */
export async function providerExecutable(directory: string, type?: string): Promise<string | undefined> {
  const prefix = `terraform-provider-${type ?? ''}`;
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const named = entries
    .filter((entry) => !entry.isDirectory() && entry.name.startsWith(prefix))
    .map((entry) => entry.name)
    .filter((name) => type === undefined || /^(?:_.*|\.exe)?$/.test(name.slice(prefix.length)))
    .sort();
  return named[0] === undefined ? undefined : join(directory, named[0]);
}
