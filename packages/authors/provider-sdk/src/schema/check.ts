import { nearest } from '@cairn/diagnostics';
import {
  formatPath,
  fromPlain,
  isArray,
  isMap,
  isSecret,
  isUnknown,
  kindOf,
  newMap,
  secret,
} from '@cairn/values';
import type { PathSegment, PropertyMap, PropertyValue, ResourceReference } from '@cairn/values';
import type { CheckFailure } from '@cairn/wire';
import { withNames } from './naming.js';
import type { NamingContext } from './naming.js';
import type { PropertySpec, ShapeSpec, TypeSpec } from './property.js';

/** Inputs with defaults filled in and secrets marked, and the failures in them. */
interface Checked {
  readonly inputs: PropertyMap;
  readonly failures: readonly CheckFailure[];
}

/**
 * Checks values against a shape: required properties, types, limits, unknown names. Unknown values pass; they are
 * checked when they are known. Names that start with `__` belong to the engine and pass unchanged.
 */
export function checkShape(shape: ShapeSpec, given: PropertyMap, naming?: NamingContext): Checked {
  const failures: CheckFailure[] = [];
  const named = naming === undefined ? given : withNames(shape, given, naming, failures);
  const inputs = checkProperties(shape, named, [], failures);
  return { inputs, failures };
}

type Failures = CheckFailure[];

function checkProperties(
  shape: ShapeSpec,
  given: PropertyMap,
  path: readonly PathSegment[],
  failures: Failures,
): PropertyMap {
  const checked = newMap();
  for (const key of Object.keys(given)) {
    const value = given[key] as PropertyValue;
    if (key.startsWith('__')) checked[key] = value;
    else if (!Object.hasOwn(shape, key))
      refuse(failures, [...path, key], `there is no such property${suggestion(key, shape)}`);
  }
  for (const [key, spec] of Object.entries(shape)) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    const found =
      value === null || value === undefined
        ? absent(spec, [...path, key], failures)
        : checkProperty(spec, value, [...path, key], failures);
    if (found !== undefined) checked[key] = found;
  }
  return checked;
}

function absent(
  spec: PropertySpec,
  path: readonly PathSegment[],
  failures: Failures,
): PropertyValue | undefined {
  switch (spec.presence) {
    case 'required':
      refuse(failures, path, 'is required');
      return undefined;
    case 'optional':
    case 'computed':
      return undefined;
    case 'defaulted': {
      if (spec.naming !== undefined) return undefined;
      const value = fromPlain(spec.defaultValue);
      return value !== undefined && spec.secret ? secret(value) : value;
    }
  }
}

function checkProperty(
  spec: PropertySpec,
  given: PropertyValue,
  path: readonly PathSegment[],
  failures: Failures,
): PropertyValue {
  const bare = isSecret(given) ? given.value : given;
  const value = isUnknown(bare) ? bare : checkType(spec.type, dereferenced(bare), path, failures);
  return spec.secret || isSecret(given) ? secret(value) : value;
}

/** Replaces a reference to a resource by its id, or by its URN if it has none. */
function dereferenced(value: PropertyValue): PropertyValue {
  if (kindOf(value) !== 'reference') return value;
  const { id, urn } = value as ResourceReference;
  return id ?? urn;
}

function checkType(
  type: TypeSpec,
  value: PropertyValue,
  path: readonly PathSegment[],
  failures: Failures,
): PropertyValue {
  const wrong = (expected: string): PropertyValue => {
    refuse(failures, path, `expected ${expected}, got ${article(kindOf(value))}`);
    return value;
  };
  switch (type.kind) {
    case 'any':
      return value;
    case 'string':
      if (typeof value !== 'string') return wrong('a string');
      limit(failures, path, stringProblem(type, value));
      return value;
    case 'integer':
    case 'number':
      if (typeof value !== 'number') return wrong(type.kind === 'integer' ? 'an integer' : 'a number');
      limit(failures, path, numberProblem(type, value));
      return value;
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong('a boolean');
    case 'asset':
      return ['asset', 'archive'].includes(kindOf(value)) ? value : wrong('an asset');
    case 'archive':
      return kindOf(value) === 'archive' ? value : wrong('an archive');
    // The value is the id or URN of a resource, in place of a reference.
    case 'resource':
      return typeof value === 'string' ? value : wrong('a resource');
    case 'array':
      if (!isArray(value)) return wrong('a list');
      limit(failures, path, listProblem(type, value.length));
      return value.map((item, index) => checkProperty(type.items, item, [...path, index], failures));
    case 'map': {
      if (!isMap(value)) return wrong('a map');
      const checked = newMap();
      for (const key of Object.keys(value)) {
        checked[key] = checkProperty(type.values, value[key] as PropertyValue, [...path, key], failures);
      }
      return checked;
    }
    case 'object':
      return isMap(value) ? checkProperties(type.properties, value, path, failures) : wrong('an object');
  }
}

function stringProblem(
  { oneOf, minLength, maxLength, pattern }: TypeSpec & { kind: 'string' },
  value: string,
): string | undefined {
  if (oneOf?.includes(value) === false)
    return `must be one of ${oneOf.map((text) => JSON.stringify(text)).join(', ')}`;
  const length = [...value].length;
  if (minLength !== undefined && length < minLength)
    return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern !== undefined && !new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(value))
    return `must match ${String(pattern)}`;
  return undefined;
}

function numberProblem(
  { kind, min, max }: TypeSpec & { kind: 'integer' | 'number' },
  value: number,
): string | undefined {
  if (kind === 'integer' && !Number.isSafeInteger(value)) return `must be an integer, got ${value}`;
  if (min !== undefined && !(value >= min)) return `must be at least ${min}`;
  if (max !== undefined && !(value <= max)) return `must be at most ${max}`;
  return undefined;
}

function listProblem(
  { minItems, maxItems }: TypeSpec & { kind: 'array' },
  length: number,
): string | undefined {
  if (minItems !== undefined && length < minItems)
    return `must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`;
  if (maxItems !== undefined && length > maxItems)
    return `must have at most ${maxItems} ${maxItems === 1 ? 'item' : 'items'}`;
  return undefined;
}

function limit(failures: Failures, path: readonly PathSegment[], problem: string | undefined): void {
  if (problem !== undefined) refuse(failures, path, problem);
}

function refuse(failures: Failures, path: readonly PathSegment[], reason: string): void {
  failures.push({ property: formatPath(path), reason });
}

function article(kind: string): string {
  return /^[aeiou]/.test(kind) ? `an ${kind}` : kind === 'null' ? 'null' : `a ${kind}`;
}

function suggestion(key: string, shape: ShapeSpec): string {
  const wanted = key.toLowerCase().replace(/[^a-z0-9]/g, '');
  const close = Object.keys(shape).find((name) => nearest(wanted, [name.toLowerCase()]) !== undefined);
  return close === undefined
    ? `; there are ${Object.keys(shape).join(', ') || 'none'}`
    : `; did you mean ${close}?`;
}
