import { UNKNOWN } from '@cairn/values';
import { gather } from './gather.js';
import { hasUnknown, isWhollyUnknown } from './resolution.js';
import type { Output } from './brand.js';
import type { AnyResource } from '../resource/state.js';

/** What a preview does not know yet, as a value among others: for code that hands inputs on as they are. */
export const unknown: unknown = UNKNOWN;

/** Whether a value, as a whole, is not known yet. */
export function isUnknown(value: unknown): boolean {
  return isWhollyUnknown(value);
}

/** Whether anything in a value is not known yet. Looks into lists and plain objects. */
export function containsUnknowns(value: unknown): boolean {
  return hasUnknown(value);
}

/** The resources that an output's value is made from. */
export async function getAllResources(output: Output<unknown>): Promise<ReadonlySet<AnyResource>> {
  return (await gather(output)).dependencies;
}
