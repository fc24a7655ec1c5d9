import { UNKNOWN, isUnknown } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { AnyResource } from '../resource/state.js';

/**
 * What an output turned out to be. `value` is unwrapped: no promises and no outputs at its top; parts that preview does
 * not know are the unknown mark of `@cairn/values`.
 */
export interface Resolution {
  readonly value: unknown;
  readonly secret: boolean;
  /** Resources the value was made from. */
  readonly dependencies: ReadonlySet<AnyResource>;
}

const NO_DEPENDENCIES: ReadonlySet<AnyResource> = new Set();

/** A value that depends on nothing and is not secret. */
export function plain(value: unknown): Resolution {
  return { value, secret: false, dependencies: NO_DEPENDENCIES };
}

/** A value that is not known yet, as secret and as dependent as `from`. */
export function unknownLike(from: Resolution): Resolution {
  return { value: UNKNOWN, secret: from.secret, dependencies: from.dependencies };
}

/** Whether every part of the value is known. */
export function isKnown(resolution: Resolution): boolean {
  return !hasUnknown(resolution.value);
}

/** Whether the value as a whole is not known. */
export function isWhollyUnknown(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isUnknown(value as PropertyValue);
}

/** Whether anything in the value is not known. Looks into plain containers only: resources and others are known. */
export function hasUnknown(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasUnknown);
  if (isWhollyUnknown(value)) return true;
  return isPlainObject(value) && Object.values(value).some(hasUnknown);
}

/** Whether the value is an object literal or a map without prototype. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** Every resource of both sets; the same set when one adds nothing. */
export function union(a: ReadonlySet<AnyResource>, b: ReadonlySet<AnyResource>): ReadonlySet<AnyResource> {
  if (a.size === 0 || a === b) return b;
  if (b.size === 0) return a;
  return new Set([...a, ...b]);
}
