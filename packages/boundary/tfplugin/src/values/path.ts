import { numberText, isNumber } from './decimal.js';
import { sameElement } from './order.js';
import { Dynamic, isRecord, TfUnknown } from './value.js';
import type { TfRecord, TfValue } from './value.js';

/** Step into a value: an attribute or key, the index in a list or tuple, or an element of a set. */
export type PathStep = string | number | { readonly key: TfValue };

/** Path in a value; the root is empty. */
export type TfPath = readonly PathStep[];

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** Formats a path: `.a[0].b`, `["a key"]`; an element of a set is `[{…}]`. The root is empty. */
export function pathText(path: TfPath): string {
  return path.map(stepText).join('');
}

function stepText(step: PathStep): string {
  if (typeof step === 'number') return `[${step}]`;
  if (typeof step === 'string') return NAME.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  const { key } = step;
  if (typeof key === 'string') return `[${JSON.stringify(key)}]`;
  if (isNumber(key)) return `[${numberText(key)}]`;
  return typeof key === 'boolean' ? `[${key}]` : '[{…}]';
}

/** Compares two paths for equality. */
function equalPaths(a: TfPath, b: TfPath): boolean {
  return a.length === b.length && a.every((step, index) => equalSteps(step, b[index] as PathStep));
}

/** Returns true if `path` is `base`, or leads to a part of it. */
export function startsWith(path: TfPath, base: TfPath): boolean {
  return path.length >= base.length && equalPaths(path.slice(0, base.length), base);
}

function equalSteps(a: PathStep, b: PathStep): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return sameElement(a.key, b.key);
}

/**
 * Returns the value at a path. An unknown or null on the way is the result. Undefined if the value has no such place.
 */
export function atPath(value: TfValue, path: TfPath): TfValue | undefined {
  let at: TfValue | undefined = value;
  for (const step of path) {
    if (at instanceof Dynamic) at = at.value;
    if (at === null || at instanceof TfUnknown || at === undefined) return at;
    at = child(at, step);
  }
  return at instanceof Dynamic ? at.value : at;
}

function child(value: TfValue, step: PathStep): TfValue | undefined {
  if (typeof step === 'string') return isRecord(value) ? (value as TfRecord)[step] : undefined;
  if (!Array.isArray(value)) return undefined;
  const elements = value as readonly TfValue[];
  if (typeof step === 'number') return elements[step];
  return elements.find((each) => sameElement(each, step.key));
}
