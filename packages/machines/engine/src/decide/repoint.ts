import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { equal, isEmptyMap, newMap, transform, transformMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';

/** An object that had to be created again: what its resource looked like before, and what it looks like since. */
export interface CreatedAgain {
  readonly before: ResourceEntry;
  readonly since: ResourceEntry;
}

/**
 * The inputs with the values of objects that were created again [REC-8]: in properties that come from such a resource,
 * its old id and its old outputs give way to the new ones. The same map when nothing of them is in it.
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
 * What a program has registered as outputs of a component or of the stack, with the new ids and texts of what was
 * created again. The state does not say where such values come from, so only texts that are equal count.
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

/** Old and new values of what differs: the id, and outputs that say more than a truth value or an empty text. */
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
