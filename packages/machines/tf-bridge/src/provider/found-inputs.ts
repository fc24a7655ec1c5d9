import { isRecord } from '@cairn/tfplugin';
import type { TfRecord, TfValue } from '@cairn/tfplugin';
import { sameElement } from '@cairn/tfplugin';
import { isArray, isMap, isSecret, newMap, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { toProperties } from '../values/index.js';
import type { Form, ObjectShape, Part } from '../model/shape.js';

/**
 * Returns inputs that would create an object in its present state [TFB-6]: required and optional ones that have a
 * value. Values that the provider would choose itself are omitted, and so are empty collections.
 */
export function inputsOfObject(shape: ObjectShape, value: TfValue): PropertyMap {
  const shown = toProperties(shape, value, {});
  return chosen(shape, shown);
}

function chosen(shape: ObjectShape, shown: PropertyMap): PropertyMap {
  const made = newMap();
  for (const part of shape.parts) {
    const value = shown[part.property];
    if (value === undefined || value === null || !isChosen(part)) continue;
    const inner = within(part.form, value);
    if (!isEmpty(inner) || part.required) made[part.property] = inner;
  }
  return made;
}

const isChosen = (part: Part): boolean =>
  part.isBlock || part.required || (part.optional && !part.computed && !part.isId);

function within(form: Form, value: PropertyValue): PropertyValue {
  if (isSecret(value)) return secret(within(form, value.value));
  switch (form.t) {
    case 'object':
      return isMap(value) ? chosen(form.shape, value) : value;
    case 'one':
      return within(form.element, value);
    case 'list':
    case 'set':
      return isArray(value) ? value.map((each) => within(form.element, each)) : value;
    case 'map':
      return isMap(value)
        ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, within(form.element, each)]))
        : value;
    default:
      return value;
  }
}

function isEmpty(value: PropertyValue): boolean {
  if (isSecret(value)) return isEmpty(value.value);
  return isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0;
}

/**
 * Returns the previous inputs, with found values for the parts of the object that have changed. Secret ones remain
 * secret.
 */
export function inputsAfterRead(
  shape: ObjectShape,
  inputs: PropertyMap,
  before: TfValue,
  after: TfValue,
): PropertyMap {
  const [one, other] = [recordOf(before), recordOf(after)];
  const changed = shape.parts.filter(
    ({ attribute }) => !sameElement(one[attribute] ?? null, other[attribute] ?? null),
  );
  const touched = changed.filter(({ property, writeOnly }) => !writeOnly && inputs[property] !== undefined);
  if (touched.length === 0) return inputs;
  const shown = toProperties(shape, after, {});
  const made = newMap();
  const anew = new Set(touched.map(({ property }) => property));
  for (const [key, value] of Object.entries(inputs)) {
    if (!anew.has(key)) made[key] = value;
    else if (shown[key] !== undefined)
      made[key] = asBefore(value, shape.byProperty.get(key) as Part, shown[key]);
  }
  return made;
}

function asBefore(before: PropertyValue, part: Part, found: PropertyValue): PropertyValue {
  const value = within(part.form, found);
  return isSecret(before) && !isSecret(value) ? secret(value) : value;
}

const recordOf = (value: TfValue): TfRecord => (isRecord(value) ? value : {});
