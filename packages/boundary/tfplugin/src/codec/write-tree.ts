import { isNumber } from '../values/decimal.js';
import { keysInOrder } from '../values/order.js';
import { typeJson } from '../values/type.js';
import type { ObjectType, TfType } from '../values/type.js';
import { Dynamic, isRecord, TfUnknown } from '../values/value.js';
import type { TfRecord, TfValue } from '../values/value.js';
import { numberTree } from './number-tree.js';
import { PLAIN_UNKNOWN, refinementTree } from './refinement.js';
import { TfValueError } from './value-error.js';

/**
 * Converts a value for the msgpack library. It returns the value itself where the library writes it correctly, so that
 * little is copied.
 */
export function encodedTree(type: TfType, value: TfValue): unknown {
  if (value === null) return null;
  if (value instanceof TfUnknown) {
    return value.refinement === undefined ? PLAIN_UNKNOWN : refinementTree(type, value.refinement);
  }
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : wrong();
    case 'bool':
      return typeof value === 'boolean' ? value : wrong();
    case 'number':
      return isNumber(value) ? numberTree(value) : wrong();
    case 'dynamic':
      if (!(value instanceof Dynamic)) return wrong();
      return [Buffer.from(typeJson(value.type)), encodedTree(value.type, value.value)];
    default:
      break;
  }
  if (type.kind === 'object') return isRecord(value) ? objectTree(type, value) : wrong();
  if (type.kind === 'map') return isRecord(value) ? mapTree(type.element, value) : wrong();
  if (!Array.isArray(value)) return wrong();
  const elements = value as readonly TfValue[];
  if (type.kind === 'tuple' && type.elements.length !== elements.length) return wrong();
  let copy: unknown[] | undefined;
  for (let at = 0; at < elements.length; at++) {
    const element = type.kind === 'tuple' ? (type.elements[at] as TfType) : type.element;
    const tree = encodedTree(element, elements[at] as TfValue);
    if (tree !== elements[at]) (copy ??= [...elements])[at] = tree;
  }
  return copy ?? elements;
}

function objectTree(type: ObjectType, value: TfRecord): unknown {
  let copy: Record<string, unknown> | undefined;
  let count = 0;
  for (const name in type.attributes) {
    const each = value[name];
    if (each === undefined) return wrong();
    count += 1;
    const tree = encodedTree(type.attributes[name] as TfType, each);
    if (tree !== each) (copy ??= copied(value))[name] = tree;
  }
  let given = 0;
  for (const _ in value) given += 1;
  return given === count ? inOrder(copy ?? value) : wrong();
}

function mapTree(element: TfType, value: TfRecord): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key in value) {
    const tree = encodedTree(element, value[key] as TfValue);
    if (tree !== value[key]) (copy ??= copied(value))[key] = tree;
  }
  return inOrder(copy ?? value);
}

function copied(value: TfRecord): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, value);
}

/**
 * Returns the same record, enumerated in the order of the bytes of its keys. Records enumerate keys like `10` first.
 */
function inOrder(value: Readonly<Record<string, unknown>>): unknown {
  let last = '';
  for (const key in value) {
    if (key < last || INDEX.test(key)) return reordered(value);
    last = key;
  }
  return value;
}

const INDEX = /^\d/;

function reordered(value: Readonly<Record<string, unknown>>): unknown {
  const keys = keysInOrder(value);
  if (keys.every((key, at) => key === Object.keys(value)[at])) return value;
  return new Proxy({ ...value }, { ownKeys: () => [...keys] });
}

function wrong(): never {
  throw new TfValueError('the value is not of its type');
}
