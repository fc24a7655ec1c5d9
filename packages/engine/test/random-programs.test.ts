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
  fails: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
const operation = fc.record({
  resources: fc.uniqueArray(wanted, { maxLength: 7, selector: (each) => each.name }),
  kind: fc.constantFrom('up', 'up', 'up', 'refresh', 'preview', 'destroy' as const),
  continueOnError: fc.boolean(),
  refresh: fc.boolean(),
  targets: fc.option(fc.record({ names: fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }), dependents: fc.boolean() }), {
    nil: undefined,
    freq: 3,
  }),
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
        Promise.resolve({ id: this.live.has(id) ? id : '', inputs, outputs: state, refreshBeforeUpdate: false }),
      delete: ({ urn, id }) => {
        if (fails(urn)) return refuse();
        expect(this.live.delete(id)).toBe(true);
        return Promise.resolve();
      },
    };
  }
}

function programOf(resources: readonly Wanted[]): ProgramFunction {
  return async (p) => {
    const done: Awaited<ReturnType<Program['register']>>[] = [];
    const at = (index: number | undefined) => (index === undefined ? undefined : done[index]?.urn);
    for (const each of resources) {
      const dependencies = [...new Set(each.deps.map(at).filter((urn) => urn !== undefined))];
      const links: Options = {
        dependencies,
        parent: at(each.parent),
        replaceWith: [at(each.replaceWith)].filter((urn) => urn !== undefined),
      };
      const name = `r${each.name}`;
      const inputs = { update: each.update, replace: each.replace };
      const answer = each.component
        ? await p.component(name, links)
        : await p.register(name, inputs, { ...links, deletedWith: at(each.deletedWith), deleteBeforeReplace: each.deleteFirst });
      done.push(answer);
    }
  };
}

async function perform(world: World, objects: Objects, { kind, resources, continueOnError, refresh, targets }: Operation) {
  const failing = new Set(resources.filter((each) => each.fails).map((each) => `r${each.name}`));
  world.providers.behaviour = objects.behaviour(failing);
  const named = targets?.names.map((name) => `**::r${name}`) ?? [];
  const options = {
    policy: { continueOnError },
    scope: { refresh, targets: named, targetDependents: targets?.dependents ?? false },
  };
  switch (kind) {
    case 'destroy':
      return world.destroy(options);
    case 'refresh':
      return world.refresh(options);
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
      const linked = [...operations, last].some((each) => each.resources.some((one) => one.deletedWith !== undefined));
      for (const each of operations) {
        await perform(world, objects, each);
        if (!linked) expect(orphans(world, objects)).toEqual([]);
      }
      const fine: Operation = {
        kind: 'up',
        continueOnError: false,
        refresh: false,
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
    { numRuns: 300 },
  );
}, 120_000);
