import fc from 'fast-check';
import type { FuzzCase, Links, PriorEntry, Script, WantedOperation, WantedResource } from './fuzz-case.js';

const NAMES = 7;

/** Generates true once in `times`. Shrinks to false. */
const seldom = (times: number): fc.Arbitrary<boolean> =>
  fc.integer({ min: 0, max: times - 1 }).map((n) => n === times - 1);
const rarely = <T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> =>
  fc
    .tuple(fc.integer({ min: 0, max: times - 1 }), arbitrary)
    .map(([n, value]) => (n === times - 1 ? value : undefined));
const position = fc.nat(NAMES);

const links: { readonly [K in keyof Links]: fc.Arbitrary<Links[K]> } = {
  deps: fc.array(position, { maxLength: 2 }),
  from: rarely(position, 4),
  bound: rarely(position, 6),
  parent: rarely(position, 4),
  deletedWith: rarely(position, 8),
  replaceWith: rarely(position, 8),
  provider: rarely(position, 3),
};

const pkg = fc.constantFrom('pkgA' as const, 'pkgA' as const, 'pkgB' as const);

/** The usual kind of each name, so that the operations of a case use the same resources. */
const KINDS = ['custom', 'custom', 'custom', 'custom', 'component', 'provider', 'read'] as const;

const wantedResource: fc.Arbitrary<WantedResource> = fc
  .record({
    name: fc.nat(NAMES - 1),
    renamed: seldom(6),
    kind: rarely(fc.constantFrom(...(['custom', 'component', 'provider', 'read'] as const)), 12),
    pkg,
    update: fc.nat(1),
    replace: fc.nat(1),
    deleteFirst: rarely(fc.boolean(), 4),
    protect: seldom(10),
    retain: seldom(12),
    ignoreUpdate: seldom(8),
    promoteUpdate: seldom(8),
    trigger: rarely(fc.nat(1), 8),
    imported: seldom(20),
    ...links,
  })
  .map((each) => ({ ...each, kind: each.kind ?? KINDS[each.name] ?? 'custom' }));

const priorEntry: fc.Arbitrary<PriorEntry> = fc
  .record({
    name: fc.nat(NAMES - 2),
    kind: rarely(fc.constantFrom(...(['custom', 'component', 'provider'] as const)), 12),
    pkg,
    update: fc.nat(1),
    replace: fc.nat(1),
    protect: seldom(8),
    retain: seldom(10),
    stale: rarely(fc.constantFrom('delete' as const, 'pending-replacement' as const), 4),
    taint: seldom(10),
    notReady: seldom(10),
    refreshFirst: seldom(10),
    ...links,
  })
  .map((each) => ({ ...each, kind: each.kind ?? priorKind(each.name) }));

function priorKind(name: number): PriorEntry['kind'] {
  const kind = KINDS[name] ?? 'custom';
  return kind === 'read' ? 'custom' : kind;
}

const script: fc.Arbitrary<Script> = fc.record({
  check: rarely(fc.constant('refuse' as const), 14),
  diff: rarely(fc.constantFrom('change', 'replace', 'replace-first', 'fail'), 6),
  create: rarely(fc.constantFrom('fail', 'partial', 'lost'), 3),
  update: rarely(fc.constantFrom('fail', 'partial', 'lost'), 3),
  delete: rarely(fc.constantFrom('fail', 'lost'), 3),
  read: rarely(fc.constantFrom('fail', 'gone', 'drift', 'partial'), 3),
});

const names = fc.array(fc.nat(NAMES - 1), { minLength: 1, maxLength: 3 });

const scope = fc.oneof(
  fc.record({
    targets: names,
    excludes: fc.constant([]),
    dependents: fc.boolean(),
    replace: fc.constant([]),
  }),
  fc.record({
    targets: fc.constant([]),
    excludes: names,
    dependents: fc.boolean(),
    replace: fc.constant([]),
  }),
  fc.record({
    targets: fc.constant([]),
    excludes: fc.constant([]),
    dependents: fc.constant(false),
    replace: names,
  }),
);

/** Generates programs whose resources have different names, in any order. */
const program: fc.Arbitrary<readonly WantedResource[]> = fc.uniqueArray(wantedResource, {
  maxLength: NAMES,
  size: 'max',
  selector: (each) => each.name,
});

/** Changes that the author of a program makes between two operations. */
interface Edit {
  readonly dropped: readonly number[];
  readonly altered: readonly { readonly at: number; readonly to: Partial<WantedResource> }[];
  readonly added: WantedResource | undefined;
  readonly turned: boolean;
}

/** Generates a change of one option of a resource. */
const alteration: fc.Arbitrary<Partial<WantedResource>> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 2, max: 9 }).map((update) => ({ update })) },
  { weight: 10, arbitrary: fc.integer({ min: 2, max: 9 }).map((replace) => ({ replace })) },
  ...(['deps', 'from', 'bound', 'parent', 'deletedWith', 'replaceWith', 'provider'] as const).map((key) =>
    links[key].map((value) => ({ [key]: value })),
  ),
  fc.boolean().map((renamed) => ({ renamed })),
  fc.option(fc.boolean(), { nil: undefined }).map((deleteFirst) => ({ deleteFirst })),
  fc.boolean().map((retain) => ({ retain })),
  fc.boolean().map((ignoreUpdate) => ({ ignoreUpdate })),
  fc.nat(2).map((trigger) => ({ trigger })),
  fc.constantFrom('custom' as const, 'read' as const, 'component' as const).map((kind) => ({ kind })),
);

const edit: fc.Arbitrary<Edit> = fc.record({
  dropped: fc.array(position, { maxLength: 1 }),
  altered: fc.array(fc.record({ at: position, to: alteration }), { minLength: 1, maxLength: 7, size: 'max' }),
  added: rarely(wantedResource, 3),
  turned: seldom(12),
});

function edited(resources: readonly WantedResource[], { dropped, altered, added, turned }: Edit) {
  const kept = resources
    .map((each, at) => altered.reduce((last, one) => (one.at === at ? changed(last, one.to) : last), each))
    .filter((_, at) => !dropped.includes(at));
  const more = added === undefined || kept.some(({ name }) => name === added.name) ? [] : [added];
  return turned ? [...kept, ...more].reverse() : [...kept, ...more];
}

/** Changes a resource. One from an exported stack keeps its kind: its type has a provider or has none. */
function changed(resource: WantedResource, to: Partial<WantedResource>): WantedResource {
  return resource.as === undefined ? { ...resource, ...to } : { ...resource, ...to, kind: resource.kind };
}

const operation: fc.Arbitrary<Omit<WantedOperation, 'program'> & { readonly edit: Edit }> = fc.record({
  kind: fc.constantFrom(...(['up', 'up', 'up', 'up', 'refresh', 'destroy'] as const)),
  preview: seldom(6),
  runProgram: seldom(3),
  refresh: seldom(5),
  continueOnError: seldom(3),
  ignoreProtect: seldom(8),
  edit,
  scripts: fc.dictionary(
    fc.nat(NAMES - 1).map((name) => `r${name}`),
    script,
    { maxKeys: 3, size: 'max' },
  ),
  scope: rarely(scope, 3),
  vanished: fc.array(fc.nat(8), { maxLength: 1 }),
  cancelAt: rarely(fc.integer({ min: 1, max: 8 }), 16),
});

/** Returns the program that created a prior snapshot. */
function programBehind(prior: readonly PriorEntry[]): readonly WantedResource[] {
  const names = new Set<number>();
  return prior.flatMap((entry): WantedResource[] => {
    if (entry.stale === 'delete' || names.has(entry.name)) return [];
    names.add(entry.name);
    return [{ ...PLAIN, ...entry, trigger: undefined }];
  });
}

const PLAIN = {
  renamed: false,
  deleteFirst: undefined,
  ignoreUpdate: false,
  promoteUpdate: false,
  imported: false,
} as const;

/**
 * Generates cases of one to five operations, each with the previous program as changed by its author. Half of them
 * start from the empty stack, half of the others with the program behind the prior snapshot. With `known`, every case
 * starts from a stack that this program has created.
 */
export function fuzzCases(known?: readonly WantedResource[]): fc.Arbitrary<FuzzCase> {
  const prior = fc.oneof(fc.constant([]), fc.array(priorEntry, { minLength: 1, maxLength: 6, size: 'max' }));
  return fc
    .record({
      prior: known === undefined ? prior : fc.constant([]),
      keeps: fc.boolean(),
      first: program,
      operations: fc.array(operation, { minLength: 1, maxLength: 5, size: 'max' }),
    })
    .map(({ prior: before, keeps, first, operations }) => {
      const continuesFirst = known !== undefined || (keeps && before.length > 0);
      let current = known ?? (continuesFirst ? programBehind(before) : first);
      return {
        prior: before,
        operations: operations.map(({ edit: change, ...rest }, at) => {
          if (at > 0 || continuesFirst) current = edited(current, change);
          return { ...rest, program: current };
        }),
      };
    });
}
