import type { Random } from '../support/random.js';
import { objectOf } from './model.js';
import type { Kind, Want, Wanted } from './model.js';

/** Change of an object behind Cairn's back: another value, or a delete. */
export interface Drift {
  readonly kind: Kind;
  readonly object: string;
  /** Its value until then. */
  readonly was: number;
  readonly value: number | undefined;
}

/** Kinds whose providers look at existing objects. */
const LOOKED_AT: ReadonlySet<Kind> = new Set<Kind>(['file', 'directory', 'seen', 'terraform']);
/** Added to a value by drift, which keeps it apart from the values of programs. */
const FOREIGN = 50;

/** Some objects of a world that are altered or deleted; none when no provider would see it. */
export function randomDrift(random: Random, world: Want): readonly Drift[] {
  return world
    .filter(({ kind }) => LOOKED_AT.has(kind) && random.below(2) === 0)
    .map((one) => {
      const goes = one.kind === 'directory' || random.below(2) === 0;
      const value = goes ? undefined : FOREIGN + one.value;
      return { kind: one.kind, object: objectOf(one), was: one.value, value };
    });
}

/** The world after it. */
export function drifted(world: Want, drift: readonly Drift[]): Want {
  const by = new Map(drift.map((one) => [one.object, one]));
  return world.flatMap((one): readonly Wanted[] => {
    const change = by.get(objectOf(one));
    if (change === undefined) return [one];
    return change.value === undefined ? [] : [{ ...one, value: change.value }];
  });
}
