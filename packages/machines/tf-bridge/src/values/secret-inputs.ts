import { isArray, isMap, isSecret, mapValues, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { Form, ObjectShape } from '../model/shape.js';

/**
 * Marks inputs as secret that the schema calls sensitive or write-only, so that none of them is stored in the clear
 * [TFE-2].
 */
export function markSecretInputs(shape: ObjectShape, inputs: PropertyMap): PropertyMap {
  return mapValues(inputs, (value, key) => {
    const part = shape.byProperty.get(key);
    if (part === undefined || !part.hasHidden || value === null) return value;
    return part.sensitive || part.writeOnly ? secret(value) : within(part.form, value);
  });
}

function within(form: Form, value: PropertyValue): PropertyValue {
  if (isSecret(value) || form.t === 'value' || form.t === 'tuple') return value;
  if (form.t === 'object') return isMap(value) ? markSecretInputs(form.shape, value) : value;
  if (form.t === 'one') return within(form.element, value);
  if (isArray(value)) return value.map((each) => within(form.element, each));
  return isMap(value) ? mapValues(value, (each) => within(form.element, each)) : value;
}
