import {
  UNKNOWN,
  containsUnknown,
  equal,
  formatPath,
  getProperty,
  isArray,
  isMap,
  isOutputValue,
  isSecret,
  isUnknown,
  kindOf,
  plainOutputs,
  stripSecrets,
} from '@cairn/values';
import type {
  PropertyArray,
  PropertyMap,
  PropertyPath,
  PropertyValue,
  ResourceReference,
} from '@cairn/values';

/** Place where a given value departs from the promised one. */
export interface Departure {
  /** Path of the property, e.g. `tags.name` or `ports[0]`. */
  readonly path: string;
  /** Promised value without the marks secret and output, or undefined if nothing was promised. */
  readonly promised: PropertyValue | undefined;
  readonly given: PropertyValue | undefined;
  /** True if either value is secret or lies in a secret one: then neither may be shown. */
  readonly secret: boolean;
}

/** Options of a comparison of two maps. */
interface DepartureRule {
  /**
   * Values that the given side may also have, such as the previous ones: the difference from the promise is suppressed.
   */
  readonly instead?: PropertyMap | undefined;
  /** Returns true if a promised unknown may have become this value. */
  unknownMayBe(given: PropertyValue | undefined): boolean;
}

/**
 * Returns every place where `given` departs from `promised`. Both are open: the given side may add values at any depth.
 * A promised null or empty container may be missing. Lists must have the promised length. Marks (secret, output) do not
 * count. Another notation of the same value does not count either: a number or boolean as text, JSON with other spaces,
 * a reference as its id. Keys that start with `__` belong to the provider. O(size of both).
 */
export function departures(
  promised: PropertyMap,
  given: PropertyMap,
  rule: DepartureRule,
): readonly Departure[] {
  const found: Departure[] = [];
  if (promised !== given) inMap([], promised, given, rule.instead, false, { rule, found });
  return found;
}

interface Walk {
  readonly rule: DepartureRule;
  readonly found: Departure[];
}

function inMap(
  path: PropertyPath,
  promised: PropertyMap,
  given: PropertyMap,
  instead: PropertyValue | undefined,
  secret: boolean,
  walk: Walk,
): void {
  const others = instead !== undefined && isMap(instead) ? instead : undefined;
  for (const key of Object.keys(promised)) {
    if (key.startsWith('__')) continue;
    const [left, right] = [promised[key] as PropertyValue, getProperty(given, key)];
    if (left === right) continue;
    const other = others === undefined ? undefined : getProperty(others, key);
    at([...path, key], left, right, other, secret, walk);
  }
}

function at(
  path: PropertyPath,
  promised: PropertyValue,
  given: PropertyValue | undefined,
  instead: PropertyValue | undefined,
  within: boolean,
  walk: Walk,
): void {
  const left = bare(promised);
  const right = given === undefined ? undefined : bare(given);
  const other = instead === undefined ? undefined : bare(instead).value;
  const secret = within || left.secret || right?.secret === true;
  const depart = () =>
    void walk.found.push({ path: formatPath(path), promised: left.value, given: right?.value, secret });
  const is = right?.value;
  if (isUnknown(left.value)) {
    if (!walk.rule.unknownMayBe(is) && !isSame(other, is)) depart();
  } else if (is === undefined || is === null) {
    if (left.value !== null && !isEmptyContainer(left.value)) depart();
  } else if (left.value === null || isSame(other, is)) {
    // Nothing was promised, or everything stays as it was.
  } else if (isArray(left.value) && isArray(is) && left.value.length === is.length) {
    inArray(path, left.value, is, other, secret, walk);
  } else if (isMap(left.value) && isMap(is)) {
    inMap(path, left.value, is, other, secret, walk);
  } else if (!isSameMeaning(left.value, is)) {
    depart();
  }
}

function inArray(
  path: PropertyPath,
  promised: PropertyArray,
  given: PropertyArray,
  instead: PropertyValue | undefined,
  secret: boolean,
  walk: Walk,
): void {
  const others = instead !== undefined && isArray(instead) ? instead : undefined;
  promised.forEach((item, index) => {
    if (item !== given[index]) at([...path, index], item, given[index], others?.[index], secret, walk);
  });
}

/** A value without its outer marks. */
function bare(value: PropertyValue): { readonly value: PropertyValue; readonly secret: boolean } {
  let secret = false;
  let inner = value;
  for (;;) {
    if (isSecret(inner)) {
      secret = true;
      inner = inner.value;
    } else if (isOutputValue(inner)) {
      secret ||= inner.secret;
      inner = inner.value ?? UNKNOWN;
    } else return { value: inner, secret };
  }
}

function isSame(other: PropertyValue | undefined, given: PropertyValue | undefined): boolean {
  if (other === undefined || given === undefined) return false;
  return equal(unmarked(other), unmarked(given));
}

function unmarked(value: PropertyValue): PropertyValue {
  return stripSecrets(plainOutputs(value));
}

function isEmptyContainer(value: PropertyValue): boolean {
  return isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0;
}

function isSameMeaning(a: PropertyValue, b: PropertyValue): boolean {
  if (isPrimitive(a) && isPrimitive(b)) return isSamePrimitive(a, b);
  if (kindOf(a) === 'reference') return isSameTarget(a as ResourceReference, b);
  return equal(unmarked(a), unmarked(b));
}

type Primitive = string | number | boolean;

function isPrimitive(value: PropertyValue): value is Primitive {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isSamePrimitive(a: Primitive, b: Primitive): boolean {
  if (typeof a !== typeof b) return String(a) === String(b) || isSameNumber(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a === b || (Number.isNaN(a) && Number.isNaN(b));
  if (typeof a === 'string' && typeof b === 'string') return a === b || isSameJson(a, b);
  return a === b;
}

/** Compares numbers the way providers with a schema read them: `"080"` is 80. */
function isSameNumber(a: Primitive, b: Primitive): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean' || a === '' || b === '') return false;
  return Number(a) === Number(b);
}

function isSameJson(a: string, b: string): boolean {
  if (!/^\s*[[{]/.test(a) || !/^\s*[[{]/.test(b)) return false;
  try {
    return equal(JSON.parse(a) as PropertyValue, JSON.parse(b) as PropertyValue);
  } catch {
    return false; // text that only looks like JSON
  }
}

/**
 * Compares a reference with an answer. Providers without support for references receive ids, or URNs of resources
 * without one, and answer those.
 */
function isSameTarget(target: ResourceReference, given: PropertyValue): boolean {
  switch (kindOf(given)) {
    case 'reference':
      return (given as ResourceReference).urn === target.urn;
    case 'string':
      return given === target.id || given === target.urn;
    case 'unknown':
      return target.id === '' || (target.id !== undefined && isUnknown(target.id));
    default:
      return false;
  }
}

/** Returns true for a value that is unknown or contains unknowns. Used for promises that keep unknowns open. */
export function staysUnknown(given: PropertyValue | undefined): boolean {
  return given !== undefined && containsUnknown(given);
}
