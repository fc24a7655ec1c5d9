import type { Block } from '../schema/index.js';
import { impliedType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { nullWhere } from './null-where.js';
import type { Typed } from './typed.js';
import {
  typedEntries,
  isTypedMap,
  isNull,
  isSet,
  isPresent,
  itemsOf,
  listFrom,
  mapFrom,
  nullOf,
  objectFrom,
  asDeclared,
  typed,
} from './typed.js';

/** Changes to ignore: those at some paths, or all. */
export type Ignored = 'all' | readonly TfPath[];

/** Returns a configuration with the old values where changes are ignored [TFC-13]. */
export function ignoreAttributes(block: Block, prior: TfValue, config: TfValue, ignored: Ignored): TfValue {
  if (prior === null || config === null) return config;
  const type = impliedType(block);
  const before = typed(type, prior);
  if (ignored === 'all')
    return asDeclared(
      type,
      nullWhere(block, before, ({ computed, optional }) => computed && !optional),
    );
  let after = typed(type, config);
  for (const path of ignored) after = { type, value: asDeclared(type, put(after, before, path)) };
  return after.value;
}

/** Returns `to` with the part of `from` at a path. */
function put(to: Typed, from: Typed, [step, ...rest]: TfPath): Typed {
  if (step === undefined) return from;
  const key = typeof step === 'object' ? step.key : step;
  if (isSet(to) || isSet(from)) return to;
  if (typeof key === 'number') return putItem(to, from, key, rest);
  return typeof key === 'string' ? putEntry(to, from, key, rest) : to;
}

function putItem(to: Typed, from: Typed, at: number, rest: TfPath): Typed {
  const items = itemsOf(to);
  const [old, now] = [itemsOf(from)[at], items[at]];
  if (old === undefined || now === undefined) return to;
  return listFrom(to.type, items.with(at, put(now, old, rest)));
}

function putEntry(to: Typed, from: Typed, key: string, rest: TfPath): Typed {
  const entries = new Map(typedEntries(to));
  const old = typedEntries(from).get(key);
  const now = entries.get(key);
  if (isTypedMap(to)) {
    if (!isPresent(to) && !(isNull(to) && old !== undefined)) return to;
    if (rest.length > 0) {
      if (old === undefined || now === undefined) return to;
      return mapFrom(to.type, entries.set(key, put(now, old, rest)));
    }
    if (old === undefined) entries.delete(key);
    else entries.set(key, old);
    return mapFrom(to.type, entries);
  }
  if (!isPresent(to) || now === undefined) return to;
  // An attribute without a prior value is not configured.
  return objectFrom(entries.set(key, old === undefined ? nullOf(now.type) : put(now, old, rest)));
}
