import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package.json and its directory. */
export interface PackageManifest {
  readonly directory: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the package.json of a directory. Returns undefined if there is none, or it cannot be read as an object. */
export function readManifest(directory: string): PackageManifest | undefined {
  try {
    const data: unknown = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    return typeof data === 'object' && data !== null
      ? { directory, data: data as PackageManifest['data'] }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the nearest package.json in a directory or above it. */
export function nearestManifest(directory: string): PackageManifest | undefined {
  const here = readManifest(directory);
  if (here !== undefined) return here;
  const parent = dirname(directory);
  return parent === directory ? undefined : nearestManifest(parent);
}

/** Returns the version of this package, which is that of all of Cairn's. */
export function ownVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

/** Returns names of the packages that a package.json asks for, development dependencies included. */
export function dependencyNames(manifest: PackageManifest | undefined): readonly string[] {
  const names = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(
    (section) => {
      const entries = manifest?.data[section];
      return typeof entries === 'object' && entries !== null ? Object.keys(entries) : [];
    },
  );
  return [...new Set(names)];
}
