import { propertyMap } from '@cairn/values';
import type { RegisterResourceRequest, RegisterResourceResponse } from '@cairn/wire';
import type { ProgramContext, ProgramFunction, Properties } from '../../program/program-of.js';

/** Type of the resources of cut scenarios. */
export const TYPE = 'pkgA:m:typA';
/** Type of the same resources in another package. */
export const OTHER = 'pkgB:m:typB';
/** Type of components without a provider. */
export const BOX = 'my:index:Box';
/** Type of components that a provider makes. */
export const REMOTE = 'pkgA:m:Remote';

type Options = Partial<RegisterResourceRequest>;

/** Declares one resource after the other, each with its name, inputs and options. */
export function inOrder(
  ...resources: readonly (readonly [name: string, inputs: Properties, options?: Options])[]
): ProgramFunction {
  return async ({ resource }) => {
    for (const [name, inputs, options] of resources) await resource(TYPE, name, inputs, options);
  };
}

/** Declares resources all at once. */
export function atOnce(
  ...resources: readonly (readonly [name: string, inputs: Properties, options?: Options])[]
): ProgramFunction {
  return async ({ resource }) => {
    await Promise.all(resources.map(([name, inputs, options]) => resource(TYPE, name, inputs, options)));
  };
}

/** Declares a resource with the id of another one in its input `key`, depending on it. */
export function using(
  context: ProgramContext,
  name: string,
  key: string,
  used: RegisterResourceResponse,
  inputs: Properties = {},
  options: Options = {},
): Promise<RegisterResourceResponse> {
  return context.resource(TYPE, name, undefined, {
    inputs: propertyMap({ ...inputs, [key]: used.id }),
    dependencies: [used.urn],
    propertyDependencies: { ...keysWithout(inputs), [key]: [used.urn] },
    ...options,
  });
}

/**
 * Declares a line of resources, each with the id of the previous one. `key` is `from` (a change updates) or `bound` (a
 * change replaces).
 */
export function line(
  names: readonly string[],
  inputs: Readonly<Record<string, Properties>> = {},
  options: Readonly<Record<string, Options>> = {},
  key: 'from' | 'bound' = 'from',
): ProgramFunction {
  return async (context) => {
    let before: RegisterResourceResponse | undefined;
    for (const name of names) {
      before =
        before === undefined
          ? await context.resource(TYPE, name, inputs[name] ?? {}, options[name])
          : await using(context, name, key, before, inputs[name], options[name]);
    }
  };
}

/** Declares a component with resources in it, all at once. */
export async function box(
  context: ProgramContext,
  name: string,
  children: Readonly<Record<string, Properties>>,
  options: Options = {},
): Promise<RegisterResourceResponse> {
  const parent = await context.component(BOX, name, options);
  await Promise.all(
    Object.entries(children).map(([child, inputs]) =>
      context.resource(TYPE, child, inputs, { parent: parent.urn }),
    ),
  );
  return parent;
}

/** Declares an explicit provider of pkgA, and resources on it. */
export function onProvider(
  name: string,
  settings: Properties,
  resources: Readonly<Record<string, Properties>>,
  options: Options = {},
): ProgramFunction {
  return async ({ provider, resource }) => {
    const reference = await provider('pkgA', name, settings, options);
    await Promise.all(
      Object.entries(resources).map(([each, inputs]) =>
        resource(TYPE, each, inputs, { provider: reference }),
      ),
    );
  };
}

/** Returns the alias of a resource that had another name. */
export function called(name: string): Options {
  return {
    aliases: [{ kind: 'spec', name, type: '', stack: '', project: '', parent: { kind: 'same' } }],
  };
}

/** Runs programs one after the other in one. */
export function both(...programs: readonly ProgramFunction[]): ProgramFunction {
  return async (context) => {
    for (const program of programs) await program(context);
  };
}

/** Registers nothing. */
export const nothing: ProgramFunction = async () => undefined;

function keysWithout(inputs: Properties): Record<string, readonly never[]> {
  return Object.fromEntries(Object.keys(inputs).map((key) => [key, []]));
}
