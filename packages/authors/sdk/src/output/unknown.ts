import { UNKNOWN } from '@cairn/values';
import { gather } from './gather.js';
import { hasUnknown, isWhollyUnknown } from './resolution.js';
import type { Output } from './brand.js';
import type { AnyResource } from '../resource/state.js';

/** The mark of a value that is unknown in a preview: for code that passes inputs on unchanged. */
export const unknown: unknown = UNKNOWN;

/** Tells whether a value as a whole is unknown. */
export function isUnknown(value: unknown): boolean {
  return isWhollyUnknown(value);
}

/** Tells whether any part of a value is unknown. Looks into lists and plain objects. */
export function containsUnknowns(value: unknown): boolean {
  return hasUnknown(value);
}

/** Returns the resources from which an output's value is made. */
export async function getAllResources(output: Output<unknown>): Promise<ReadonlySet<AnyResource>> {
  return (await gather(output)).dependencies;
}
