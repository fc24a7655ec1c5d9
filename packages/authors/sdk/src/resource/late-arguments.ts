import { UNKNOWN, newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { serialize } from '../values/serialize.js';
import type { AnyResource } from './state.js';

/** Arguments of a component that are still pending or come from a resource, by name. */
export interface LateArguments {
  /** The arguments, as given by the program. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Value of each argument. A failure reaches the code that uses the argument. */
  readonly values: ReadonlyMap<string, Promise<PropertyValue | undefined>>;
}

/** Arguments of a component, separated into those that are known and those that are late. */
interface SplitArguments {
  readonly known: object;
  readonly late: LateArguments | undefined;
}

/**
 * Separates the arguments of a component that are known from those that are pending. Neither the component nor its
 * children wait for the pending ones. Values that cannot be properties are in neither part.
 */
export function separateLateArguments(given: object): SplitArguments {
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

/** Returns the argument as a property, or a promise of it if it is pending or comes from a resource. */
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

/**
 * Returns the late arguments as soon as all of them are known. A failed one is unknown; a value that cannot be a
 * property is omitted.
 */
export async function settleLateInputs({ values }: LateArguments): Promise<PropertyMap> {
  const inputs = newMap();
  for (const [key, coming] of values) {
    const value = await coming.catch((error: unknown) =>
      (error as { name?: unknown } | null)?.name === 'SerializeError' ? undefined : UNKNOWN,
    );
    if (value !== undefined) inputs[key] = value;
  }
  return inputs;
}
