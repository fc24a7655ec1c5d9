import { createHash } from 'node:crypto';
import {
  Archive,
  Asset,
  isArray,
  isMap,
  propertyMap,
  secret,
  containsSecret,
  containsUnknown,
  stripSecrets,
  UNKNOWN,
} from '@cairn/values';
import type { PropertyArray, PropertyMap, PropertyValue } from '@cairn/values';
import { pclError } from '../pcl-error.js';
import type { Position } from '../syntax/ast.js';
import { bare } from './lift.js';
import { kind, number, text } from './operators.js';

/** A function of plain arguments. Its caller handles secrets and unknowns. */
type PclFunction = (args: readonly PropertyValue[], at: Position) => PropertyValue;

/** Functions that need nothing from outside, by name. */
export const FUNCTIONS: Readonly<Record<string, PclFunction>> = {
  element: ([list = null, index = null], at) => {
    const items = listOf(list, at);
    if (items.length === 0) throw pclError('element: the list is empty', at);
    return items.at(Math.trunc(number(index, at)) % items.length) ?? null;
  },
  entries: ([of = null], at) =>
    isArray(of)
      ? of.map((value, key) => propertyMap({ key, value }))
      : sortedEntries(mapOf(of, at)).map(([key, value]) => propertyMap({ key, value })),
  fileArchive: ([path = null], at) => new Archive({ path: text(path, at) }),
  fileAsset: ([path = null], at) => new Asset({ path: text(path, at) }),
  assetArchive: ([assets = null], at) => new Archive({ assets: mapOf(assets, at) as never }),
  fromBase64: ([value = null], at) => Buffer.from(text(value, at), 'base64').toString('utf8'),
  join: ([separator = null, list = null], at) =>
    listOf(list, at)
      .map((item) => text(bare(item), at))
      .join(text(separator, at)),
  length: ([of = null], at) => {
    if (typeof of === 'string' || isArray(of)) return of.length;
    return Object.keys(mapOf(of, at)).length;
  },
  lookup: ([map = null, key = null, otherwise = null], at) => mapOf(map, at)[text(key, at)] ?? otherwise,
  max: (args, at) => Math.max(...args.map((each) => number(each, at))),
  min: (args, at) => Math.min(...args.map((each) => number(each, at))),
  range: (args, at) => rangeOf(args, at),
  remoteArchive: ([uri = null], at) => new Archive({ uri: text(uri, at) }),
  remoteAsset: ([uri = null], at) => new Asset({ uri: text(uri, at) }),
  secret: ([value = null]) => secret(value),
  sha1: ([value = null], at) => createHash('sha1').update(text(value, at)).digest('hex'),
  singleOrNone: ([list = null], at) => {
    const items = listOf(list, at);
    if (items.length > 1) throw pclError('singleOrNone: there is more than one', at);
    return items[0] ?? null;
  },
  split: ([separator = null, value = null], at) => text(value, at).split(text(separator, at)),
  stringAsset: ([value = null], at) => new Asset({ text: text(value, at) }),
  toBase64: ([value = null], at) => Buffer.from(text(value, at), 'utf8').toString('base64'),
  toJSON: ([value = null], at) => toJson(value, at),
};

/** Returns the members of an object in the order of their keys. */
export function sortedEntries(map: PropertyMap): readonly (readonly [string, PropertyValue])[] {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Limit of the numbers that `range` makes. */
const LONGEST_RANGE = 100_000;

/**
 * Computes `range(to)`, `range(from, to)` or `range(from, to, step)`. Without a step, counts downwards if `to` is below
 * `from`.
 */
function rangeOf(args: readonly PropertyValue[], at: Position): PropertyArray {
  if (args.length < 1 || args.length > 3) throw pclError('range takes one to three numbers', at);
  const numbers = args.map((each) => number(each, at));
  const [from = 0, to = 0] = numbers.length === 1 ? [0, ...numbers] : numbers;
  const step = numbers[2] ?? (to < from ? -1 : 1);
  if (step === 0 || step * (to - from) < 0) throw pclError('range: the step never reaches the end', at);
  const length = Math.ceil((to - from) / step);
  if (length > LONGEST_RANGE) throw pclError(`range: more than ${LONGEST_RANGE} numbers`, at);
  return Array.from({ length }, (_, index) => from + index * step);
}

function listOf(value: PropertyValue, at: Position): PropertyArray {
  if (isArray(value)) return value;
  throw pclError(`a list was expected, not ${kind(value)}`, at);
}

function mapOf(value: PropertyValue, at: Position): PropertyMap {
  if (isMap(value)) return value;
  throw pclError(`an object was expected, not ${kind(value)}`, at);
}

/**
 * Returns the value as compact JSON with sorted keys. The text is secret if anything in the value is; likewise for
 * unknown.
 */
function toJson(value: PropertyValue, at: Position): PropertyValue {
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
