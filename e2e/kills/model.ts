import type { Random } from '../support/random.js';

/**
 * Kinds of objects that the providers of a run make. `file` and `directory` are on disk; the effects of all others are
 * in a log. `command` has no way to look at what it did; `seen` and `blind` are plugin processes on @pulumi/pulumi with
 * and without `read`; `dynamic` is a dynamic provider; `terraform`, which can look too, belongs to a Terraform
 * provider.
 */
export const KINDS = ['file', 'directory', 'command', 'seen', 'blind', 'dynamic', 'terraform'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * One resource that a program declares. Another `version` is another object (it is replaced), another `value` the same
 * one (it is updated).
 */
export interface Wanted {
  readonly kind: Kind;
  readonly name: string;
  readonly version: number;
  readonly value: number;
  readonly dependsOn: readonly string[];
  readonly deleteFirst: boolean;
}

/** Resources that a program declares, dependencies first. */
export type Want = readonly Wanted[];

/** Returns the name of a resource's object, the same in the log, on disk and in expectations: `a-1`. */
export const objectOf = ({ name, version }: Pick<Wanted, 'name' | 'version'>): string => `${name}-${version}`;

const NAMES = [...'abcdefghijklmnopqrstuvwxyz'];

/** A first program: some resources, each depending on up to two earlier ones. */
export function firstWant(random: Random, kinds: readonly Kind[]): Want {
  return NAMES.slice(0, 3 + random.below(4)).reduce<Want>(
    (want, name) => [...want, newcomer(random, kinds, name, want)],
    [],
  );
}

/**
 * The program after an edit: resources are updated, replaced, removed and added. Never the same, never empty. `used`:
 * names that are not given to new resources, because an object of theirs may still be there.
 */
export function edited(random: Random, kinds: readonly Kind[], want: Want, used: ReadonlySet<string>): Want {
  let next: Want = want;
  const edits = 1 + random.below(3);
  for (let count = 0; count < edits; count += 1) next = oneEdit(random, kinds, next, used);
  return JSON.stringify(next) === JSON.stringify(want) ? edited(random, kinds, want, used) : next;
}

function oneEdit(random: Random, kinds: readonly Kind[], want: Want, used: ReadonlySet<string>): Want {
  const chosen = random.pick(want);
  switch (random.below(5)) {
    case 0: {
      const name = NAMES.find((free) => !used.has(free) && !want.some((one) => one.name === free));
      return name === undefined ? want : [...want, newcomer(random, kinds, name, want)];
    }
    case 1:
      return want.length < 2
        ? want
        : want
            .filter((one) => one !== chosen)
            .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((name) => name !== chosen.name) }));
    case 2:
    case 3:
      return changed(want, chosen, { version: chosen.version + 1 });
    default:
      return chosen.kind === 'directory' ? want : changed(want, chosen, { value: chosen.value + 1 });
  }
}

function changed(want: Want, chosen: Wanted, by: Partial<Wanted>): Want {
  return want.map((one) => (one === chosen ? { ...one, ...by } : one));
}

function newcomer(random: Random, kinds: readonly Kind[], name: string, before: Want): Wanted {
  const kind = random.pick(kinds);
  const dependsOn = before.filter(() => random.below(3) === 0).map((one) => one.name);
  return {
    ...{ kind, name, version: 1, value: 1, dependsOn: dependsOn.slice(-2) },
    deleteFirst: random.below(4) === 0,
  };
}
