import { createHash } from 'node:crypto';
import { newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { Autonaming, CheckFailure } from '@cairn/wire';
import type { NamingRules, PropertySpec, ShapeSpec } from './property.js';

/** Context from which names of objects are generated. */
export interface NamingContext {
  /** Name of the resource. */
  readonly name: string;
  /** Checked inputs of the existing object. Undefined if there is none, or if it will be replaced. */
  readonly olds: PropertyMap | undefined;
  /** Seed of the random part, the same in a preview and in the update that follows it. */
  readonly seed: Uint8Array;
  /** The stack's settings, or undefined if there are none. */
  readonly autonaming: Autonaming | undefined;
}

/**
 * Returns the inputs with a name for each property that generates one and has none. The name is that of the existing
 * object, else the one that the settings of the stack define. By default it is the resource's name and a random part,
 * cut so that it fits.
 */
// [REG-15]
export function withNames(
  shape: ShapeSpec,
  given: PropertyMap,
  context: NamingContext,
  failures: CheckFailure[],
): PropertyMap {
  const named = newMap();
  Object.assign(named, given);
  for (const [key, spec] of Object.entries(shape)) {
    if (spec.naming === undefined || (given[key] !== undefined && given[key] !== null)) continue;
    const name = context.olds?.[key] ?? newName(key, spec, spec.naming, context);
    if (name === undefined) {
      delete named[key];
      failures.push({ property: key, reason: 'is required, because autonaming is off' });
    } else named[key] = name;
  }
  return named;
}

function newName(
  key: string,
  { type }: PropertySpec,
  { separator = '-', digits = 7 }: NamingRules,
  { name, seed, autonaming }: NamingContext,
): PropertyValue | undefined {
  if (autonaming?.mode === 'disable') return undefined;
  if (autonaming !== undefined) return autonaming.proposedName;
  const random = createHash('sha256').update(seed).update(key).digest('hex').slice(0, digits);
  const room = (type.kind === 'string' ? type.maxLength : undefined) ?? Infinity;
  return `${name.slice(0, Math.max(0, room - separator.length - digits))}${separator}${random}`;
}
