import { getProperty, newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { isOutput, isThenable, sourceOf } from '../output/brand.js';
import { isPlainObject } from '../output/resolution.js';
import { STATE, isResource } from '../resource/state.js';
import type { AnyResource } from '../resource/state.js';
import { serializeOutputs } from '../resource/request.js';

/** Names in a module's namespace that are not outputs. */
const NOT_OUTPUTS = new Set(['default', 'module.exports', '__esModule']);

/**
 * Returns the stack outputs of a program's module: its named exports, overridden by the members of its default export.
 * A default export that is a function is called and awaited.
 */
// [PRG-4]
export async function moduleOutputs(module: object): Promise<Readonly<Record<string, unknown>>> {
  const named = Object.entries(module).filter(([key]) => !NOT_OUTPUTS.has(key));
  const main: unknown = await called((module as { default?: unknown }).default);
  if (typeof main !== 'object' || main === null) return Object.fromEntries(named);
  // A CommonJS module compiled from ES syntax carries its exports, default included, one level down.
  const offered = '__esModule' in main ? await moduleOutputs(main) : (main as Record<string, unknown>);
  return { ...Object.fromEntries(named), ...offered };
}

async function called(value: unknown): Promise<unknown> {
  return typeof value === 'function' && !isClass(value) ? (value as () => unknown)() : value;
}

function isClass(value: object): boolean {
  return Function.prototype.toString.call(value).startsWith('class');
}

/**
 * Serialises the outputs. Resources become plain objects of their reported outputs, with `urn` and `id`.
 * `undefinedKeys` lists outputs that are undefined; they are omitted.
 */
export async function serializeStackOutputs(
  outputs: Readonly<Record<string, unknown>>,
): Promise<{ readonly properties: PropertyMap; readonly undefinedKeys: readonly string[] }> {
  const flat = await Promise.all(
    Object.entries(outputs).map(async ([key, value]) => [key, await flatten(value)] as const),
  );
  const properties = await serializeOutputs(Object.fromEntries(flat));
  const undefinedKeys = flat
    .filter(([key, value]) => typeof value !== 'function' && getProperty(properties, key) === undefined)
    .map(([key]) => key);
  return { properties, undefinedKeys };
}

async function flatten(value: unknown): Promise<unknown> {
  if (isResource(value)) return flattenResource(value);
  if (isThenable(value)) return flatten(await value);
  if (Array.isArray(value)) return Promise.all(value.map(flatten));
  if (isOutput(value)) {
    const resolution = await sourceOf(value);
    return isResource(resolution.value) ? flattenResource(resolution.value) : value;
  }
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await flatten(item)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function flattenResource(resource: AnyResource): Promise<Record<string, unknown>> {
  const { kind } = resource[STATE];
  const { urn, id, outputs } = await resource[STATE].registered();
  const flat: { [key: string]: PropertyValue } = Object.assign(newMap(), outputs, { urn });
  if (kind === 'custom' && id !== undefined) flat['id'] = id;
  return flat;
}
