import type { Urn } from '@cairn/addresses';
import fc from 'fast-check';
import { ProviderError } from '@cairn/wire';
import { replaceOn } from './mock-providers.js';
import type { Behaviour } from './mock-providers.js';
import { World } from './world.js';
import type { Options, Program, ProgramFunction } from './world.js';

/** One resource of a random program. `deps`, `parent` and links point to earlier resources, by position. */
interface Wanted {
  readonly name: number;
  readonly component: boolean;
  readonly update: number;
  readonly replace: number;
  readonly deleteFirst: boolean | undefined;
  readonly deps: readonly number[];
  readonly parent: number | undefined;
  readonly deletedWith: number | undefined;
  readonly replaceWith: number | undefined;
  readonly fails: boolean;
  readonly renamed: boolean;
}

const link = fc.option(fc.nat(7), { nil: undefined, freq: 4 });
const wanted: fc.Arbitrary<Wanted> = fc.record({
  name: fc.nat(6),
  component: fc.boolean().map((yes) => yes && true),
  update: fc.nat(1),
  replace: fc.nat(1),
  deleteFirst: fc.option(fc.boolean(), { nil: undefined }),
  deps: fc.array(fc.nat(7), { maxLength: 2 }),
  parent: link,
  deletedWith: link,
  replaceWith: link,
  renamed: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  fails: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
const operation = fc.record({
  resources: fc.uniqueArray(wanted, { maxLength: 7, selector: (each) => each.name }),
  kind: fc.constantFrom('up', 'up', 'up', 'refresh', 'preview', 'destroy' as const),
  continueOnError: fc.boolean(),
  refresh: fc.boolean(),
  /** Objects that somebody else deletes before a refresh, by position. */
  lost: fc.array(fc.nat(9), { maxLength: 2 }),
  targets: fc.option(
    fc.record({ names: fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }), dependents: fc.boolean() }),
    {
      nil: undefined,
      freq: 3,
    },
  ),
});
type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never;

/** Objects behind the mock provider: an id lives from its create to its delete. */
class Objects {
  readonly live = new Map<string, string>();
  #next = 0;

  /** `failing`: resource names whose creates, updates and deletes fail without effect. */
  behaviour(failing: ReadonlySet<string>): Behaviour {
    const refuse = () => Promise.reject(new ProviderError('INVALID_ARGUMENT', 'it fails'));
    const fails = (urn: string) => failing.has(urn.split('::').at(-1) ?? '');
    return {
      diff: replaceOn(['replace']),
      create: ({ urn, inputs, preview }) => {
        if (fails(urn)) return refuse();
        if (preview) return Promise.resolve({ id: '', outputs: inputs, refreshBeforeUpdate: false });
        const id = `object-${(this.#next += 1)}`;
        this.live.set(id, urn);
        return Promise.resolve({ id, outputs: inputs, refreshBeforeUpdate: false });
      },
      update: ({ urn, id, news, preview }) => {
        if (fails(urn)) return refuse();
        if (!preview) expect(this.live.has(id)).toBe(true);
        return Promise.resolve({ outputs: news, refreshBeforeUpdate: false });
      },
      read: ({ id, inputs, state }) =>
        Promise.resolve({
          id: this.live.has(id) ? id : '',
          inputs,
          outputs: state,
          refreshBeforeUpdate: false,
        }),
      delete: ({ urn, id }) => {
        if (fails(urn)) return refuse();
        expect(this.live.delete(id)).toBe(true);
        return Promise.resolve();
      },
    };
  }
}

/** Registers every resource as soon as what it refers to is there; renamed ones name their other names as aliases. */
function programOf(resources: readonly Wanted[]): ProgramFunction {
  return async (p) => {
    const done: ReturnType<Program['register']>[] = [];
    for (const each of resources) {
      const refers = [...each.deps, each.parent, each.deletedWith, each.replaceWith];
      const needed = new Map(
        refers.flatMap((index) => {
          const found = index === undefined ? undefined : done[index];
          return index === undefined || found === undefined ? [] : [[index, found] as const];
        }),
      );
      done.push(registerAfter(p, each, needed));
    }
    await Promise.all(done);
  };
}

async function registerAfter(
  p: Program,
  each: Wanted,
  needed: ReadonlyMap<number, ReturnType<Program['register']>>,
): ReturnType<Program['register']> {
  const urns = new Map<number, Urn>();
  for (const [index, answer] of needed) urns.set(index, (await answer).urn);
  const at = (index: number | undefined) => (index === undefined ? undefined : urns.get(index));
  const parent = at(each.parent);
  const name = `r${each.name}${each.renamed ? 'x' : ''}`;
  const type = each.component ? 'my:index:Component' : 'pkgA:m:typA';
  const links: Options = {
    dependencies: [...new Set(each.deps.map(at).filter((urn) => urn !== undefined))],
    parent,
    replaceWith: [at(each.replaceWith)].filter((urn) => urn !== undefined),
    aliases: [p.urn(`r${each.name}${each.renamed ? '' : 'x'}`, type, parent)],
  };
  if (each.component) return p.component(name, links);
  const inputs = { update: each.update, replace: each.replace };
  return p.register(name, inputs, {
    ...links,
    deletedWith: at(each.deletedWith),
    deleteBeforeReplace: each.deleteFirst,
  });
}

async function perform(
  world: World,
  objects: Objects,
  { kind, resources, continueOnError, refresh, targets, lost }: Operation,
) {
  const failing = new Set(
    resources.filter((each) => each.fails).flatMap((each) => [`r${each.name}`, `r${each.name}x`]),
  );
  world.providers.behaviour = objects.behaviour(failing);
  const named = targets?.names.map((name) => `**::r${name}**`) ?? [];
  const options = {
    policy: { continueOnError },
    scope: { refresh, targets: named, targetDependents: targets?.dependents ?? false },
  };
  switch (kind) {
    case 'destroy':
      return world.destroy(options);
    case 'refresh':
      for (const index of lost) objects.live.delete([...objects.live.keys()][index] ?? '');
      return world.refresh({ ...options, scope: {} });
    case 'preview':
      return world.preview(programOf(resources), options);
    default:
      return world.up(programOf(resources), options);
  }
}

/** Objects that nothing in the state knows of. An object deleted with another one may stay alive: the mock cannot tell. */
function orphans(world: World, objects: Objects): readonly string[] {
  const known = new Set(world.snapshot.resources.map((entry) => entry.id));
  return [...objects.live.keys()].filter((id) => !known.has(id));
}

test('random programs: every state replays and is in order, a second up does nothing, destroy leaves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 4 }), operation, async (operations, last) => {
      const world = new World();
      const objects = new Objects();
      const linked = [...operations, last].some((each) =>
        each.resources.some((one) => one.deletedWith !== undefined),
      );
      for (const each of operations) {
        await perform(world, objects, each);
        if (!linked) expect(orphans(world, objects)).toEqual([]);
      }
      const fine: Operation = {
        kind: 'up',
        continueOnError: false,
        refresh: false,
        lost: [],
        targets: undefined,
        resources: last.resources.map((each) => ({ ...each, fails: false })),
      };
      const up = await perform(world, objects, fine);
      expect(up.errors).toEqual([]);
      expect(world.state.some((name) => name.includes('('))).toBe(false);
      const again = await perform(world, objects, fine);
      expect(again.steps.filter((step) => !step.startsWith('same '))).toEqual([]);
      expect(again.store.records.filter((record) => 'entry' in record)).toEqual([]);
      world.providers.behaviour = objects.behaviour(new Set());
      await world.destroy();
      expect(world.state).toEqual([]);
      if (!linked) expect(objects.live.size).toBe(0);
    }),
    { numRuns: 200 },
  );
}, 120_000);
