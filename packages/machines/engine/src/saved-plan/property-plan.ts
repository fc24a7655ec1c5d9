import {
  emptyMap,
  equal,
  getProperty,
  isArray,
  isMap,
  isOutputValue,
  isSecret,
  isUnknown,
  newMap,
} from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { shownValue } from '../decide/shown-value.js';
import type { PropertyPlan } from '../model/saved-plan.js';

/** A plan without changes. */
export const noPropertyPlan: PropertyPlan = Object.freeze({ adds: emptyMap, deletes: [], updates: emptyMap });

/** Compares two sets of properties. An unknown is always a change. O(properties). */
export function propertyPlan(olds: PropertyMap, news: PropertyMap): PropertyPlan {
  const adds = newMap();
  const updates = newMap();
  for (const key of Object.keys(news)) {
    const value = news[key] as PropertyValue;
    if (!Object.hasOwn(olds, key)) adds[key] = value;
    else if (!equal(olds[key] as PropertyValue, value)) updates[key] = value;
  }
  const deletes = Object.keys(olds).filter((key) => !Object.hasOwn(news, key));
  return { adds, deletes, updates };
}

/**
 * Describes how changing `olds` to `news` violates the plan, as `properties changed: …` [PLAN-6] [PLAN-7]. Returns
 * `undefined` if it does not. Each entry has two signs, for the planned and the actual change, then the key and the
 * values.
 */
export function propertyViolation(
  plan: PropertyPlan,
  olds: PropertyMap,
  news: PropertyMap,
): string | undefined {
  const actual = propertyPlan(olds, news);
  const keys = new Set([
    ...Object.keys(actual.adds),
    ...Object.keys(actual.updates),
    ...actual.deletes,
    ...Object.keys(plan.adds),
    ...Object.keys(plan.updates),
    ...plan.deletes,
  ]);
  const entries = [...keys].flatMap((key) =>
    violationOf(key, wishFor(plan, key), happens(actual, news, key)),
  );
  return entries.length === 0 ? undefined : `properties changed: ${entries.sort().join(', ')}`;
}

type Sign = '+' | '~' | '-' | '=';

/**
 * Planned or actual change of a property. `value` is undefined if the property is missing afterwards, or if nothing is
 * planned.
 */
interface Fate {
  readonly sign: Sign;
  readonly value: PropertyValue | undefined;
}

function wishFor(plan: PropertyPlan, key: string): Fate {
  const added = getProperty(plan.adds, key);
  if (added !== undefined) return { sign: '+', value: added };
  const updated = getProperty(plan.updates, key);
  if (updated !== undefined) return { sign: '~', value: updated };
  return { sign: plan.deletes.includes(key) ? '-' : '=', value: undefined };
}

function happens(actual: PropertyPlan, news: PropertyMap, key: string): Fate {
  const value = getProperty(news, key);
  if (value === undefined) return { sign: '-', value };
  if (getProperty(actual.adds, key) !== undefined) return { sign: '+', value };
  return { sign: getProperty(actual.updates, key) === undefined ? '=' : '~', value };
}

function violationOf(key: string, wish: Fate, fate: Fate): readonly string[] {
  if (isAllowed(wish, fate)) return [];
  return [`${wish.sign}${fate.sign}${key}${values(wish.value, fate.value)}`];
}

function isAllowed(wish: Fate, fate: Fate): boolean {
  switch (wish.sign) {
    case '=':
      return fate.sign === '=';
    case '-':
      return fate.sign === '-';
    case '+':
    case '~': {
      const { value } = wish;
      if (value === undefined) return false;
      if (fate.value === undefined) return isWhollyUnknown(value);
      // Another process may have added the property meanwhile, but not removed it.
      if (wish.sign === '~' && fate.sign === '+') return false;
      return meets(value, fate.value);
    }
  }
}

function values(wanted: PropertyValue | undefined, got: PropertyValue | undefined): string {
  if (wanted !== undefined && got !== undefined) return `[${shownValue(wanted)}!=${shownValue(got)}]`;
  const only = wanted ?? got;
  return only === undefined ? '' : `[${shownValue(only)}]`;
}

/**
 * Tells whether a value matches the planned one. Unknowns in the plan match anything. An unknown in a map may be
 * missing afterwards; in a list it keeps its place.
 */
export function meets(planned: PropertyValue, value: PropertyValue): boolean {
  if (isWhollyUnknown(planned)) return true;
  if (isOutputValue(planned)) return planned.value !== undefined && meets(planned.value, value);
  if (isSecret(planned)) return isSecret(value) && meets(planned.value, value.value);
  if (isArray(planned)) {
    return (
      isArray(value) &&
      value.length === planned.length &&
      planned.every((item, index) => meets(item, value[index] as PropertyValue))
    );
  }
  if (isMap(planned)) return isMap(value) && mapMeets(planned, value);
  return equal(planned, value);
}

function mapMeets(planned: PropertyMap, map: PropertyMap): boolean {
  if (Object.keys(map).some((key) => !Object.hasOwn(planned, key))) return false;
  return Object.keys(planned).every((key) => {
    const wanted = planned[key] as PropertyValue;
    const value = getProperty(map, key);
    return value === undefined ? isWhollyUnknown(wanted) : meets(wanted, value);
  });
}

/** Tells whether no part of the value is known, secret or not. */
function isWhollyUnknown(value: PropertyValue): boolean {
  if (isSecret(value)) return isWhollyUnknown(value.value);
  return isUnknown(value) || (isOutputValue(value) && value.value === undefined);
}
