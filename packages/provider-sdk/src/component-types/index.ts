/** Component classes whose schema is read from their TypeScript types. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ComponentResource, ComponentResourceOptions } from '@cairn/sdk';
import type tsModule from 'typescript';
import type { AnyComponent } from '../component-definition.js';
import { Property } from '../schema/property.js';
import type { Shape, ShapeSpec } from '../schema/property.js';
import type { DescribedComponents } from './described.js';
import { inferComponents } from './infer.js';

export { ComponentTypeError } from './described.js';

/** A component class as programs write it. */
export type ComponentClass = new (
  name: string,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- classes have arguments of any type
  args: any,
  options?: ComponentResourceOptions,
) => ComponentResource;

/**
 * The components of a module for `defineProvider`, by `index:Class`. `url` is the module that exports the classes.
 * Their types are read from `<module>.components.json` beside it, which {@link writeComponentTypes} makes when a
 * package is built; without it from the source, or the declarations of a built module, with the package's own
 * TypeScript. Throws {@link ComponentTypeError} for types that no schema has.
 */
export function componentsOf(
  url: string,
  classes: Readonly<Record<string, unknown>>,
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
      };
      return [[`index:${name}`, component]];
    }),
  );
}

/** Writes down the types of the components of a source, for a package that is served without TypeScript. */
export function writeComponentTypes(source: string, target: string): void {
  writeFileSync(target, `${JSON.stringify(inferComponents(compilerFor(source), source), undefined, 2)}\n`);
}

function describe(module: string): DescribedComponents {
  const base = module.replace(/\.[cm]?[jt]s$/, '');
  const written = `${base}.components.json`;
  if (existsSync(written)) return JSON.parse(readFileSync(written, 'utf8')) as DescribedComponents;
  const source = /\.[cm]?ts$/.test(module) ? module : module.replace(/\.([cm]?)js$/, '.d.$1ts');
  if (!existsSync(source))
    throw new Error(`neither ${written} nor ${source} is there: write the types when the package is built`);
  return inferComponents(compilerFor(source), source);
}

function compilerFor(source: string): typeof tsModule {
  try {
    return createRequire(source)('typescript') as typeof tsModule;
  } catch (cause) {
    throw new Error(`the types of ${source} are read with TypeScript: npm install --save-dev typescript`, {
      cause,
    });
  }
}

function shapeOf(specs: ShapeSpec): Shape {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, new Property(spec)]));
}
