import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** npm package that holds a provider of our own kind. */
export type ProviderPackage = PackageIdentity & (LoadedPackage | StartedPackage);

/** Names of an npm package. */
export interface PackageIdentity {
  /** Name by which the engine knows it. */
  readonly provider: string;
  readonly npmName: string;
  readonly version: string;
}

/** Package with a module that our process can load. */
export interface LoadedPackage {
  /** Absolute path of the module whose default export makes the provider. */
  readonly module: string;
  /** Absolute path of the script that serves it as a plugin process. Undefined if it has none. */
  readonly executable: string | undefined;
}

/** Package that only runs as a process of its own. */
interface StartedPackage {
  readonly module: undefined;
  readonly executable: string;
}

type Manifest = Readonly<Record<string, unknown>>;

/**
 * Returns the provider packages among the dependencies of the package.json that is nearest to a directory. Only the
 * package.json files of those dependencies are read. A package has `"cairn": {"provider": {"name", "module"}}`, and may
 * have a `bin` of the plugin's name. Without `module`, that `bin` is run.
 */
export async function providerPackages(directory: string): Promise<readonly ProviderPackage[]> {
  const own = await nearestManifest(directory);
  if (own === undefined) return [];
  const found = await Promise.all(
    dependencies(own.manifest).map(async (name) => {
      const installed = await installedManifest(own.directory, name);
      return installed === undefined ? undefined : providerPackage(installed.directory, installed.manifest);
    }),
  );
  return found.filter((entry) => entry !== undefined);
}

function providerPackage(directory: string, manifest: Manifest): ProviderPackage | undefined {
  const { name, module } = record(record(manifest['cairn'])['provider']);
  if (typeof name !== 'string') return undefined;
  const script = record(manifest['bin'])[`pulumi-resource-${name}`];
  const executable = typeof script === 'string' ? join(directory, script) : undefined;
  const named = { provider: name, npmName: String(manifest['name']), version: String(manifest['version']) };
  if (typeof module === 'string') return { ...named, module: join(directory, module), executable };
  return executable === undefined ? undefined : { ...named, module: undefined, executable };
}

function dependencies(manifest: Manifest): readonly string[] {
  const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return [...new Set(sections.flatMap((section) => Object.keys(record(manifest[section]))))];
}

interface Located {
  readonly directory: string;
  readonly manifest: Manifest;
}

async function nearestManifest(directory: string): Promise<Located | undefined> {
  const manifest = await readManifest(directory);
  if (manifest !== undefined) return { directory, manifest };
  const parent = dirname(directory);
  return parent === directory ? undefined : nearestManifest(parent);
}

/** Returns a package as node would find it from a directory. */
async function installedManifest(from: string, name: string): Promise<Located | undefined> {
  const directory = join(from, 'node_modules', name);
  const manifest = await readManifest(directory);
  if (manifest !== undefined) return { directory, manifest };
  const parent = dirname(from);
  return parent === from ? undefined : installedManifest(parent, name);
}

async function readManifest(directory: string): Promise<Manifest | undefined> {
  try {
    return record(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

const record = (value: unknown): Manifest =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Manifest) : {};
