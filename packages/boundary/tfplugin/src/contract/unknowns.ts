import type { Block } from '../schema/index.js';
import { impliedType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { Dynamic, isNumber, isRecord, makeSet, record, typeWithin, TfUnknown } from '../values/index.js';
import type { TfRecord, TfType } from '../values/index.js';

/** Returns the paths of unknowns in a value. */
export function unknownPaths(block: Block, value: TfValue): readonly TfPath[] {
  return [...within(impliedType(block), value, [])];
}

function* within(type: TfType, value: TfValue, path: TfPath): Generator<TfPath> {
  if (value instanceof TfUnknown) yield path;
  else if (value instanceof Dynamic) yield* within(value.type, value.value, path);
  else if (typeof value !== 'object' || value === null || isNumber(value)) return;
  else if (isRecord(value)) {
    const keyed = typeof type === 'object' && type.kind === 'map';
    for (const [key, each] of Object.entries(value)) {
      yield* within(typeWithin(type, key), each, [...path, keyed ? { key } : key]);
    }
  } else {
    const set = typeof type === 'object' && type.kind === 'set';
    for (const [at, each] of (value as readonly TfValue[]).entries()) {
      yield* within(typeWithin(type, at), each, [...path, set ? { key: each } : at]);
    }
  }
}

/** Returns a value with null in place of everything unknown. */
export function unknownsAsNull(type: TfType, value: TfValue): TfValue {
  if (value instanceof TfUnknown) return null;
  if (value instanceof Dynamic) return new Dynamic(value.type, unknownsAsNull(value.type, value.value));
  if (typeof value !== 'object' || value === null || isNumber(value)) return value;
  if (isRecord(value)) {
    const entries = Object.entries(value as TfRecord);
    return record(entries.map(([key, each]) => [key, unknownsAsNull(typeWithin(type, key), each)] as const));
  }
  const elements = (value as readonly TfValue[]).map((each, at) =>
    unknownsAsNull(typeWithin(type, at), each),
  );
  return typeof type === 'object' && type.kind === 'set'
    ? makeSet(type.element, elements)
    : Object.freeze(elements);
}
