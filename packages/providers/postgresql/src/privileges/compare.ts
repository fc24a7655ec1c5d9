import type { CheckFailure } from '@cairn/provider-sdk';
import type { Held, Kind } from './kinds.js';
import { PRIVILEGES } from './kinds.js';

/** The desired set of privileges. */
interface Wanted {
  readonly privileges: readonly string[];
  readonly grantOption: boolean;
}

/** Returns check failures for privileges that a kind does not have. */
export function unknownPrivileges(kind: Kind, privileges: readonly string[]): readonly CheckFailure[] {
  const there = PRIVILEGES[kind];
  const wrong = privileges.filter((one) => one !== 'ALL' && !there.includes(one));
  if (wrong.length === 0) return [];
  const reason = `has ${wrong.join(', ')}, which is not a privilege on a ${kind}; there are ${there.join(', ')} and ALL`;
  return [{ property: 'privileges', reason }];
}

/** Replaces `ALL` by the privileges that it represents on a kind. */
export function spelledOut(kind: Kind, privileges: readonly string[]): readonly string[] {
  return privileges.includes('ALL') ? PRIVILEGES[kind] : privileges;
}

/**
 * Returns the privileges found on several objects as one set, sorted. Returns `known` if each object has exactly it. If
 * an object lacks a part of it, returns the privileges that all objects have. If some have more, returns those that any
 * of them has. In both cases an update to the desired set is due.
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
    // A grant option is not reported if there is nothing to grant.
    grantOption:
      held.length === 0 ? (known?.grantOption ?? false) : mixed(held) ? !known?.grantOption : grantOption,
  };
}

function mixed(held: readonly Held[]): boolean {
  return held.some(({ grantable }) => grantable) && held.some(({ grantable }) => !grantable);
}
