import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseTypeToken, providerTypePackage } from '@cairn/addresses';
import { stringLiteral } from '../source/literal.js';
import type { ClassReference, SdkDialect } from './dialect.js';

/**
 * Finds classes for types of resources in installed packages for the SDK. A package has its plugin's name in its
 * package.json. A class counts only if the package declares it for exactly this type. `dependencies` are the names of
 * the program's packages.
 */
export function resourceClasses(
  sdk: SdkDialect,
  directory: string,
  dependencies: readonly string[],
  types: Iterable<string>,
): ReadonlyMap<string, ClassReference> {
  const packages = pluginPackages(directory, dependencies);
  const classes = new Map<string, ClassReference>();
  for (const type of types) {
    const token = parseTypeToken(type);
    const found = packages.get(providerTypePackage(type) ?? token?.package ?? '');
    if (token === undefined || found === undefined) continue;
    const exported =
      sdk === 'cairn'
        ? generatedPath(found.directory, type)
        : classPath(found.directory, type, token.module, token.name);
    if (exported !== undefined) classes.set(type, { module: found.module, path: exported });
  }
  return classes;
}

interface PluginPackage {
  readonly module: string;
  readonly directory: string;
}

/** Returns packages by the name in their types: the plugin's name, or the package's own if a parameter defines it. */
function pluginPackages(
  directory: string,
  dependencies: readonly string[],
): ReadonlyMap<string, PluginPackage> {
  const packages = new Map<string, PluginPackage>();
  const { resolve } = createRequire(path.join(directory, 'noop.js'));
  for (const module of dependencies) {
    try {
      const manifest = resolve(`${module}/package.json`);
      const { pulumi } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly pulumi?: unknown };
      if (typeof pulumi !== 'object' || pulumi === null) continue;
      const { resource, name, parameterization, extensionParameterization } = pulumi as {
        readonly [key: string]: unknown;
      };
      if (resource !== true) continue;
      const made = (parameterization ?? extensionParameterization) as { readonly name?: unknown } | undefined;
      const own = made?.name ?? name;
      const plugin = typeof own === 'string' ? own : module.replace(/^@pulumi\//, '');
      packages.set(plugin, { module, directory: path.dirname(manifest) });
    } catch {
      continue; // not installed, or not a package: nothing is known of it
    }
  }
  return packages;
}

/** Returns the export path of a type's class in a package that Cairn has generated, from its tables. */
function generatedPath(directory: string, type: string): readonly string[] | undefined {
  const row = `  ${stringLiteral(type)}: [`;
  const found = sourceOf(path.join(directory, 'classes.cjs'))
    .split('\n')
    .find((line) => line.startsWith(row));
  const [, folder, name] = /^'(.*)', '(.*)'\],$/.exec(found?.slice(row.length) ?? '') ?? [];
  if (folder === undefined || name === undefined) return undefined;
  const parts = folder.split('/').filter((part) => part !== '');
  const exported = parts.map((part, depth) => {
    const members = sourceOf(path.join(directory, ...parts.slice(0, depth), 'members.cjs'));
    return members.split('\n').find((line) => line.endsWith(`: ${stringLiteral(`${part}/`)},`));
  });
  return [...exported.map((line) => line?.trim().split(':')[0] ?? ''), name];
}

/**
 * Returns the export path of a type's class. Modules of types are folders of the package, with `index` as its root; the
 * last part may be a file's.
 */
function classPath(
  directory: string,
  type: string,
  module: string,
  name: string,
): readonly string[] | undefined {
  const folders = module.split('/').filter((part) => part !== '' && part !== 'index');
  const candidates = [folders, folders.slice(0, -1)];
  const file = `${name.charAt(0).toLowerCase()}${name.slice(1)}.js`;
  return candidates
    .map((each) => ({ each, text: sourceOf(path.join(directory, ...each, file)) }))
    .find(({ text }) => text.includes(`'${type}'`) || text.includes(`"${type}"`))
    ?.each.concat(name);
}

function sourceOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
