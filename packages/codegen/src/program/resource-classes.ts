import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseTypeToken } from '@cairn/addresses';
import type { ResourceClass } from './dialect.js';

/**
 * Classes that installed packages have for types of resources. A package is asked for its plugin's name in its
 * package.json; a class counts only when its file says that it is of this very type. `dependencies`: names of packages
 * the program asks for.
 */
export function resourceClasses(
  directory: string,
  dependencies: readonly string[],
  types: Iterable<string>,
): ReadonlyMap<string, ResourceClass> {
  const packages = pluginPackages(directory, dependencies);
  const classes = new Map<string, ResourceClass>();
  for (const type of types) {
    const token = parseTypeToken(type);
    const found = token && packages.get(token.package);
    const exported = token && found && classPath(found.directory, type, token.module, token.name);
    if (found !== undefined && exported !== undefined)
      classes.set(type, { module: found.module, path: exported });
  }
  return classes;
}

interface PluginPackage {
  readonly module: string;
  readonly directory: string;
}

/** Packages by the name of the plugin they belong to. */
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
      const { resource, name } = pulumi as { readonly resource?: unknown; readonly name?: unknown };
      if (resource !== true) continue;
      const plugin = typeof name === 'string' ? name : module.replace(/^@pulumi\//, '');
      packages.set(plugin, { module, directory: path.dirname(manifest) });
    } catch {
      continue; // not installed, or not a package: nothing is known of it
    }
  }
  return packages;
}

/**
 * Where the class of a type is exported. Modules of types are folders of the package, `index` its root; the last part
 * may be a file's.
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
