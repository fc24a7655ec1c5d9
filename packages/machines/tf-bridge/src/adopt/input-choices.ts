import { isArray, isMap, isSecret, newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { Form, ObjectShape, Part } from '../model/shape.js';

/**
 * Returns the inputs that a program may have set for an object, the most likely first, because states do not record
 * them [TFF-7]. The first choice contains everything that can be configured, except empty collections; the second
 * includes those. The third omits all empty values, which older SDKs report for omitted inputs. The fourth also omits
 * values that the provider can choose itself. `reported` contains the properties of the object.
 */
export function inputChoices(shape: ObjectShape, reported: PropertyMap): readonly PropertyMap[] {
  const choices = [isGiven, isThere, isFilled, isChosen].map((wanted) => chosen(shape, reported, wanted));
  const seen = new Set<string>();
  return choices.filter((choice) => {
    const text = JSON.stringify(choice);
    return !seen.has(text) && seen.add(text) !== undefined;
  });
}

type Wanted = (part: Part, value: PropertyValue) => boolean;

const isThere: Wanted = (part, value) =>
  part.required || !((part.isBlock && isHollow(value)) || (part.computed && part.deprecated === true));

const isGiven: Wanted = (part, value) => part.required || (isThere(part, value) && !isHollow(value));

const isFilled: Wanted = (part, value) => part.required || (isGiven(part, value) && !isZero(value));

const isChosen: Wanted = (part, value) => part.required || (isFilled(part, value) && !part.computed);

function chosen(shape: ObjectShape, reported: PropertyMap, wanted: Wanted): PropertyMap {
  const made = newMap();
  for (const part of shape.parts) {
    const value = reported[part.property];
    if (value === undefined || value === null || part.isId || (!part.required && !part.optional)) continue;
    const within = inside(part.form, value, wanted);
    if (wanted(part, within)) made[part.property] = within;
  }
  return made;
}

function inside(form: Form, value: PropertyValue, wanted: Wanted): PropertyValue {
  if (isSecret(value) || form.t === 'value' || form.t === 'tuple') return value;
  if (form.t === 'object') return isMap(value) ? chosen(form.shape, value, wanted) : value;
  if (form.t === 'one') return isArray(value) ? value : inside(form.element, value, wanted);
  if (isArray(value)) return value.map((each) => inside(form.element, each, wanted));
  if (!isMap(value)) return value;
  const made = newMap();
  for (const key of Object.keys(value)) made[key] = inside(form.element, value[key] as PropertyValue, wanted);
  return made;
}

/** Tells whether a collection is empty. For blocks, an empty one means that none was written. */
function isHollow(value: PropertyValue): boolean {
  const plain = isSecret(value) ? value.value : value;
  if (isArray(plain)) return plain.length === 0;
  return isMap(plain) && Object.values(plain).every((each) => each === null || isHollow(each));
}

function isZero(value: PropertyValue): boolean {
  const plain = isSecret(value) ? value.value : value;
  return plain === '' || plain === 0 || plain === false || isHollow(plain);
}
