import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { equal, isEmptyMap, newMap, transform, transformMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';

/** Object that had to be created again: the entry before and the entry since. */
export interface CreatedAgain {
  readonly before: ResourceEntry;
  readonly since: ResourceEntry;
}

/**
 * Returns the inputs with the values of objects that were created again [REC-8]. In properties that come from such a
 * resource, its new id and outputs replace the old ones. Returns the same map if it contains none of them.
 */
export function repointed(
  entry: ResourceEntry,
  createdAgain: (urn: Urn) => CreatedAgain | undefined,
): PropertyMap {
  let changed: ReturnType<typeof newMap> | undefined;
  for (const key of Object.keys(entry.propertyDependencies)) {
    const value = entry.inputs[key];
    if (value === undefined) continue;
    let next = value;
    for (const urn of entry.propertyDependencies[key] ?? []) {
      const again = createdAgain(urn);
      if (again !== undefined) next = withValuesOf(next, again);
    }
    if (next === value) continue;
    changed ??= Object.assign(newMap(), entry.inputs);
    changed[key] = next;
  }
  return changed ?? entry.inputs;
}

/**
 * Returns the registered outputs of a component or of the stack, with the new ids and texts of objects that were
 * created again. The state does not record the origin of such values, so only equal texts count.
 */
export function repointedOutputs(outputs: PropertyMap, again: readonly CreatedAgain[]): PropertyMap {
  const texts = new Map<PropertyValue, PropertyValue>();
  for (const { before, since } of again)
    for (const [old, now] of changedValues(before, since)) if (typeof old === 'string') texts.set(old, now);
  return texts.size === 0 ? outputs : transformMap(outputs, (value) => texts.get(value) ?? value);
}

function withValuesOf(value: PropertyValue, { before, since }: CreatedAgain): PropertyValue {
  const pairs = changedValues(before, since);
  let touched = false;
  const next = transform(value, (item) => {
    const pair = pairs.find(([old]) => equal(old, item));
    if (pair === undefined) return item;
    touched = true;
    return pair[1];
  });
  return touched ? next : value;
}

/**
 * Returns old and new values of differing properties: the id, and outputs other than booleans, null and empty values.
 */
function changedValues(
  before: ResourceEntry,
  since: ResourceEntry,
): readonly (readonly [PropertyValue, PropertyValue])[] {
  const pairs: (readonly [PropertyValue, PropertyValue])[] = [];
  if (before.id !== since.id && before.id !== '') pairs.push([before.id, since.id]);
  for (const key of Object.keys(before.outputs)) {
    const old = before.outputs[key];
    const now = since.outputs[key];
    if (old === undefined || now === undefined || equal(old, now) || !isTelling(old)) continue;
    pairs.push([old, now]);
  }
  return pairs;
}

function isTelling(value: PropertyValue): boolean {
  if (value === null || value === '' || typeof value === 'boolean') return false;
  return Array.isArray(value)
    ? value.length > 0
    : typeof value !== 'object' || !isEmptyMap(value as PropertyMap);
}
