import { equal, isArray, isMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Lists the ways in which a value breaks the JSON schema that a policy declares for one of its settings. `at` names the
 * value in the texts. Knows the keywords that policies may use; `format`, `title`, `description` and `default` do not
 * constrain.
 */
export function schemaComplaints(value: PropertyValue, schema: PropertyValue, at: string): readonly string[] {
  if (!isMap(schema)) return [];
  return [
    ...typeComplaints(value, schema, at),
    ...oneOfComplaints(value, schema, at),
    ...numberComplaints(value, schema, at),
    ...textComplaints(value, schema, at),
    ...listComplaints(value, schema, at),
    ...objectComplaints(value, schema, at),
  ];
}

const TYPES: Readonly<Record<string, (value: PropertyValue) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => typeof value === 'number' && Number.isInteger(value),
  array: (value) => isArray(value),
  object: (value) => isMap(value),
};

function typeComplaints(value: PropertyValue, schema: PropertyMap, at: string): readonly string[] {
  const wanted = schema['type'];
  if (wanted === undefined) return [];
  const names = (isArray(wanted) ? wanted : [wanted]).filter((name) => typeof name === 'string');
  if (names.length === 0 || names.some((name) => TYPES[name]?.(value) ?? true)) return [];
  return [`${at} must be of type ${names.join(' or ')}`];
}

function oneOfComplaints(value: PropertyValue, schema: PropertyMap, at: string): readonly string[] {
  const { const: constant, enum: choices } = schema;
  const complaints: string[] = [];
  if (constant !== undefined && !equal(value, constant))
    complaints.push(`${at} must be ${JSON.stringify(constant)}`);
  if (isArray(choices) && !choices.some((choice) => equal(value, choice)))
    complaints.push(`${at} must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`);
  return complaints;
}

/** A keyword with a number, and the test whether a value's measure breaks it. */
type Bound = readonly [keyword: string, breaks: (measure: number, bound: number) => boolean, says: string];

const NUMBER_BOUNDS: readonly Bound[] = [
  ['minimum', (is, bound) => is < bound, 'must be at least'],
  ['maximum', (is, bound) => is > bound, 'must be at most'],
  ['exclusiveMinimum', (is, bound) => is <= bound, 'must be more than'],
  ['exclusiveMaximum', (is, bound) => is >= bound, 'must be less than'],
  ['multipleOf', (is, bound) => !Number.isInteger(is / bound), 'must be a multiple of'],
];
const LENGTH_BOUNDS: readonly Bound[] = [
  ['minLength', (is, bound) => is < bound, 'must be at least this long:'],
  ['maxLength', (is, bound) => is > bound, 'must be at most this long:'],
];
const COUNT_BOUNDS: readonly Bound[] = [
  ['minItems', (is, bound) => is < bound, 'must have at least this many items:'],
  ['maxItems', (is, bound) => is > bound, 'must have at most this many items:'],
];
const SIZE_BOUNDS: readonly Bound[] = [
  ['minProperties', (is, bound) => is < bound, 'must have at least this many properties:'],
  ['maxProperties', (is, bound) => is > bound, 'must have at most this many properties:'],
];

function broken(
  bounds: readonly Bound[],
  measure: number,
  schema: PropertyMap,
  at: string,
): readonly string[] {
  return bounds.flatMap(([keyword, breaks, says]) => {
    const bound = schema[keyword];
    return typeof bound === 'number' && breaks(measure, bound) ? [`${at} ${says} ${bound}`] : [];
  });
}

function numberComplaints(value: PropertyValue, schema: PropertyMap, at: string): readonly string[] {
  return typeof value === 'number' ? broken(NUMBER_BOUNDS, value, schema, at) : [];
}

function textComplaints(value: PropertyValue, schema: PropertyMap, at: string): readonly string[] {
  if (typeof value !== 'string') return [];
  const { pattern } = schema;
  const complaints = [...broken(LENGTH_BOUNDS, [...value].length, schema, at)];
  if (typeof pattern !== 'string') return complaints;
  const expression = expressionOf(pattern);
  if (expression === undefined)
    complaints.push(`${at} cannot be checked: ${pattern} is not a regular expression`);
  else if (!expression.test(value)) complaints.push(`${at} must match ${pattern}`);
  return complaints;
}

/**
 * Compiles a pattern, or returns `undefined` if it is invalid. It comes from a policy pack, whose code runs here
 * anyway.
 */
function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

function listComplaints(value: PropertyValue, schema: PropertyMap, at: string): readonly string[] {
  if (!isArray(value)) return [];
  const items: readonly PropertyValue[] = value;
  const { items: each, uniqueItems, contains } = schema;
  const complaints = [...broken(COUNT_BOUNDS, items.length, schema, at)];
  if (
    uniqueItems === true &&
    items.some((item, index) => items.slice(0, index).some((one) => equal(one, item)))
  )
    complaints.push(`${at} must not have an item twice`);
  if (contains !== undefined && !items.some((item) => schemaComplaints(item, contains, at).length === 0))
    complaints.push(`${at} must have an item of the kind it asks for`);
  return [
    ...complaints,
    ...items.flatMap((item, index) => {
      const of = isArray(each) ? (each[index] ?? schema['additionalItems']) : each;
      if (of === false) return [`${at}[${index}] must not be there`];
      return of === undefined ? [] : schemaComplaints(item, of, `${at}[${index}]`);
    }),
  ];
}

function objectComplaints(value: PropertyValue, schema: PropertyMap, at: string): readonly string[] {
  if (!isMap(value)) return [];
  const { properties, required, additionalProperties } = schema;
  const keys = Object.keys(value);
  const complaints = [...broken(SIZE_BOUNDS, keys.length, schema, at)];
  for (const key of isArray(required) ? required : [])
    if (typeof key === 'string' && value[key] === undefined) complaints.push(`${at}.${key} is required`);
  for (const key of keys) {
    const declared = isMap(properties) ? properties[key] : undefined;
    if (declared === undefined && additionalProperties === false)
      complaints.push(`${at}.${key} must not be there`);
    const of = declared ?? additionalProperties;
    if (of !== undefined) complaints.push(...schemaComplaints(value[key] ?? null, of, `${at}.${key}`));
  }
  return complaints;
}
