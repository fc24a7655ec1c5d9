import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';

/** Where a provider is. */
interface ProviderPlace {
  /** Name of the package. */
  readonly name: string;
  /** Folder that the plugin is in; undefined: it is found by its name. */
  readonly directory?: string;
  /** An npm package with a provider of our own kind. */
  readonly npm?: { readonly name: string; readonly directory: string };
}

const COMMAND = /^pulumi-resource-(.+?)(\.exe|\.cmd)?$/;

/**
 * What a person means by a provider: the name of a package; a command `pulumi-resource-NAME` on the PATH; the path of
 * such an executable, of a folder with one, of a folder with a `PulumiPlugin.yaml`, or of an npm package that has a
 * provider.
 */
export async function placeOf(given: string, cwd: string): Promise<ProviderPlace> {
  const target = path.resolve(cwd, given);
  const found = await stat(target).catch(() => undefined);
  const isPath = /[/\\]/.test(given) || given === '.' || given === '..';
  if (found === undefined && isPath) throw nowhere(given, `there is no ${target}`);
  if (found?.isDirectory() === true && (isPath || !(await isPlain(target)))) return inFolder(given, target);
  if (found?.isFile() === true) {
    const name = COMMAND.exec(path.basename(target))?.[1];
    if (name === undefined) throw nowhere(given, 'an executable has to be named pulumi-resource-NAME');
    return { name, directory: path.dirname(target) };
  }
  return { name: COMMAND.exec(given)?.[1] ?? given };
}

/** A folder that happens to be named like a package and holds no provider. */
async function isPlain(directory: string): Promise<boolean> {
  const files = await readdir(directory);
  return !files.some((file) => file === 'package.json' || file === 'PulumiPlugin.yaml' || COMMAND.test(file));
}

async function inFolder(given: string, directory: string): Promise<ProviderPlace> {
  const files = await readdir(directory);
  const manifest = await readManifest(directory);
  const npmName = textOf(manifest['name']) ?? path.basename(directory);
  const own = textOf(recordOf(recordOf(manifest['cairn'])['provider'])['name']);
  if (own !== undefined) return { name: own, npm: { name: npmName, directory } };
  const executable = files.map((file) => COMMAND.exec(file)?.[1]).find((name) => name !== undefined);
  if (executable !== undefined) return { name: executable, directory };
  if (files.includes('PulumiPlugin.yaml')) {
    const named = textOf(recordOf(manifest['pulumi'])['name']) ?? npmName.replace(/^.*\//, '');
    return { name: named, directory };
  }
  throw nowhere(
    given,
    'the folder has no PulumiPlugin.yaml, no pulumi-resource-NAME and no package.json with `cairn.provider`',
  );
}

/** Makes an npm package one that the program in a folder depends on. */
export async function linkPackage(
  folder: string,
  { name, directory }: NonNullable<ProviderPlace['npm']>,
): Promise<void> {
  const target = path.join(folder, 'node_modules', name);
  await mkdir(path.dirname(target), { recursive: true });
  await symlink(directory, target, 'junction');
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [name]: '*' } }),
  );
}

function nowhere(given: string, why: string): Error {
  return cairnError('CAIRN-PLUGIN-NOT-FOUND', `cannot find a provider at ${given}`, {
    causes: [why],
    hint: 'Name a package, a command pulumi-resource-NAME, or a path to one.',
  });
}

async function readManifest(directory: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return recordOf(JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8')));
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
