import { isSecret, mapValues, Secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { ObjectShape } from '../model/shape.js';

/**
 * Returns the configuration of a provider. Stacks and programs send everything but texts as JSON in a text [TFE-8]. A
 * text that is not JSON remains as it is, for the schema to refuse.
 */
export function configurationOf(shape: ObjectShape, inputs: PropertyMap): PropertyMap {
  return mapValues(inputs, (value, key) => {
    const part = shape.byProperty.get(key);
    const isText = part === undefined || (part.form.t === 'value' && part.form.type === 'string');
    return isText ? value : parsed(value);
  });
}

function parsed(value: PropertyValue): PropertyValue {
  if (isSecret(value)) return new Secret(parsed(value.value));
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as PropertyValue;
  } catch {
    return value;
  }
}
