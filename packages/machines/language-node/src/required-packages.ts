import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProgramInfo, RequiredPackage } from '@cairn/wire';
import { dependencyNames, nearestManifest } from './package-manifest.js';

/**
 * Returns packages that a program's npm packages ask for [PRG-2]. Looks at the package.json of everything installed in
 * the program's directory, nested packages included. Also looks at those of its own dependencies that are installed
 * further up, as workspaces do. A package.json that cannot be read asks for nothing.
 */
export async function findRequiredPackages(info: ProgramInfo): Promise<readonly RequiredPackage[]> {
  const visited = new Set<string>();
  const [inside, above] = await Promise.all([
    installedIn(join(info.programDirectory, 'node_modules'), visited),
    dependenciesAbove(info.programDirectory, visited),
  ]);
  const byName = new Map<string, RequiredPackage>();
  for (const found of [...inside, ...above]) {
    const { name, version } = found.parameterization ?? found.extension ?? found;
    byName.set(`${name}@${version}`, found);
  }
  return [...byName.values()];
}

async function installedIn(nodeModules: string, visited: Set<string>): Promise<readonly RequiredPackage[]> {
  const names = await packageNames(nodeModules);
  const found = await Promise.all(names.map((name) => installedAt(join(nodeModules, name), visited)));
  return found.flat();
}

async function packageNames(nodeModules: string): Promise<readonly string[]> {
  const entries = (await list(nodeModules)).filter((name) => !name.startsWith('.'));
  const scoped = await Promise.all(
    entries
      .filter((name) => name.startsWith('@'))
      .map(async (scope) => (await list(join(nodeModules, scope))).map((name) => join(scope, name))),
  );
  return [...entries.filter((name) => !name.startsWith('@')), ...scoped.flat()];
}

async function installedAt(path: string, visited: Set<string>): Promise<readonly RequiredPackage[]> {
  const directory = await realpath(path).catch(() => undefined);
  if (directory === undefined || visited.has(directory)) return [];
  visited.add(directory);
  const [own, nested] = await Promise.all([
    readFile(join(directory, 'package.json'), 'utf8').catch(() => ''),
    installedIn(join(directory, 'node_modules'), visited),
  ]);
  const required = requiredPackage(own);
  return required === undefined ? nested : [required, ...nested];
}

async function dependenciesAbove(
  directory: string,
  visited: Set<string>,
): Promise<readonly RequiredPackage[]> {
  const manifest = nearestManifest(directory);
  if (manifest === undefined) return [];
  const found = await Promise.all(
    dependencyNames(manifest).flatMap((name) =>
      ancestors(directory).map((ancestor) => installedAt(join(ancestor, 'node_modules', name), visited)),
    ),
  );
  return found.flat();
}

/** Returns the directories above one, nearest first. */
function ancestors(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [] : [parent, ...ancestors(parent)];
}

const list = (directory: string): Promise<readonly string[]> => readdir(directory).catch(() => []);

/** Reads the plugin section of a package.json. Returns undefined if it has none. */
export function requiredPackage(packageJson: string): RequiredPackage | undefined {
  // Nearly all packages end here, without being parsed.
  if (!packageJson.includes('"pulumi"')) return undefined;
  const manifest = parse(packageJson);
  const section = record(manifest?.['pulumi']);
  if (manifest === undefined || section === undefined || section['resource'] !== true) return undefined;
  const packageName = text(manifest['name']);
  const name = text(section['name']) || firstPartyName(packageName);
  if (name === '') return undefined;
  return {
    name,
    version: (text(section['version']) || text(manifest['version'])).replace(/^v/, ''),
    server: text(section['server']),
    parameterization: parameterization(record(section['parameterization'])),
    extension: parameterization(record(section['extensionParameterization'])),
  };
}

const firstPartyName = (packageName: string): string =>
  packageName.startsWith('@pulumi/') ? packageName.slice('@pulumi/'.length) : '';

function parameterization(
  section: Readonly<Record<string, unknown>> | undefined,
): RequiredPackage['parameterization'] {
  if (section === undefined) return undefined;
  return {
    name: text(section['name']),
    version: text(section['version']),
    value: Buffer.from(text(section['value']), 'base64'),
  };
}

function parse(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return record(JSON.parse(json));
  } catch {
    return undefined;
  }
}

const record = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
