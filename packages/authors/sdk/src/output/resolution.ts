import { UNKNOWN, isUnknown } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { AnyResource } from '../resource/state.js';

/**
 * The resolved state of an output. `value` is unwrapped: no promises and no outputs at its top. Parts that are unknown
 * in a preview are the unknown mark of `@cairn/values`.
 */
export interface Resolution {
  readonly value: unknown;
  readonly secret: boolean;
  /** Resources from which the value was made. */
  readonly dependencies: ReadonlySet<AnyResource>;
}

const NO_DEPENDENCIES: ReadonlySet<AnyResource> = new Set();

/** Returns a resolution without dependencies that is not secret. */
export function plainResolution(value: unknown): Resolution {
  return { value, secret: false, dependencies: NO_DEPENDENCIES };
}

/** Returns an unknown value, as secret and as dependent as `from`. */
export function unknownLike(from: Resolution): Resolution {
  return { value: UNKNOWN, secret: from.secret, dependencies: from.dependencies };
}

/** Tells whether every part of the value is known. */
export function isKnown(resolution: Resolution): boolean {
  return !hasUnknown(resolution.value);
}

/** Tells whether the value as a whole is unknown. */
export function isWhollyUnknown(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isUnknown(value as PropertyValue);
}

/**
 * Tells whether any part of the value is unknown. Looks into plain containers only: resources and other objects are
 * known.
 */
export function hasUnknown(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasUnknown);
  if (isWhollyUnknown(value)) return true;
  return isPlainObject(value) && Object.values(value).some(hasUnknown);
}

/** Tells whether the value is an object literal or a map without prototype. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** Returns every resource of both sets. Returns the same set if the other adds nothing. */
export function union(a: ReadonlySet<AnyResource>, b: ReadonlySet<AnyResource>): ReadonlySet<AnyResource> {
  if (a.size === 0 || a === b) return b;
  if (b.size === 0) return a;
  return new Set([...a, ...b]);
}
