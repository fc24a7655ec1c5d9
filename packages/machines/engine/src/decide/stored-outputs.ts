import { containsUnknown, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/**
 * Registered outputs as state can hold them: what is not known in a real run, because it comes from something that was
 * left out, stays as it is stored. `stored`: the outputs so far.
 */
export function storableOutputs(stored: PropertyMap, registered: PropertyMap): PropertyMap {
  if (!containsUnknown(registered)) return registered;
  const outputs = newMap();
  for (const key of Object.keys(registered)) {
    const value = registered[key];
    const kept = value !== undefined && containsUnknown(value) ? stored[key] : value;
    if (kept !== undefined) outputs[key] = kept;
  }
  return outputs;
}
