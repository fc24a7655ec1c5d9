import {
  containsSecret,
  containsUnknown,
  isArray,
  isMap,
  secret,
  stripSecrets,
  UNKNOWN,
} from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { pclError } from '../pcl-error.js';
import type { Position } from '../syntax/ast.js';
import { kind } from './operators.js';

/** The value as compact JSON, keys in order; secret if anything in it is, unknown likewise. */
export function toJson(value: PropertyValue, at: Position): PropertyValue {
  const text = containsUnknown(value) ? UNKNOWN : JSON.stringify(jsonOf(stripSecrets(value), at));
  return containsSecret(value) ? secret(text) : text;
}

function jsonOf(value: PropertyValue, at: Position): unknown {
  if (isArray(value)) return value.map((item) => jsonOf(item, at));
  if (isMap(value)) {
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map((key) => [key, jsonOf(value[key] ?? null, at)]));
  }
  if (value === null || typeof value !== 'object') return value;
  throw pclError(`toJSON cannot write ${kind(value)}`, at);
}
