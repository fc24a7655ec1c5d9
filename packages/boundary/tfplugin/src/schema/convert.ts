import { TfValueError } from '../codec/value-error.js';
import { isNumber, numberText, parseNumber } from '../values/decimal.js';
import { keysInOrder, makeSet } from '../values/order.js';
import type { PathStep, TfPath } from '../values/path.js';
import { equalTypes, listOf, mapOf, objectOf, setOf, tupleOf, typeDescription } from '../values/type.js';
import type { TfType } from '../values/type.js';
import { Dynamic, isRecord, record, TfUnknown } from '../values/value.js';
import type { TfRecord, TfValue } from '../values/value.js';
import { kindName } from '../values/conform.js';

/**
 * Converts a value of a configuration, whose form determines its type, to a type [TFV-12]. Primitive values are
 * converted if nothing is lost. Arrays become lists, sets and tuples; records become maps and objects. Throws {@link
 * TfValueError} with the path.
 */
export function convert(type: TfType, value: TfValue, path: TfPath = []): TfValue {
  if (value === null || value instanceof TfUnknown) return value;
  if (type === 'dynamic') return dynamicOf(value);
  if (value instanceof Dynamic) return convert(type, value.value, path);
  if (typeof type === 'string') return primitive(type, value) ?? refuse(type, value, path);
  if (type.kind === 'map' || type.kind === 'object') {
    if (!isRecord(value)) return refuse(type, value, path);
    const keys = keysInOrder(type.kind === 'object' ? type.attributes : value);
    return record(keys.map((key) => [key, part(type, value, key, path)]));
  }
  if (!Array.isArray(value)) return refuse(type, value, path);
  const elements = value as readonly TfValue[];
  if (type.kind === 'tuple') {
    if (elements.length !== type.elements.length) {
      throw new TfValueError(`${type.elements.length} elements required, not ${elements.length}`, path);
    }
    return Object.freeze(
      elements.map((each, at) => convert(type.elements[at] as TfType, each, [...path, at])),
    );
  }
  const step = (each: TfValue, at: number): PathStep => (type.kind === 'set' ? { key: each } : at);
  const converted = elements.map((each, at) => convert(type.element, each, [...path, step(each, at)]));
  return type.kind === 'set' ? makeSet(type.element, converted) : Object.freeze(converted);
}

function part(type: TfType, value: TfRecord, key: string, path: TfPath): TfValue {
  if (typeof type === 'string' || type.kind !== 'object') {
    return convert((type as { element: TfType }).element, value[key] as TfValue, [...path, key]);
  }
  const given = value[key];
  if (given === undefined) throw new TfValueError(`attribute "${key}" is required`, path);
  return convert(type.attributes[key] as TfType, given, [...path, key]);
}

const BOOLS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

function primitive(type: 'string' | 'number' | 'bool', value: TfValue): TfValue | undefined {
  if (type === 'string') {
    if (typeof value === 'string') return value.normalize('NFC');
    if (typeof value === 'boolean') return String(value);
    return isNumber(value) ? numberText(value) : undefined;
  }
  if (type === 'number')
    return isNumber(value) ? value : typeof value === 'string' ? parseNumber(value) : undefined;
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' && Object.hasOwn(BOOLS, value) ? BOOLS[value] : undefined;
}

function refuse(type: TfType, value: TfValue, path: TfPath): never {
  throw new TfValueError(`${typeDescription(type)} required, not ${kindName(value)}`, path);
}

/** Returns a value with the type of its form: arrays are tuples, records are objects. Null and unknown have none. */
export function dynamicOf(value: TfValue): TfValue {
  if (value === null || value instanceof TfUnknown || value instanceof Dynamic) return value;
  const { type, value: concrete } = formOf(value);
  return new Dynamic(type, concrete);
}

interface Formed {
  readonly type: TfType;
  readonly value: TfValue;
}

function formOf(value: TfValue): Formed {
  if (value === null || value instanceof TfUnknown) return { type: 'dynamic', value };
  if (value instanceof Dynamic) return value;
  if (typeof value === 'string') return { type: 'string', value: value.normalize('NFC') };
  if (typeof value === 'boolean') return { type: 'bool', value };
  if (isNumber(value)) return { type: 'number', value };
  if (Array.isArray(value)) return tupleForm((value as readonly TfValue[]).map(formOf));
  const keys = keysInOrder(value as TfRecord);
  return objectForm(keys.map((key) => [key, formOf((value as TfRecord)[key] as TfValue)]));
}

function tupleForm(elements: readonly Formed[]): Formed {
  const value = Object.freeze(elements.map((each) => each.value));
  return { type: tupleOf(elements.map((each) => each.type)), value };
}

function objectForm(entries: readonly (readonly [string, Formed])[]): Formed {
  const types = Object.create(null) as Record<string, TfType>;
  for (const [key, { type }] of entries) types[key] = type;
  return { type: objectOf(types), value: record(entries.map(([key, each]) => [key, each.value])) };
}

/** Returns a value with its type, in which the types that the values bring replace `dynamic`, if they agree. */
export function concreteOf(type: TfType, value: TfValue): Formed {
  if (type === 'dynamic') return value instanceof Dynamic ? value : { type, value };
  if (typeof type === 'string' || value === null || value instanceof TfUnknown) return { type, value };
  if (type.kind === 'object') {
    const entries = Object.keys(type.attributes).map((name) => {
      const within = (value as TfRecord)[name] as TfValue;
      return [name, concreteOf(type.attributes[name] as TfType, within)] as const;
    });
    return objectForm(entries);
  }
  if (type.kind === 'tuple') {
    return tupleForm(
      (value as readonly TfValue[]).map((each, at) => concreteOf(type.elements[at] as TfType, each)),
    );
  }
  return concreteCollection(type, value);
}

function concreteCollection(type: Exclude<TfType, string>, value: TfValue): Formed {
  if (type.kind === 'object' || type.kind === 'tuple') return { type, value };
  const keys = Object.keys(value as TfRecord);
  const elements = keys.map((key) => concreteOf(type.element, (value as TfRecord)[key] as TfValue));
  const [first] = elements;
  if (first === undefined || !elements.every((each) => equalTypes(each.type, first.type)))
    return { type, value };
  if (type.kind === 'map') {
    return {
      type: mapOf(first.type),
      value: record(keys.map((key, at) => [key, (elements[at] as Formed).value])),
    };
  }
  const values = elements.map((each) => each.value);
  return type.kind === 'set'
    ? { type: setOf(first.type), value: makeSet(first.type, values) }
    : { type: listOf(first.type), value: Object.freeze(values) };
}
