import type { CheckFailure } from '@cairn/provider-sdk';
import type { Held, Kind } from './kinds.js';
import { PRIVILEGES } from './kinds.js';

/** What a set of privileges is meant to be. */
interface Wanted {
  readonly privileges: readonly string[];
  readonly grantOption: boolean;
}

/** Failures of a check for privileges that there are not on a kind. */
export function unknownPrivileges(kind: Kind, privileges: readonly string[]): readonly CheckFailure[] {
  const there = PRIVILEGES[kind];
  const wrong = privileges.filter((one) => one !== 'ALL' && !there.includes(one));
  if (wrong.length === 0) return [];
  const reason = `has ${wrong.join(', ')}, which is no privilege on a ${kind}; there are ${there.join(', ')} and ALL`;
  return [{ property: 'privileges', reason }];
}

/** `ALL` as the privileges that it stands for on a kind. */
export function spelledOut(kind: Kind, privileges: readonly string[]): readonly string[] {
  return privileges.includes('ALL') ? PRIVILEGES[kind] : privileges;
}

/**
 * What was found on several objects, as one set: `known` where each object has exactly it. Else, when an object lacks
 * something of it, what all objects have; when some have more, what any of them has. An update to what is wanted is
 * then due either way. Sorted.
 */
export function found(kind: Kind, known: Wanted | undefined, objects: readonly (readonly Held[])[]): Wanted {
  const sets = objects.map((held) => new Set(held.map(({ privilege }) => privilege)));
  const any = [...new Set(sets.flatMap((set) => [...set]))].sort();
  const all = any.filter((privilege) => sets.every((set) => set.has(privilege)));
  const wanted = known === undefined ? undefined : [...spelledOut(kind, known.privileges)].sort();
  const lacks = wanted?.some((privilege) => !all.includes(privilege)) ?? true;
  const privileges = lacks ? all : any;
  const same = wanted !== undefined && wanted.length === privileges.length && !lacks;
  const held = objects.flat().filter(({ privilege }) => privileges.includes(privilege));
  const grantOption = held.length > 0 && held.every(({ grantable }) => grantable);
  return {
    privileges: same ? (known?.privileges ?? privileges) : privileges,
    // Nothing is said about giving on where there is nothing to give.
    grantOption:
      held.length === 0 ? (known?.grantOption ?? false) : mixed(held) ? !known?.grantOption : grantOption,
  };
}

function mixed(held: readonly Held[]): boolean {
  return held.some(({ grantable }) => grantable) && held.some(({ grantable }) => !grantable);
}
