import { containsUnknown, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/**
 * Returns registered outputs as state can contain them. In a real run, values are unknown if they come from a resource
 * that was left out. Those keep their stored value. `stored` contains the previous outputs.
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
