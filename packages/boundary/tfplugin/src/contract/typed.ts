import {
  equal,
  equalTypes,
  isNumber,
  makeSet,
  record,
  tupleOf,
  objectOf,
  typeWithin,
} from '../values/index.js';
import { Dynamic, Unknown, unknown } from '../values/index.js';
import type { Comparison, TfRecord, TfType, TfValue } from '../values/index.js';

/** A value with the concrete type that it has; a {@link Dynamic} is opened. */
export interface Typed {
  readonly type: TfType;
  readonly value: TfValue;
}

/** A value read at a place of a type; the value of a dynamic place comes with the type that it brings. */
export function typed(type: TfType, value: TfValue): Typed {
  return type === 'dynamic' && value instanceof Dynamic ? typed(value.type, value.value) : { type, value };
}

/** Null of a type. */
export const nullOf = (type: TfType): Typed => ({ type, value: null });

export const isNull = ({ value }: Typed): boolean => value === null;
export const isUnknown = ({ value }: Typed): boolean => value instanceof Unknown;
/** Whether a value is there and can be looked into. */
export const isThere = (value: Typed): boolean => !isNull(value) && !isUnknown(value);

/**
 * An attribute or block of an object, of type `declared` unless the object brings another: null where the object is
 * null, unknown where it is unknown.
 */
export function attributeOf(of: Typed, name: string, declared: TfType): Typed {
  if (isNull(of)) return nullOf(declared);
  if (isUnknown(of)) return { type: declared, value: unknown };
  const own = typeof of.type === 'object' && of.type.kind === 'object' ? of.type.attributes[name] : undefined;
  return typed(own ?? declared, (of.value as TfRecord)[name] ?? null);
}

/** The elements of a list, tuple or set; none where it is null or unknown. */
export function itemsOf(of: Typed): readonly Typed[] {
  if (!Array.isArray(of.value)) return [];
  return (of.value as readonly TfValue[]).map((each, at) => typed(typeWithin(of.type, at), each));
}

/** The entries of a map or object, in order; none where it is null or unknown. */
export function entriesOf(of: Typed): ReadonlyMap<string, Typed> {
  if (!isThere(of) || typeof of.value !== 'object' || Array.isArray(of.value)) return new Map();
  return new Map(
    Object.entries(of.value as TfRecord).map(([key, each]) => [key, typed(typeWithin(of.type, key), each)]),
  );
}

/** Whether the type of a value is a map; an object otherwise. */
export const isMap = ({ type }: Typed): boolean => typeof type === 'object' && type.kind === 'map';
/** Whether the type of a value is a set. */
export const isSet = ({ type }: Typed): boolean => typeof type === 'object' && type.kind === 'set';

/** Whether two values have the same type and are the same. */
export function same(a: Typed, b: Typed, refinements: Comparison['refinements'] = 'ignored'): boolean {
  return equalTypes(a.type, b.type) && equal(a.type, a.value, b.value, { refinements });
}

/** An object of these parts, each with its own type. */
export function objectFrom(parts: ReadonlyMap<string, Typed>): Typed {
  const names = [...parts.keys()].sort((a, b) => (a < b ? -1 : 1));
  const part = (name: string) => parts.get(name) as Typed;
  return {
    type: objectOf(Object.fromEntries(names.map((name) => [name, part(name).type]))),
    value: record(names.map((name) => [name, part(name).value] as const)),
  };
}

/** A list of these elements; a tuple where the place is dynamic. */
export function listFrom(declared: TfType, items: readonly Typed[]): Typed {
  if (typeof declared === 'object' && declared.kind === 'list') {
    return { type: declared, value: Object.freeze(items.map((each) => seal(declared.element, each))) };
  }
  return {
    type: tupleOf(items.map(({ type }) => type)),
    value: Object.freeze(items.map(({ value }) => value)),
  };
}

/** A map of these entries; an object where the place is dynamic. */
export function mapFrom(declared: TfType, entries: ReadonlyMap<string, Typed>): Typed {
  if (typeof declared !== 'object' || declared.kind !== 'map') return objectFrom(entries);
  const { element } = declared;
  const keys = [...entries.keys()].sort((a, b) => (a < b ? -1 : 1));
  return {
    type: declared,
    value: record(keys.map((key) => [key, seal(element, entries.get(key) as Typed)] as const)),
  };
}

/** A set of these elements. */
export function setFrom(declared: TfType, items: readonly Typed[]): Typed {
  const element = typeWithin(declared, 0);
  return {
    type: declared,
    value: makeSet(
      element,
      items.map((each) => seal(element, each)),
    ),
  };
}

/** A value as it is written at a place of a type: with the type that it brings where the place is dynamic. */
export function seal(declared: TfType, of: Typed): TfValue {
  if (declared === of.type) return of.value;
  if (declared === 'dynamic') return new Dynamic(of.type, of.value);
  if (!isThere(of) || typeof declared === 'string' || isNumber(of.value)) return of.value;
  if (equalTypes(declared, of.type)) return of.value;
  if (declared.kind === 'object') {
    return record(
      Object.keys(declared.attributes).map((name) => {
        const type = declared.attributes[name] as TfType;
        return [name, seal(type, attributeOf(of, name, type))] as const;
      }),
    );
  }
  if (declared.kind === 'map') return mapFrom(declared, entriesOf(of)).value;
  if (declared.kind === 'set') return setFrom(declared, itemsOf(of)).value;
  if (declared.kind === 'list') return listFrom(declared, itemsOf(of)).value;
  return Object.freeze(itemsOf(of).map((each, at) => seal(typeWithin(declared, at), each)));
}
