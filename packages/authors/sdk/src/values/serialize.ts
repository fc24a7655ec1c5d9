import {
  ByteString,
  OutputValue,
  ResourceReference,
  UNKNOWN,
  containsSecret,
  formatPath,
  isUnknown,
  kindOf,
  newMap,
  secret,
  stripSecrets,
} from '@cairn/values';
import type { PathSegment, PropertyMap, PropertyValue } from '@cairn/values';
import type { Urn } from '@cairn/addresses';
import { isOutput, isPending, isThenable, sourceOf } from '../output/brand.js';
import { isPlainObject } from '../output/resolution.js';
import type { Resolution } from '../output/resolution.js';
import { STATE, isResource } from '../resource/state.js';
import type { AnyResource } from '../resource/state.js';

type Later<T> = T | Promise<T>;

/** Options of the serialisation. */
interface SerializeOptions {
  /** True to keep outputs as output values: for remote components and calls. */
  // [VAL-4]
  readonly keepOutputs: boolean;
  /** Collects the resources from which the value was made. */
  readonly dependencies: Set<AnyResource>;
}

/** The current place in the value. The path is only written out when it is needed. */
interface Place {
  readonly container: object;
  readonly key: string | number;
  readonly outer: Place | undefined;
}

/** Thrown for a value that cannot be a property. */
class SerializeError extends TypeError {
  override readonly name = 'SerializeError';
}

/**
 * Serialises a program's value. Returns undefined if there is nothing to send (functions and `undefined`), and returns
 * at once if nothing must be awaited. Secrets remain in place; a secret below an output is lifted to that output.
 * Throws, or rejects with, {@link SerializeError} for values that cannot be properties.
 */
export function serialize(
  value: unknown,
  options: SerializeOptions,
  at: Place | undefined,
): Later<PropertyValue | undefined> {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'undefined':
    case 'function':
      return undefined;
    case 'bigint':
    case 'symbol':
      throw new SerializeError(`${placeText(at)} is a ${typeof value}, which cannot be a property`);
    case 'object':
      return value === null ? null : serializeObject(value, options, at);
  }
}

function serializeObject(
  value: object,
  options: SerializeOptions,
  at: Place | undefined,
): Later<PropertyValue | undefined> {
  if (Array.isArray(value)) return serializeList(value, options, at);
  if (isOutput(value)) {
    const source = sourceOf(value);
    return isPending(source)
      ? source.then((resolution) => serializeResolution(resolution, options, at))
      : serializeResolution(source, options, at);
  }
  if (isResource(value)) return serializeResource(value, options);
  if (isThenable(value)) return Promise.resolve(value).then((settled) => serialize(settled, options, at));
  if (isPlainObject(value)) return serializeMap(value, options, at);
  if (value instanceof Uint8Array) return serializeBytes(value);
  if (kindOf(value as PropertyValue) !== 'object') return value as PropertyValue;
  return serializeInstance(value, options, at);
}

function serializeInstance(
  value: object,
  options: SerializeOptions,
  at: Place | undefined,
): Later<PropertyValue> {
  const name = value.constructor.name;
  if (
    /^(Map|Set|WeakMap|WeakSet|Date|RegExp|Error|URL|ArrayBuffer)$/.test(name) ||
    ArrayBuffer.isView(value)
  ) {
    throw new SerializeError(
      `${placeText(at)} is a ${name}, which cannot be a property; pass its text or its parts`,
    );
  }
  return serializeMap(value as Record<string, unknown>, options, at);
}

/** Serialises an object's own enumerable properties. Keys without a value are omitted. */
export function serializeMap(
  source: object,
  options: SerializeOptions,
  at: Place | undefined,
): Later<PropertyMap> {
  const map = newMap();
  let waits: Promise<void>[] | undefined;
  refuseCycle(source, at);
  for (const [key, item] of Object.entries(source)) {
    const done = serialize(item, options, { container: source, key, outer: at });
    if (isPromise(done)) {
      // The key keeps its place while its value is awaited.
      map[key] = null;
      (waits ??= []).push(
        done.then((value) => {
          if (value === undefined) delete map[key];
          else map[key] = value;
        }),
      );
    } else if (done !== undefined) {
      map[key] = done;
    }
  }
  return waits === undefined ? map : Promise.all(waits).then(() => map);
}

function serializeList(
  source: readonly unknown[],
  options: SerializeOptions,
  at: Place | undefined,
): Later<PropertyValue> {
  refuseCycle(source, at);
  const items = source.map((item, index) =>
    serialize(item, options, { container: source, key: index, outer: at }),
  );
  const dense = (values: readonly (PropertyValue | undefined)[]): PropertyValue =>
    values.map((item) => item ?? null);
  if (items.some(isPromise)) return Promise.all(items).then(dense);
  return dense(items as (PropertyValue | undefined)[]);
}

function serializeResolution(
  resolution: Resolution,
  options: SerializeOptions,
  at: Place | undefined,
): Later<PropertyValue | undefined> {
  const { value: known, secret: isSecret } = resolution;
  if (
    (typeof known === 'string' || typeof known === 'number' || typeof known === 'boolean') &&
    !options.keepOutputs
  ) {
    for (const resource of resolution.dependencies) options.dependencies.add(resource);
    return isSecret ? secret(known) : known;
  }
  // Parts of the value may have dependencies of their own; they become this output's.
  const dependencies = new Set(resolution.dependencies);
  const inner = serialize(resolution.value, { keepOutputs: false, dependencies }, at);
  const finish = (value: PropertyValue | undefined): Later<PropertyValue | undefined> => {
    for (const resource of dependencies) options.dependencies.add(resource);
    if (options.keepOutputs) return outputValue(value, resolution.secret, dependencies);
    if (value === undefined) return undefined;
    if (resolution.secret) return secret(stripSecrets(value));
    return containsSecret(value) ? secret(stripSecrets(value)) : value;
  };
  return isPromise(inner) ? inner.then(finish) : finish(inner);
}

async function outputValue(
  value: PropertyValue | undefined,
  isSecret: boolean,
  dependencies: ReadonlySet<AnyResource>,
): Promise<PropertyValue> {
  const urns: Urn[] = [];
  for (const resource of dependencies) urns.push((await resource[STATE].registered()).urn);
  const bare = stripSecrets(value ?? null);
  return new OutputValue(isUnknown(bare) ? undefined : bare, isSecret || containsSecret(value ?? null), urns);
}

async function serializeResource(resource: AnyResource, options: SerializeOptions): Promise<PropertyValue> {
  // If outputs are kept, a reference itself says what it refers to.
  if (!options.keepOutputs) options.dependencies.add(resource);
  const state = resource[STATE];
  const { urn, id } = await state.registered();
  if (state.kind !== 'custom') return new ResourceReference({ urn });
  return new ResourceReference({ urn, id: id ?? UNKNOWN });
}

/** Serialises bytes: as text if they are text, otherwise as a byte string. */
function serializeBytes(bytes: Uint8Array): PropertyValue {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new ByteString(bytes);
  }
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function refuseCycle(container: object, at: Place | undefined): void {
  for (let place = at; place !== undefined; place = place.outer) {
    if (place.container === container) throw new SerializeError(`${placeText(at)} contains itself`);
  }
}

function placeText(at: Place | undefined): string {
  const path: PathSegment[] = [];
  for (let place = at; place !== undefined; place = place.outer) path.unshift(place.key);
  return path.length === 0 ? 'the value' : formatPath(path);
}
