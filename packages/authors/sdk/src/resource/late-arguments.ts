import { UNKNOWN, newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { serialize } from '../values/serialize.js';
import type { AnyResource } from './state.js';

/** Arguments of a component that are not there yet, or come from a resource, by name. */
export interface LateArguments {
  /** As the program gave them. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What becomes of each; a failure is told to whoever uses the argument. */
  readonly values: ReadonlyMap<string, Promise<PropertyValue | undefined>>;
}

/** Arguments of a component, by when they are there. */
interface SplitArguments {
  readonly known: object;
  readonly late: LateArguments | undefined;
}

/**
 * Separates the arguments of a component that are there already from those that are not: it need not wait for them,
 * and neither need its children. What cannot be a property is in neither.
 */
export function splitArguments(given: object): SplitArguments {
  const known: Record<string, unknown> = {};
  const later: Record<string, unknown> = {};
  const values = new Map<string, Promise<PropertyValue | undefined>>();
  for (const [key, value] of Object.entries(given) as [string, unknown][]) {
    const found = serialized(given, key, value);
    if (found === undefined) continue;
    if (found instanceof Promise) {
      found.catch(() => {});
      later[key] = value;
      values.set(key, found);
    } else known[key] = value;
  }
  return { known, late: values.size === 0 ? undefined : { given: later, values } };
}

/** The argument as a property; a promise of it where it has to be awaited or comes from a resource. */
function serialized(
  container: object,
  key: string,
  value: unknown,
): PropertyValue | undefined | Promise<PropertyValue | undefined> {
  const dependencies = new Set<AnyResource>();
  try {
    const found = serialize(
      value,
      { keepOutputs: false, dependencies },
      { container, key, outer: undefined },
    );
    return found instanceof Promise || dependencies.size === 0 ? found : Promise.resolve(found);
  } catch {
    return undefined;
  }
}

/** The late arguments once all of them have come. One that fails is not known; what is no property is left out. */
export async function lateInputs({ values }: LateArguments): Promise<PropertyMap> {
  const inputs = newMap();
  for (const [key, coming] of values) {
    const value = await coming.catch((error: unknown) =>
      (error as { name?: unknown } | null)?.name === 'SerializeError' ? undefined : UNKNOWN,
    );
    if (value !== undefined) inputs[key] = value;
  }
  return inputs;
}
