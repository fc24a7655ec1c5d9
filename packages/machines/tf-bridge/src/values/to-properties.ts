import {
  Dynamic,
  equalNumbers,
  fromProgram,
  isNumber,
  isRecord,
  numberText,
  record,
  TfUnknown,
} from '@cairn/tfplugin';
import type { PathStep, TfNumber, TfPath, TfRecord, TfValue } from '@cairn/tfplugin';
import { newMap, Secret, UNKNOWN } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { Form, ObjectShape, Part } from '../model/shape.js';

/** Options of the conversion for programs. */
interface PropertiesOptions {
  /** Paths that are secret, besides those of the schema. */
  readonly secrets?: readonly TfPath[];
  /** True to keep null values at the top: a preview without a property leaves it open. */
  readonly nulls?: boolean;
  /** True to mark nothing as secret: for values that are compared, or marked as a whole. */
  readonly unmarked?: boolean;
}

/** State of the walk to a place: the secret paths that lead further, and whether a container is marked already. */
interface Marks {
  readonly paths: readonly TfPath[];
  readonly done: boolean;
}

/** Converts an object of a provider to properties of programs [TFE-1] to [TFE-4]. Omits write-only values and null. */
export function toProperties(
  shape: ObjectShape,
  value: TfValue,
  options: PropertiesOptions = {},
): PropertyMap {
  const marks = { paths: options.secrets ?? [], done: options.unmarked === true };
  return objectProperties(shape, recordOf(value), marks, options.nulls === true);
}

/** Converts a single value for programs: the result of a function. */
export function valueToProperty(form: Form, value: TfValue): PropertyValue {
  return formed(form, value, { paths: [], done: true });
}

function objectProperties(shape: ObjectShape, value: TfRecord, marks: Marks, nulls: boolean): PropertyMap {
  const made = newMap();
  for (const part of shape.parts) {
    const given = value[part.attribute] ?? null;
    if (part.writeOnly) continue;
    const property = given === null ? null : partProperty(part, given, step(marks, part.attribute));
    if (property !== null || nulls) made[part.property] = property;
  }
  return made;
}

function partProperty(part: Part, value: TfValue, marks: Marks): PropertyValue {
  return part.sensitive && !marks.done
    ? new Secret(formed(part.form, value, { paths: [], done: true }))
    : formed(part.form, value, marks);
}

/** Converts the value of a form. The result is secret if a path ends here. */
function formed(form: Form, value: TfValue, marks: Marks): PropertyValue {
  const secret = !marks.done && marks.paths.some((path) => path.length === 0);
  if (secret) return new Secret(content(form, value, { paths: [], done: true }));
  // Elements of sets have no place: a path into one makes the set secret.
  if (!marks.done && marks.paths.length > 0 && isSet(form)) {
    return new Secret(content(form, value, { paths: [], done: true }));
  }
  return content(form, value, marks);
}

const isSet = (form: Form): boolean => form.t === 'set' || (form.t === 'one' && form.of === 'set');

function content(form: Form, given: TfValue, marks: Marks): PropertyValue {
  const value = given instanceof Dynamic && form.t !== 'value' ? given.value : given;
  if (value === null) return null;
  if (value instanceof TfUnknown) return UNKNOWN;
  switch (form.t) {
    case 'value':
      return plain(value, marks);
    case 'list':
    case 'set':
      return arrayOf(value).map((each, at) => formed(form.element, each, step(marks, at)));
    case 'one': {
      const elements = arrayOf(value);
      // A value with more elements than the schema allows is shown as it is.
      if (elements.length > 1) return elements.map((each, at) => formed(form.element, each, step(marks, at)));
      return elements.length === 0 ? null : formed(form.element, elements[0] ?? null, step(marks, 0));
    }
    case 'tuple':
      return arrayOf(value).map((each, at) => {
        const element = form.elements[at];
        return element === undefined ? plain(each, step(marks, at)) : formed(element, each, step(marks, at));
      });
    case 'map': {
      const made = newMap();
      for (const [key, each] of Object.entries(recordOf(value)))
        made[key] = formed(form.element, each, step(marks, key));
      return made;
    }
    case 'object':
      return objectProperties(form.shape, recordOf(value), marks, false);
  }
}

/** Converts a value in which no name comes from the schema. */
function plain(given: TfValue, marks: Marks): PropertyValue {
  if (!marks.done && marks.paths.some((path) => path.length === 0))
    return new Secret(plain(given, { paths: [], done: true }));
  const value = given instanceof Dynamic ? given.value : given;
  if (value instanceof TfUnknown) return UNKNOWN;
  if (isNumber(value)) return numberProperty(value);
  if (Array.isArray(value))
    return (value as readonly TfValue[]).map((each, at) => plain(each, step(marks, at)));
  if (isRecord(value)) {
    const made = newMap();
    for (const key of Object.keys(value)) made[key] = plain(value[key] as TfValue, step(marks, key));
    return made;
  }
  return value as PropertyValue;
}

/** Returns a number if a program's number has exactly this value, else decimal text [TFE-3]. */
function numberProperty(value: TfNumber): number | string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  const text = numberText(value);
  const number = Number(text);
  return Number.isFinite(number) && equalNumbers(fromProgram(number), value) ? number : text;
}

/** Returns the marks that lead through a step. */
function step(marks: Marks, to: string | number): Marks {
  if (marks.done || marks.paths.length === 0) return marks;
  const paths = marks.paths.filter(([first]) => first !== undefined && isStep(first, to));
  return { paths: paths.map((path) => path.slice(1)), done: false };
}

const isStep = (first: PathStep, to: string | number): boolean =>
  (typeof first === 'object' ? first.key : first) === to;

const recordOf = (value: TfValue): TfRecord => (isRecord(value) ? value : record([]));

const arrayOf = (value: TfValue): readonly TfValue[] =>
  Array.isArray(value) ? (value as readonly TfValue[]) : [value];
