import {
  equalValues,
  equalTypes,
  isNumber,
  makeSet,
  record,
  tupleOf,
  objectOf,
  typeWithin,
} from '../values/index.js';
import { Dynamic, TfUnknown, UNKNOWN_VALUE } from '../values/index.js';
import type { Comparison, TfRecord, TfType, TfValue } from '../values/index.js';

/** Value with its concrete type; a {@link Dynamic} is opened. */
export interface Typed {
  readonly type: TfType;
  readonly value: TfValue;
}

/** Returns a value at a place of a type with its concrete type. The value of a dynamic place brings its own type. */
export function typed(type: TfType, value: TfValue): Typed {
  return type === 'dynamic' && value instanceof Dynamic ? typed(value.type, value.value) : { type, value };
}

/** Returns null of a type. */
export const nullOf = (type: TfType): Typed => ({ type, value: null });

export const isNull = ({ value }: Typed): boolean => value === null;
export const isTypedUnknown = ({ value }: Typed): boolean => value instanceof TfUnknown;
/** Returns true if a value is neither null nor unknown, so that its parts can be read. */
export const isPresent = (value: Typed): boolean => !isNull(value) && !isTypedUnknown(value);

/**
 * Returns an attribute or block of an object, of type `declared` unless the object brings another. It is null if the
 * object is null, and unknown if it is unknown.
 */
export function attributeOf(of: Typed, name: string, declared: TfType): Typed {
  if (isNull(of)) return nullOf(declared);
  if (isTypedUnknown(of)) return { type: declared, value: UNKNOWN_VALUE };
  const own = typeof of.type === 'object' && of.type.kind === 'object' ? of.type.attributes[name] : undefined;
  return typed(own ?? declared, (of.value as TfRecord)[name] ?? null);
}

/** Returns the elements of a list, tuple or set; none if it is null or unknown. */
export function itemsOf(of: Typed): readonly Typed[] {
  if (!Array.isArray(of.value)) return [];
  return (of.value as readonly TfValue[]).map((each, at) => typed(typeWithin(of.type, at), each));
}

/** Returns the entries of a map or object, in order; none if it is null or unknown. */
export function typedEntries(of: Typed): ReadonlyMap<string, Typed> {
  if (!isPresent(of) || typeof of.value !== 'object' || Array.isArray(of.value)) return new Map();
  return new Map(
    Object.entries(of.value as TfRecord).map(([key, each]) => [key, typed(typeWithin(of.type, key), each)]),
  );
}

/** Distinguishes a map from an object by the type of a value. */
export const isTypedMap = ({ type }: Typed): boolean => typeof type === 'object' && type.kind === 'map';
export const isSet = ({ type }: Typed): boolean => typeof type === 'object' && type.kind === 'set';

/** Compares two values for equality, including their types. */
export function sameTyped(a: Typed, b: Typed, refinements: Comparison['refinements'] = 'ignored'): boolean {
  return equalTypes(a.type, b.type) && equalValues(a.type, a.value, b.value, { refinements });
}

/** Builds an object from parts, each with its own type. */
export function objectFrom(parts: ReadonlyMap<string, Typed>): Typed {
  const names = [...parts.keys()].sort((a, b) => (a < b ? -1 : 1));
  const part = (name: string) => parts.get(name) as Typed;
  return {
    type: objectOf(Object.fromEntries(names.map((name) => [name, part(name).type]))),
    value: record(names.map((name) => [name, part(name).value] as const)),
  };
}

/** Builds a list from elements; a tuple if the place is dynamic. */
export function listFrom(declared: TfType, items: readonly Typed[]): Typed {
  if (typeof declared === 'object' && declared.kind === 'list') {
    return { type: declared, value: Object.freeze(items.map((each) => asDeclared(declared.element, each))) };
  }
  return {
    type: tupleOf(items.map(({ type }) => type)),
    value: Object.freeze(items.map(({ value }) => value)),
  };
}

/** Builds a map from entries; an object if the place is dynamic. */
export function mapFrom(declared: TfType, entries: ReadonlyMap<string, Typed>): Typed {
  if (typeof declared !== 'object' || declared.kind !== 'map') return objectFrom(entries);
  const { element } = declared;
  const keys = [...entries.keys()].sort((a, b) => (a < b ? -1 : 1));
  return {
    type: declared,
    value: record(keys.map((key) => [key, asDeclared(element, entries.get(key) as Typed)] as const)),
  };
}

/** Builds a set from elements. */
export function setFrom(declared: TfType, items: readonly Typed[]): Typed {
  const element = typeWithin(declared, 0);
  return {
    type: declared,
    value: makeSet(
      element,
      items.map((each) => asDeclared(element, each)),
    ),
  };
}

/** Converts a value to the form of a place of a type. If the place is dynamic, it includes the concrete type. */
export function asDeclared(declared: TfType, of: Typed): TfValue {
  if (declared === of.type) return of.value;
  if (declared === 'dynamic') return new Dynamic(of.type, of.value);
  if (!isPresent(of) || typeof declared === 'string' || isNumber(of.value)) return of.value;
  if (equalTypes(declared, of.type)) return of.value;
  if (declared.kind === 'object') {
    return record(
      Object.keys(declared.attributes).map((name) => {
        const type = declared.attributes[name] as TfType;
        return [name, asDeclared(type, attributeOf(of, name, type))] as const;
      }),
    );
  }
  if (declared.kind === 'map') return mapFrom(declared, typedEntries(of)).value;
  if (declared.kind === 'set') return setFrom(declared, itemsOf(of)).value;
  if (declared.kind === 'list') return listFrom(declared, itemsOf(of)).value;
  return Object.freeze(itemsOf(of).map((each, at) => asDeclared(typeWithin(declared, at), each)));
}
