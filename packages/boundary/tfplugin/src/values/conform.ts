import { isNumber } from './decimal.js';
import { makeSet } from './order.js';
import type { TfPath } from './path.js';
import { typeDescription } from './type.js';
import type { ObjectType, TfType } from './type.js';
import { Dynamic, isRecord, TfUnknown } from './value.js';
import type { TfRecord, TfValue } from './value.js';

/** Place where a value is not of its type. */
interface Mismatch {
  readonly path: TfPath;
  readonly message: string;
}

/** Finds the places where a value is not of a type; empty if it is. Null and unknown are of every type. */
export function conform(type: TfType, value: TfValue, path: TfPath = []): readonly Mismatch[] {
  if (value === null || value instanceof TfUnknown) return [];
  if (type === 'dynamic') {
    return value instanceof Dynamic ? conform(value.type, value.value, path) : [mismatch(type, value, path)];
  }
  if (typeof type === 'string') return isPrimitive(type, value) ? [] : [mismatch(type, value, path)];
  if (type.kind === 'map' || type.kind === 'object') {
    if (!isRecord(value)) return [mismatch(type, value, path)];
    if (type.kind === 'object') return attributes(type, value, path);
    return Object.keys(value).flatMap((key) => conform(type.element, value[key] as TfValue, [...path, key]));
  }
  if (!Array.isArray(value)) return [mismatch(type, value, path)];
  const elements = value as readonly TfValue[];
  if (type.kind === 'tuple') {
    if (elements.length !== type.elements.length) {
      return [{ path, message: `${type.elements.length} elements required, not ${elements.length}` }];
    }
    return elements.flatMap((each, at) => conform(type.elements[at] as TfType, each, [...path, at]));
  }
  const found = elements.flatMap((each, at) =>
    conform(type.element, each, [...path, type.kind === 'set' ? { key: each } : at]),
  );
  if (found.length > 0 || type.kind === 'list') return found;
  return makeSet(type.element, elements).length === elements.length
    ? []
    : [{ path, message: 'an element of the set appears twice' }];
}

function attributes(type: ObjectType, value: TfRecord, path: TfPath): readonly Mismatch[] {
  const missing = Object.keys(type.attributes)
    .filter((name) => !(name in value))
    .map((name) => ({ path, message: `attribute "${name}" is missing` }));
  const extra = Object.keys(value)
    .filter((name) => !(name in type.attributes))
    .map((name) => ({ path, message: `attribute "${name}" is not in the type` }));
  const inside = Object.keys(type.attributes)
    .filter((name) => name in value)
    .flatMap((name) => conform(type.attributes[name] as TfType, value[name] as TfValue, [...path, name]));
  return [...missing, ...extra, ...inside];
}

function isPrimitive(type: 'string' | 'number' | 'bool', value: TfValue): boolean {
  if (type === 'number') return isNumber(value);
  return typeof value === (type === 'bool' ? 'boolean' : type);
}

function mismatch(type: TfType, value: TfValue, path: TfPath): Mismatch {
  return { path, message: `${typeDescription(type)} required, not ${kindName(value)}` };
}

/** Describes a value in words of types. */
export function kindName(value: TfValue): string {
  if (value === null) return 'null';
  if (value instanceof TfUnknown) return 'unknown';
  if (value instanceof Dynamic) return typeDescription(value.type);
  if (isNumber(value)) return 'number';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'list' : 'object';
}
