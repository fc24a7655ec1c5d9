import type { AnyResource } from './state.js';
import { serialize } from '../values/serialize.js';

/**
 * Arguments of a component that are there already: they are its inputs in the state. What waits for something, comes
 * from a resource or cannot be a property is left out, so that neither the component nor its children wait for it.
 */
export function knownArguments(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([key, value]) => isKnown(given, key, value)));
}

function isKnown(container: object, key: string, value: unknown): boolean {
  const dependencies = new Set<AnyResource>();
  try {
    const found = serialize(
      value,
      { keepOutputs: false, dependencies },
      { container, key, outer: undefined },
    );
    if (!(found instanceof Promise)) return found !== undefined && dependencies.size === 0;
    // Who uses the argument is told of its failure.
    found.catch(() => {});
    return false;
  } catch {
    return false;
  }
}
