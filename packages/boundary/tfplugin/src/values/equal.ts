import { equalNumbers, isNumber } from './decimal.js';
import { equalTypes } from './type.js';
import type { TfType } from './type.js';
import { Dynamic, TfUnknown } from './value.js';
import type { Bound, Refinement, TfRecord, TfValue } from './value.js';

/** Comparison of unknown values: with their refinements, or without. */
export interface Comparison {
  readonly refinements: 'compared' | 'ignored';
}

const COMPARED: Comparison = { refinements: 'compared' };

/**
 * Compares two values of a type for equality [TFV-6]. Null equals only null, and unknown only unknown. Numbers
 * compare exactly, sets by their elements in order.
 */
export function equalValues(
  type: TfType,
  a: TfValue,
  b: TfValue,
  comparison: Comparison = COMPARED,
): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (a instanceof TfUnknown || b instanceof TfUnknown) {
    if (!(a instanceof TfUnknown && b instanceof TfUnknown)) return false;
    return comparison.refinements === 'ignored' || equalRefinements(a.refinement, b.refinement);
  }
  if (type === 'dynamic') {
    if (!(a instanceof Dynamic && b instanceof Dynamic)) return false;
    return equalTypes(a.type, b.type) && equalValues(a.type, a.value, b.value, comparison);
  }
  if (typeof type === 'string') return isNumber(a) && isNumber(b) && equalNumbers(a, b);
  return type.kind === 'map' || type.kind === 'object'
    ? equalRecords(type, a as TfRecord, b as TfRecord, comparison)
    : equalArrays(type, a as readonly TfValue[], b as readonly TfValue[], comparison);
}

type Structure = Exclude<TfType, string>;

function equalRecords(type: Structure, a: TfRecord, b: TfRecord, comparison: Comparison): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    const other = b[key];
    if (other === undefined) return false;
    if (!equalValues(typeWithin(type, key), a[key] as TfValue, other, comparison)) return false;
  }
  return true;
}

function equalArrays(
  type: Structure,
  a: readonly TfValue[],
  b: readonly TfValue[],
  comparison: Comparison,
): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    if (!equalValues(typeWithin(type, at), a[at] as TfValue, b[at] as TfValue, comparison)) return false;
  }
  return true;
}

/** Returns the type of the value at a key, attribute or index. `dynamic` if the type has no such place. */
export function typeWithin(type: TfType, step: string | number): TfType {
  if (typeof type === 'string') return 'dynamic';
  if (type.kind === 'object') return type.attributes[step] ?? 'dynamic';
  if (type.kind === 'tuple') return type.elements[step as number] ?? 'dynamic';
  return type.element;
}

function equalRefinements(a: Refinement | undefined, b: Refinement | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.notNull === b.notNull &&
    a.prefix === b.prefix &&
    a.lengthMin === b.lengthMin &&
    a.lengthMax === b.lengthMax &&
    equalBounds(a.min, b.min) &&
    equalBounds(a.max, b.max)
  );
}

function equalBounds(a: Bound | undefined, b: Bound | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.inclusive === b.inclusive && equalNumbers(a.value, b.value);
}

/** Returns true if no part of a value is unknown. */
export function isWhollyKnown(value: TfValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof TfUnknown) return false;
  if (value instanceof Dynamic) return isWhollyKnown(value.value);
  if (isNumber(value)) return true;
  return Object.values(value as TfRecord).every(isWhollyKnown);
}
