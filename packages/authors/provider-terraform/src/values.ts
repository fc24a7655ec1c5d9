import { UNKNOWN, isArray, isMap, isUnknown, kindOf, newMap, secret } from '@cairn/values';
import type {
  ByteString,
  OutputValue,
  PropertyMap,
  PropertyValue,
  ResourceReference,
  Secret,
} from '@cairn/values';
import {
  Dynamic,
  TfUnknown,
  byBytes,
  fromProgram,
  isNumber,
  isRecord,
  makeSet,
  numberText,
  objectOf,
  record,
  tupleOf,
  UNKNOWN_VALUE,
} from '@cairn/tfplugin';
import type { TfNumber, TfRecord, TfType, TfValue } from '@cairn/tfplugin';
import type { ShapeSpec, TypeSpec } from '@cairn/provider-sdk/protocols';
import type { Field, Fields } from './fields.js';
import { isFree, plainType } from './fields.js';
import { nestedNames } from './names.js';

/** Thrown for a value that Terraform's types cannot express. */
class UnsupportedValue extends Error {
  override readonly name = 'UnsupportedValue';
}

/**
 * Returns the object of some fields. A value that the map does not have is null, or empty if it is declared as blocks.
 */
export function toTfObject(fields: Fields, map: PropertyMap): TfRecord {
  return record([...fields].map(([name, field]) => [name, toTf(field, map[field.property])]));
}

/** Converts a property to a value of its field. Throws {@link UnsupportedValue}. */
export function toTf(field: Field, given: PropertyValue | undefined): TfValue {
  const { nested, property, spec } = field;
  if (nested === undefined) return plainToTf(spec.type, given, property);
  const value = bare(given, property);
  if (value === undefined || value === null) return absentOf(field);
  if (isUnknown(value)) return UNKNOWN_VALUE;
  const objectOfItem = (item: PropertyValue): TfValue => {
    const inner = bare(item, property) ?? null;
    if (inner === null) return null;
    if (isUnknown(inner)) return UNKNOWN_VALUE;
    return isMap(inner) ? toTfObject(nested.fields, inner) : mismatch(property, 'an object', inner);
  };
  if (nested.mode === 'single') return objectOfItem(value);
  if (nested.mode === 'map') {
    return isMap(value) ? recordOf(value, objectOfItem) : mismatch(property, 'a map', value);
  }
  if (!isArray(value)) return mismatch(property, 'a list', value);
  const items = value.map(objectOfItem);
  return nested.mode === 'set' ? makeSet(elementOf(field.type), items) : Object.freeze(items);
}

/** Returns the value of a field that is not set. */
export function absentOf({ nested }: Field): TfValue {
  if (nested?.block !== true || nested.mode === 'single') return null;
  return nested.mode === 'map' ? record([]) : Object.freeze([]);
}

function plainToTf(type: TypeSpec, given: PropertyValue | undefined, path: string): TfValue {
  const value = bare(given, path);
  if (value === undefined || value === null) return null;
  if (isUnknown(value)) return UNKNOWN_VALUE;
  if (isFree(type)) return freeToTf(value, path);
  switch (type.kind) {
    case 'string':
    case 'resource':
      return typeof value === 'string' ? value.normalize('NFC') : mismatch(path, 'a string', value);
    case 'boolean':
      return typeof value === 'boolean' ? value : mismatch(path, 'a boolean', value);
    case 'integer':
    case 'number':
      return typeof value === 'number' ? numberToTf(value, path) : mismatch(path, 'a number', value);
    case 'array': {
      if (!isArray(value)) return mismatch(path, 'a list', value);
      const items = value.map((item, at) => plainToTf(type.items.type, item, `${path}[${at}]`));
      return type.unordered === true ? makeSet(plainType(type.items.type), items) : Object.freeze(items);
    }
    case 'map':
      if (!isMap(value)) return mismatch(path, 'a map', value);
      return recordOf(value, (item, key) => plainToTf(type.values.type, item, `${path}.${key}`));
    case 'object': {
      if (!isMap(value)) return mismatch(path, 'an object', value);
      const { properties } = nestedNames(type.properties);
      const entries = [...properties].map(([name, property]): readonly [string, TfValue] => {
        const spec = type.properties[property];
        return [
          name,
          spec === undefined ? null : plainToTf(spec.type, value[property], `${path}.${property}`),
        ];
      });
      return record(entries.sort(byName));
    }
    case 'any':
    case 'asset':
    case 'archive':
      return freeToTf(value, path);
  }
}

/** Converts a value with a type of its own. */
function freeToTf(value: PropertyValue, path: string): TfValue {
  const { type, value: made } = typed(value, path);
  return made === null || made instanceof TfUnknown ? made : new Dynamic(type, made);
}

function typed(given: PropertyValue, path: string): { readonly type: TfType; readonly value: TfValue } {
  const value = bare(given, path) ?? null;
  if (value === null) return { type: 'dynamic', value: null };
  if (isUnknown(value)) return { type: 'dynamic', value: UNKNOWN_VALUE };
  if (typeof value === 'string') return { type: 'string', value: value.normalize('NFC') };
  if (typeof value === 'boolean') return { type: 'bool', value };
  if (typeof value === 'number') return { type: 'number', value: numberToTf(value, path) };
  if (isArray(value)) {
    const items = value.map((item, at) => typed(item, `${path}[${at}]`));
    return {
      type: tupleOf(items.map((item) => item.type)),
      value: Object.freeze(items.map((item) => item.value)),
    };
  }
  if (!isMap(value)) return mismatch(path, 'a value', value);
  const members = Object.keys(value).map(
    (key) => [key.normalize('NFC'), typed(value[key] as PropertyValue, `${path}.${key}`)] as const,
  );
  const type = objectOf(Object.fromEntries(members.map(([key, member]) => [key, member.type])));
  const made = new Map(members.map(([key, member]) => [key, member.value]));
  return { type, value: record(Object.keys(type.attributes).map((key) => [key, made.get(key) ?? null])) };
}

/** Returns the properties of an object. Null ones are omitted. Secret marks are those of the schema. */
export function fromTfObject(fields: Fields, object: TfRecord): PropertyMap {
  const map = newMap();
  for (const [name, field] of fields) {
    const value = fromTf(field, object[name] ?? null);
    if (value !== undefined) map[field.property] = value;
  }
  return map;
}

/** Converts a value of a field to a property. Null is omitted. */
export function fromTf(field: Field, value: TfValue): PropertyValue | undefined {
  const found = unmarked(field, value);
  return found !== undefined && field.spec.secret ? secret(found) : found;
}

function unmarked({ nested, spec, flags }: Field, value: TfValue): PropertyValue | undefined {
  if (value === null) return undefined;
  if (value instanceof TfUnknown) return UNKNOWN;
  if (nested === undefined) return plainFromTf(spec.type, value);
  const inner = value instanceof Dynamic ? value.value : value;
  const ofItem = (item: TfValue): PropertyValue => {
    if (item instanceof TfUnknown) return UNKNOWN;
    return item === null ? null : fromTfObject(nested.fields, item as TfRecord);
  };
  if (nested.mode === 'single') return ofItem(inner);
  if (nested.mode === 'map') {
    const keys = Object.keys(inner as TfRecord);
    if (nested.block && keys.length === 0 && !flags.required) return undefined;
    return mapOfRecord(inner as TfRecord, ofItem);
  }
  const items = inner as readonly TfValue[];
  if (nested.block && items.length === 0 && !flags.required) return undefined;
  return items.map(ofItem);
}

function plainFromTf(type: TypeSpec, value: TfValue): PropertyValue {
  if (value === null) return null;
  if (value instanceof TfUnknown) return UNKNOWN;
  if (value instanceof Dynamic) return freeFromTf(value);
  if (type.kind === 'array') {
    return (value as readonly TfValue[]).map((item) => plainFromTf(type.items.type, item));
  }
  if (type.kind === 'map')
    return mapOfRecord(value as TfRecord, (item) => plainFromTf(type.values.type, item));
  if (type.kind === 'object') return objectFromTf(type.properties, value as TfRecord);
  return freeFromTf(value);
}

function objectFromTf(shape: ShapeSpec, value: TfRecord): PropertyMap {
  const map = newMap();
  for (const [name, property] of nestedNames(shape).properties) {
    const [spec, item] = [shape[property], value[name] ?? null];
    if (item !== null && spec !== undefined) map[property] = plainFromTf(spec.type, item);
  }
  return map;
}

function freeFromTf(value: TfValue): PropertyValue {
  if (value instanceof Dynamic) return freeFromTf(value.value);
  if (value instanceof TfUnknown) return UNKNOWN;
  if (isNumber(value)) return numberFromTf(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (isRecord(value)) return mapOfRecord(value, freeFromTf);
  return (value as readonly TfValue[]).map(freeFromTf);
}

/** Converts a number of a program to the decimal that is printed for it. */
// [TFV-3]
function numberToTf(value: number, path: string): TfNumber {
  if (Number.isNaN(value)) throw new UnsupportedValue(`${path} is not a number`);
  return fromProgram(value);
}

function numberFromTf(value: TfNumber): number {
  return typeof value === 'number' ? value : Number(numberText(value));
}

function bare(given: PropertyValue | undefined, path: string): PropertyValue | undefined {
  if (given === undefined || given === null || typeof given !== 'object') return given;
  switch (kindOf(given)) {
    case 'secret':
      return bare((given as Secret).value, path);
    case 'output':
      return bare((given as OutputValue).value ?? UNKNOWN, path);
    case 'reference': {
      const { id, urn } = given as ResourceReference;
      return id === undefined ? urn : bare(id, path);
    }
    case 'bytes':
      return Buffer.from((given as ByteString).bytes).toString('base64');
    case 'asset':
    case 'archive':
      throw new UnsupportedValue(`${path} is a file, which Terraform has no type for`);
    default:
      return given;
  }
}

function mismatch(path: string, expected: string, value: PropertyValue): never {
  throw new UnsupportedValue(`${path} is of the kind ${kindOf(value)}, and must be ${expected}`);
}

function elementOf(type: TfType): TfType {
  return typeof type === 'object' && type.kind === 'set' ? type.element : 'dynamic';
}

function recordOf(map: PropertyMap, convert: (item: PropertyValue, key: string) => TfValue): TfRecord {
  const entries = Object.keys(map).map(
    (key) => [key.normalize('NFC'), convert(map[key] as PropertyValue, key)] as const,
  );
  return record(entries.sort(byName));
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => byBytes(a, b);

function mapOfRecord(value: TfRecord, convert: (item: TfValue) => PropertyValue): PropertyMap {
  const map = newMap();
  for (const key of Object.keys(value)) map[key] = convert(value[key] as TfValue);
  return map;
}
