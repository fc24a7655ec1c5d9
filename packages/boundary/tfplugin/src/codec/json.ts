import { parse } from 'lossless-json';
import { conform } from '../values/conform.js';
import { isNumber, numberText, parseNumber } from '../values/decimal.js';
import type { TfNumber } from '../values/decimal.js';
import { keysInOrder } from '../values/order.js';
import { typeFromJson, typeJson } from '../values/type.js';
import type { TfType } from '../values/type.js';
import { Dynamic, TfUnknown } from '../values/value.js';
import type { TfRecord, TfValue } from '../values/value.js';
import { TreeReader } from './read-tree.js';
import type { TreeForm } from './read-tree.js';
import { TfValueError } from './value-error.js';

/** Converts a value to JSON [TFV-8]. Throws {@link TfValueError} if it is unknown, infinite or not of the type. */
export function toJson(type: TfType, value: TfValue): string {
  const [first] = conform(type, value);
  if (first !== undefined) throw new TfValueError(first.message, first.path);
  return text(type, value);
}

function text(type: TfType, value: TfValue): string {
  if (value === null) return 'null';
  if (value instanceof TfUnknown) throw new TfValueError('an unknown value has no JSON');
  if (value instanceof Dynamic)
    return `{"value":${text(value.type, value.value)},"type":${typeJson(value.type)}}`;
  if (isNumber(value)) return jsonNumber(value);
  if (typeof value !== 'object' || typeof type === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) {
    const elements = value as readonly TfValue[];
    const typeAt = (at: number) => (type.kind === 'tuple' ? (type.elements[at] as TfType) : elementOf(type));
    return `[${elements.map((each, at) => text(typeAt(at), each)).join(',')}]`;
  }
  const record = value as TfRecord;
  const typeOf = (key: string) =>
    type.kind === 'object' ? (type.attributes[key] as TfType) : elementOf(type);
  const entries = keysInOrder(record).map(
    (key) => `${JSON.stringify(key)}:${text(typeOf(key), record[key] as TfValue)}`,
  );
  return `{${entries.join(',')}}`;
}

function elementOf(type: TfType): TfType {
  return typeof type !== 'string' && 'element' in type ? type.element : 'dynamic';
}

function jsonNumber(value: TfNumber): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TfValueError('infinity has no JSON');
  return numberText(value);
}

const BOOLS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

const form: TreeForm = {
  special: (tree) => (tree === null ? null : undefined),
  primitive(tree, type) {
    if (type === 'string') {
      if (typeof tree === 'string') return tree.normalize('NFC');
      if (typeof tree === 'boolean') return String(tree);
      return isNumber(tree) ? numberText(tree) : undefined;
    }
    if (type === 'bool') {
      if (typeof tree === 'boolean') return tree;
      return typeof tree === 'string' && Object.hasOwn(BOOLS, tree) ? BOOLS[tree] : undefined;
    }
    if (isNumber(tree)) return tree;
    return typeof tree === 'string' ? parseNumber(tree) : undefined;
  },
  dynamic(tree, read) {
    if (typeof tree !== 'object' || tree === null || !('type' in tree) || !('value' in tree))
      return undefined;
    const type = typeFromJson(tree.type);
    return type === 'dynamic' ? read(type, tree.value) : new Dynamic(type, read(type, tree.value));
  },
  key: (key) => key,
  stored: (key) => key,
  missing: null,
  emptyObjects: false,
};

/** Parses a value from JSON, with all digits of its numbers [TFV-8]. Throws {@link TfValueError}. */
export function fromJson(type: TfType, json: string): TfValue {
  let tree: unknown;
  try {
    tree = parse(json, null, { parseNumber: exact, onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    throw new TfValueError(`the value is not JSON: ${(error as Error).message}`);
  }
  return new TreeReader(form).read(type, tree);
}

function exact(digits: string): TfNumber {
  const number = parseNumber(digits);
  if (number === undefined) throw new TfValueError('a number has too many digits');
  return number;
}
