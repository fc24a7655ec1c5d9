/** Component classes whose schema is read from their TypeScript types. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ComponentResource, ComponentResourceOptions } from '@cairn/sdk';
import type tsModule from 'typescript';
import type { AnyComponent } from '../component-definition.js';
import { Property } from '../schema/property.js';
import type { Shape, ShapeSpec } from '../schema/property.js';
import { ComponentTypeError } from './described.js';
import type { DescribedComponents } from './described.js';
import { inferComponents } from './infer.js';
import { keptTypes } from './kept.js';
import { readBeside, writeSidecar, writtenBeside } from './written.js';

export { ComponentTypeError } from './described.js';

/** A component class as programs write it. */
export type ComponentClass = new (
  name: string,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- classes have arguments of any type
  args: any,
  options?: ComponentResourceOptions,
) => ComponentResource;

/**
 * Returns the components of a module for `defineProvider`, by `index:Class`. `url` is the module that exports the
 * classes. Their types are those that {@link writeComponentTypes} wrote beside it when its package was built, as long
 * as its declarations are the same. Otherwise the package's own TypeScript reads them from its source, or from the
 * declarations of a built module. They are cached until something that was read changes. Throws
 * {@link ComponentTypeError} for types that a schema cannot express. `methods` holds functions of the components, by
 * class name.
 */
export function componentsOf(
  url: string,
  classes: Readonly<Record<string, unknown>>,
  methods: Readonly<Record<string, AnyComponent['methods']>> = {},
): Readonly<Record<string, AnyComponent>> {
  const described = describe(fileURLToPath(url));
  return Object.fromEntries(
    Object.entries(described).flatMap(([name, { description, inputs, outputs }]) => {
      const Class = classes[name] as ComponentClass | undefined;
      if (Class === undefined) return [];
      const component: AnyComponent = {
        description,
        inputs: shapeOf(inputs),
        outputs: shapeOf(outputs),
        create: (each, args, options) => new Class(each, args, options),
        methods: methods[name],
      };
      return [[`index:${name}`, component]];
    }),
  );
}

/**
 * Writes the types of a built module's components to a file beside it, for a package that is served without TypeScript.
 * This is the last step of its build. Types that a schema cannot express are reported with the lines of the source.
 */
export function writeComponentTypes(module: string): void {
  const file = path.resolve(module);
  const declarations = declarationsOf(file);
  if (!existsSync(declarations)) throw new Error(`${declarations} does not exist: build the package first`);
  const api = compilerFor(file).load();
  try {
    writeSidecar(file, inferComponents(api, declarations));
  } catch (error) {
    const source = sourceOf(api, file);
    if (source !== undefined && error instanceof ComponentTypeError) inferComponents(api, source);
    throw error;
  }
}

function describe(module: string): DescribedComponents {
  const source = /\.[cm]?ts$/.test(module) ? module : module.replace(/\.([cm]?)js$/, '.$1ts');
  const isSource = source === module || (!existsSync(module) && existsSync(source));
  const written = isSource ? undefined : readBeside(module);
  if (written !== undefined && written !== 'stale') return written;
  const file = isSource ? source : declarationsOf(module);
  if (!existsSync(file))
    throw new Error(
      `neither ${writtenBeside(module)} nor ${file} exists: write the types when the package is built`,
    );
  const compiler = compilerFor(file, written === 'stale' ? writtenBeside(module) : undefined);
  return keptTypes(file, compiler.version, () => inferComponents(compiler.load(), file));
}

function declarationsOf(module: string): string {
  return module.replace(/\.([cm]?)js$/, '.d.$1ts');
}

/** Returns the source of a built module, if its project names it. */
function sourceOf(api: typeof tsModule, module: string): string | undefined {
  const config = api.findConfigFile(path.dirname(module), (name) => api.sys.fileExists(name));
  if (config === undefined) return undefined;
  const read = api.readConfigFile(config, (name) => api.sys.readFile(name));
  const project = api.parseJsonConfigFileContent(read.config, api.sys, path.dirname(config));
  return project.fileNames.find((name) =>
    api.getOutputFileNames(project, name, false).some((made) => path.resolve(made) === module),
  );
}

/** Returns the package's own TypeScript. `stale` is the file of written types that is out of date. */
function compilerFor(source: string, stale?: string) {
  const require = createRequire(source);
  try {
    const { version } = require('typescript/package.json') as { readonly version: string };
    return { version, load: () => require('typescript') as typeof tsModule };
  } catch (cause) {
    const why =
      stale === undefined ? '' : `${stale} was written for other declarations: build the package again, or: `;
    throw new Error(
      `${why}the types of ${source} are read with TypeScript: npm install --save-dev typescript`,
      {
        cause,
      },
    );
  }
}

function shapeOf(specs: ShapeSpec): Shape {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, new Property(spec)]));
}
