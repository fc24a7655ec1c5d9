import { urnName } from '@cairn/addresses';
import { UNKNOWN, propertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import { reasonText } from '@cairn/engine';
import type { Reason } from '@cairn/engine';
import { MockStack, diffAnswer, replaceOn } from '@cairn/testkit';
import type {
  BareProgram,
  BareProgramFunction,
  Inputs,
  Options,
  RequestOptions,
  StackBehaviour,
  StackRun,
} from '@cairn/testkit';

/** Returns the reason of each step of a run, as `kind name: reason`, without providers. */
function whys({ events }: StackRun): readonly string[] {
  return events.flatMap((event) => {
    if (event.t !== 'step-ended' || event.step.type.startsWith('pulumi:')) return [];
    const { kind, urn, reason } = event.step;
    return [`${kind} ${urnName(urn)}: ${reasonText(reason)}`];
  });
}

const one =
  (inputs: Inputs, options: Options = {}): BareProgramFunction =>
  async (p) => {
    await p.register('a', inputs, options);
  };

/** Registers `b`, whose property `in` comes from `a`. */
const pair =
  (a: Inputs, b: Inputs = { in: 1 }, options: Options = {}): BareProgramFunction =>
  async (p) => {
    const { urn } = await p.register('a', a);
    await p.register('b', b, { dependencies: [urn], propertyDependencies: { in: [urn] }, ...options });
  };

const together =
  (link: (urn: Awaited<ReturnType<BareProgram['register']>>['urn']) => Options): BareProgramFunction =>
  async (p) => {
    const { urn } = await p.register('a', { x: p.urn('a').length });
    await p.register('b', {}, link(urn));
  };

const nothing: BareProgramFunction = () => Promise.resolve();

const replaceX: StackBehaviour = { diff: replaceOn(['x']) };
const deleteFirst: StackBehaviour = { diff: replaceOn(['x', 'in'], true) };

interface Case {
  readonly because: string;
  readonly before?: BareProgramFunction;
  readonly between?: (world: MockStack) => void | Promise<unknown>;
  readonly behaviour?: StackBehaviour;
  readonly now?: BareProgramFunction;
  readonly options?: RequestOptions;
  readonly steps: readonly string[];
}

const cases: readonly Case[] = [
  { because: 'a resource is new', now: one({}), steps: ['create a: it is new'] },
  {
    because: 'nothing differs',
    before: one({ x: 1 }),
    now: one({ x: 1 }),
    steps: ['same a: nothing differs'],
  },
  {
    because: 'inputs differ, as the engine sees it',
    before: one({ x: 1, y: { z: 1 } }),
    now: one({ x: 2, y: { z: 2 } }),
    steps: ['update a: x, y.z changed'],
  },
  {
    because: 'the provider names keys',
    before: one({ x: 1 }),
    behaviour: {
      diff: () => Promise.resolve(diffAnswer('some', { changedKeys: ['p', 'q', 'r', 's', 't'] })),
    },
    now: one({ x: 1 }),
    steps: ['update a: p, q, r and 2 more changed'],
  },
  {
    because: 'the provider names nothing',
    before: one({ x: 1 }),
    behaviour: { diff: () => Promise.resolve(diffAnswer('some')) },
    now: one({ x: 1 }),
    steps: ['update a: its provider reports changes'],
  },
  {
    because: 'a path of the detailed diff forces a new object',
    before: one({ x: 1 }),
    behaviour: {
      diff: () =>
        Promise.resolve(
          diffAnswer('some', {
            changedKeys: ['x', 'y'],
            detailedDiff: {
              'x.deep[0]': { kind: 'update-replace', inputDiff: false },
              y: { kind: 'update', inputDiff: false },
            },
          }),
        ),
    },
    now: one({ x: 2 }),
    steps: [
      'create-replacement a: x.deep[0] cannot be changed in place',
      'replace a: x.deep[0] cannot be changed in place',
      'delete-replaced a: it was replaced',
    ],
  },
  {
    because: 'a value comes from something that is updated',
    before: pair({ y: 1 }),
    now: pair({ y: 2 }, { in: 2 }),
    steps: ['update a: y changed', 'update b: in changed: in comes from typA "a", which is updated'],
  },
  {
    because: 'a value comes from something that is replaced create-first',
    before: pair({ x: 1 }),
    behaviour: { diff: replaceOn(['x', 'in']) },
    now: pair({ x: 2 }, { in: UNKNOWN }),
    options: { preview: true },
    steps: [
      'create-replacement a: x cannot be changed in place',
      'replace a: x cannot be changed in place',
      'create-replacement b: in cannot be changed in place: in comes from typA "a", which is replaced',
      'replace b: in cannot be changed in place: in comes from typA "a", which is replaced',
      'delete-replaced b: it was replaced',
      'delete-replaced a: it was replaced',
    ],
  },
  {
    because: 'a property of a dependent takes it along delete-first',
    before: pair({ x: 1 }),
    behaviour: deleteFirst,
    now: pair({ x: 2 }),
    steps: [
      'delete-replaced b: in comes from typA "a", which is replaced',
      'delete-replaced a: x cannot be changed in place',
      'replace a: x cannot be changed in place',
      'create-replacement a: x cannot be changed in place',
      'replace b: in comes from typA "a", which is replaced',
      'create-replacement b: in comes from typA "a", which is replaced',
    ],
  },
  {
    because: 'deletedWith takes it along delete-first',
    before: pair({ x: 1 }, {}, { dependencies: [], propertyDependencies: {} }),
    behaviour: deleteFirst,
    between: async (world) => {
      await world.up(async (p) => {
        const { urn } = await p.register('a', { x: 1 });
        await p.register('b', {}, { deletedWith: urn });
      });
    },
    now: async (p) => {
      const { urn } = await p.register('a', { x: 2 });
      await p.register('b', {}, { deletedWith: urn });
    },
    steps: [
      'delete-replaced b: its object is deleted with typA "a", which is replaced',
      'delete-replaced a: x cannot be changed in place',
      'replace a: x cannot be changed in place',
      'create-replacement a: x cannot be changed in place',
      'replace b: its object is deleted with typA "a", which is replaced',
      'create-replacement b: its object is deleted with typA "a", which is replaced',
    ],
  },
  {
    because: 'replaceWith names something that is replaced',
    before: together((urn) => ({ replaceWith: [urn] })),
    options: { scope: { replace: ['**typA::a'] } },
    now: together((urn) => ({ replaceWith: [urn] })),
    steps: [
      'create-replacement a: its replacement was requested',
      'replace a: its replacement was requested',
      'create-replacement b: it is replaced with typA "a"',
      'replace b: it is replaced with typA "a"',
      'delete-replaced b: it was replaced',
      'delete-replaced a: it was replaced',
    ],
  },
  {
    because: 'replaceOnChanges promotes a change',
    before: one({ y: 1 }),
    now: one({ y: 2 }, { replaceOnChanges: ['y'] }),
    steps: [
      'create-replacement a: y changed, and replaceOnChanges requires a new object',
      'replace a: y changed, and replaceOnChanges requires a new object',
      'delete-replaced a: it was replaced',
    ],
  },
  {
    because: 'the replacement trigger fires',
    before: one({}, { replacementTrigger: 1 }),
    now: one({}, { replacementTrigger: 2 }),
    steps: [
      'create-replacement a: its replacement trigger changed',
      'replace a: its replacement trigger changed',
      'delete-replaced a: it was replaced',
    ],
  },
  {
    because: 'it is tainted',
    before: one({}),
    between: (world) => {
      const resources = world.snapshot.resources.map((each) =>
        urnName(each.urn) === 'a' ? { ...each, taint: true } : each,
      );
      world.snapshot = { ...world.snapshot, resources };
    },
    now: one({}),
    steps: [
      'create-replacement a: it is tainted',
      'replace a: it is tainted',
      'delete-replaced a: it was replaced',
    ],
  },
  {
    because: 'another provider cannot take its object over',
    before: one({}),
    behaviour: { diffConfig: () => Promise.resolve(diffAnswer('some', { replaceKeys: ['region'] })) },
    now: async (p) => {
      await p.register('a', {}, { provider: await p.provider('other') });
    },
    steps: [
      'create-replacement a: its provider changed',
      'replace a: its provider changed',
      'delete-replaced a: it was replaced',
    ],
  },
  {
    because: 'it did not become ready',
    before: one({}),
    between: (world) => {
      const resources = world.snapshot.resources.map((each) =>
        urnName(each.urn) === 'a' ? { ...each, initErrors: ['too slow'] } : each,
      );
      world.snapshot = { ...world.snapshot, resources };
    },
    now: one({}),
    steps: ['update a: it did not become ready'],
  },
  {
    because: 'an object is taken over',
    behaviour: {
      read: ({ id }) =>
        Promise.resolve({
          id,
          inputs: propertyMap({ x: 1 }),
          outputs: propertyMap({ x: 1 }),
          refreshBeforeUpdate: false,
        }),
    },
    now: one({ x: 2 }, { importId: 'there' }),
    steps: ['import a: object there is taken over', 'update a: x changed'],
  },
  {
    because: 'what was read is managed now, and the other way round',
    before: async (p) => {
      await p.read('a', 'there');
      await p.register('b');
    },
    behaviour: readsAnything(),
    now: async (p) => {
      await p.register('a');
      await p.read('b', 'there too');
    },
    steps: [
      'create-replacement a: the program now manages what it only read before',
      'replace a: the program now manages what it only read before',
      'read-replacement b: the program reads another object under this name',
      'replace b: the program reads another object under this name',
      'discard-replaced a: it was replaced',
      'delete-replaced b: it was replaced',
    ],
  },
  {
    because: 'the program reads',
    behaviour: readsAnything(),
    now: async (p) => void (await p.read('a', 'there')),
    steps: ['read a: the program reads it'],
  },
  {
    because: 'the program registers and reads nothing any more',
    before: async (p) => {
      await p.read('a', 'there');
      await p.register('b');
    },
    now: nothing,
    steps: ['read-discard a: the program no longer reads it', 'delete b: the program no longer registers it'],
  },
  {
    because: 'everything goes',
    before: one({}),
    options: { kind: 'destroy' },
    steps: ['delete a: everything is destroyed'],
  },
  {
    because: 'a destroy names one, and takes what depends on it along',
    before: pair({ x: 1 }),
    options: { kind: 'destroy', scope: { targets: ['**::a'], targetDependents: true } },
    steps: ['delete b: it depends on a target', 'delete a: its deletion was requested'],
  },
  {
    because: 'a destroy excludes another one',
    before: pair({ x: 1 }),
    options: { kind: 'destroy', scope: { excludes: ['**::a'] } },
    steps: [
      'same a: the operation leaves it alone',
      'delete b: everything that is not excluded is destroyed',
    ],
  },
  {
    because: 'an earlier run left a replaced object',
    before: one({ x: 1 }),
    behaviour: replaceX,
    between: async (world) => {
      world.providers.behaviour = { ...replaceX, delete: () => Promise.reject(new Error('not now')) };
      await world.up(one({ x: 2 }));
    },
    now: one({ x: 2 }),
    steps: ['same a: nothing differs', 'delete-replaced a: it was replaced by an earlier run'],
  },
  {
    because: 'an earlier run deleted the object and got no further',
    before: one({ x: 1 }),
    behaviour: deleteFirst,
    between: interrupted,
    now: one({ x: 2 }),
    steps: [
      'replace a: its object was deleted by an earlier run',
      'create-replacement a: its object was deleted by an earlier run',
    ],
  },
  {
    because: 'so it did, and the program does not want it any more',
    before: one({ x: 1 }),
    behaviour: deleteFirst,
    between: interrupted,
    now: nothing,
    steps: ['remove-pending-replace a: its object is gone and it is no longer wanted'],
  },
  {
    because: 'the user refreshes',
    before: one({}),
    behaviour: readsAnything(),
    options: { kind: 'refresh' },
    steps: ['refresh a: its object is looked up'],
  },
  {
    because: 'its provider wants a look before every update',
    before: one({}),
    behaviour: readsAnything(),
    between: (world) => {
      const resources = world.snapshot.resources.map((each) => ({
        ...each,
        refreshBeforeUpdate: urnName(each.urn) === 'a',
      }));
      world.snapshot = { ...world.snapshot, resources };
    },
    now: one({}),
    steps: ['refresh a: its provider requires a look-up before every update', 'same a: nothing differs'],
  },
  {
    because: 'its object is gone, as a look at everything has shown',
    before: one({}),
    behaviour: findsNothing(),
    options: { scope: { refresh: true } },
    now: one({}),
    steps: ['refresh a: its object is looked up', 'create a: its object no longer exists'],
  },
  {
    because: 'its object is gone, as a look at its registration has shown',
    before: one({}),
    behaviour: findsNothing(),
    options: { scope: { refresh: true }, runProgram: true },
    now: one({}),
    steps: ['refresh a: its object is looked up', 'create a: its object no longer exists'],
  },
  {
    because: 'everything goes after the program',
    before: one({ x: 1 }),
    options: { kind: 'destroy', runProgram: true },
    now: one({ x: 2 }),
    steps: ['same a: this operation leaves it as it is', 'delete a: everything is destroyed'],
  },
  {
    because: 'it is no target',
    before: one({ x: 1 }),
    options: { scope: { targets: ['**::b'] } },
    now: async (p) => {
      await p.register('a', { x: 2 });
      await p.register('b');
    },
    steps: ['same a: the operation leaves it alone', 'create b: it is new'],
  },
];

function readsAnything(): StackBehaviour {
  return {
    read: ({ id, inputs }) =>
      Promise.resolve({
        id,
        inputs: inputs ?? propertyMap({}),
        outputs: propertyMap({}),
        refreshBeforeUpdate: false,
      }),
  };
}

function findsNothing(): StackBehaviour {
  return {
    read: () =>
      Promise.resolve({ id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false }),
  };
}

async function interrupted(world: MockStack): Promise<void> {
  world.providers.behaviour = {
    ...deleteFirst,
    create: () => Promise.reject(new ProviderError('INVALID_ARGUMENT', 'not now')),
  };
  await world.up(one({ x: 2 }));
}

test.each(cases)('a step says why: $because', async ({ before, between, behaviour, now, options, steps }) => {
  const world = new MockStack();
  world.providers.behaviour = readsAnything();
  if (before !== undefined) expect((await world.up(before)).errors).toEqual([]);
  world.providers.behaviour = behaviour ?? {};
  await between?.(world);
  world.providers.behaviour = behaviour ?? {};
  expect(whys(await world.run({ kind: 'up', ...options }, now))).toEqual(steps);
});

test('registered outputs say that they are some', async () => {
  const run = await new MockStack().up(async (p) => {
    const { urn } = await p.component('c');
    await p.outputs(urn, { x: 1 });
  });
  const reasons = run.events.flatMap((event): Reason[] => (event.t === 'outputs' ? [event.step.reason] : []));
  expect(reasons).toEqual([{ t: 'outputs' }]);
});

test('a reason is data: where a value comes from, and what takes a dependent along', async () => {
  const world = new MockStack();
  await world.up(pair({ x: 1 }));
  world.providers.behaviour = deleteFirst;
  const { events } = await world.up(pair({ x: 2 }));
  const step = events.find((event) => event.t === 'step-ended' && event.step.kind === 'delete-replaced');
  expect(step).toMatchObject({
    step: {
      reason: {
        t: 'dependency',
        link: 'property',
        keys: ['in'],
        urn: expect.stringMatching(/::a$/) as unknown,
      },
    },
  });
});
