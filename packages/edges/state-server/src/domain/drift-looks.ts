import type { UpdateRecord } from './update-record.js';

/** Kinds of steps of a refresh that found everything as it was. */
const UNCHANGED: ReadonlySet<string> = new Set(['same', 'refresh', 'read']);

/** Returns the number of resources that a refresh has found to differ, from its counts of steps. */
export function driftedBy({ resourceChanges = {} }: Pick<UpdateRecord, 'resourceChanges'>): number {
  return Object.entries(resourceChanges)
    .filter(([kind]) => !UNCHANGED.has(kind))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Returns true for a preview of a refresh that ended well: a look for drift. */
export function isLook({ kind, ending }: Pick<UpdateRecord, 'kind' | 'ending'>): boolean {
  return kind === 'refresh' && ending?.status === 'succeeded';
}
