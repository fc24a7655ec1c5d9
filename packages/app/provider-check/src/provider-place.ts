import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';

/** Place of a provider. */
interface ProviderPlace {
  /** Name of the package. */
  readonly name: string;
  /** Folder of the plugin; absent if it is found by its name. */
  readonly directory?: string;
  /** An npm package with a provider of our own kind. */
  readonly npm?: { readonly name: string; readonly directory: string };
}

const COMMAND = /^pulumi-resource-(.+?)(\.exe|\.cmd)?$/;

/**
 * Finds the provider that a text means. The text is the name of a package; a command `pulumi-resource-NAME` on the
 * PATH; or a path. The path leads to such an executable, to a folder with one or with a `PulumiPlugin.yaml`, or to an
 * npm package that has a provider.
 */
export async function placeOf(given: string, cwd: string): Promise<ProviderPlace> {
  const target = path.resolve(cwd, given);
  const found = await stat(target).catch(() => undefined);
  const isPath = /[/\\]/.test(given) || given === '.' || given === '..';
  if (found === undefined && isPath) throw nowhere(given, `there is no ${target}`);
  if (found?.isDirectory() === true && (isPath || !(await isPlain(target)))) return inFolder(given, target);
  if (found?.isFile() === true) {
    const name = COMMAND.exec(path.basename(target))?.[1];
    if (name === undefined) throw nowhere(given, 'an executable must be named pulumi-resource-NAME');
    return { name, directory: path.dirname(target) };
  }
  return { name: COMMAND.exec(given)?.[1] ?? given };
}

/** Tells whether a folder only happens to have the name of a package, and contains no provider. */
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

/** Makes an npm package a dependency of the program in a folder. */
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
