import { urnName } from '@cairn/addresses';
import { ProcessLimits } from '@cairn/engine';
import type { RunningOperation } from '@cairn/engine';
import { secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { ProviderExtras, ResourceIdentity } from '@cairn/wire';
import fc from 'fast-check';
import { MockWorld, Story, runScenario } from '@cairn/testkit';
import type { MockBehaviour, ProgramFunction, Properties, Scenario } from '@cairn/testkit';

/** Number of concurrent provider calls with an effect [REC-17], in whole operations. */

const A = 'pkgA:m:typA';
const B = 'pkgA:m:typB';
const OTHER = 'pkgB:m:typC';

/** Calls under way, and their maximum, by type and by any other key of a test. */
class Meter {
  readonly peak: Record<string, number> = {};
  readonly #now: Record<string, number> = {};
  readonly #keys: (about: ResourceIdentity, inputs: PropertyMap) => readonly string[];

  constructor(keys: (about: ResourceIdentity, inputs: PropertyMap) => readonly string[]) {
    this.#keys = keys;
  }

  async during<T>(about: ResourceIdentity, inputs: PropertyMap, work: () => Promise<T>): Promise<T> {
    const keys = ['all', about.type, ...this.#keys(about, inputs)];
    for (const key of keys) {
      const now = (this.#now[key] = (this.#now[key] ?? 0) + 1);
      this.peak[key] = Math.max(now, this.peak[key] ?? 0);
    }
    for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
    try {
      return await work();
    } finally {
      for (const key of keys) this.#now[key] = (this.#now[key] ?? 0) - 1;
    }
  }
}

function metered(
  extras?: ProviderExtras,
  keys: ConstructorParameters<typeof Meter>[0] = () => [],
): { readonly meter: Meter; readonly world: MockWorld } {
  const meter = new Meter(keys);
  const behaviour: MockBehaviour = {
    create: (request, { standard }) => meter.during(request, request.inputs, standard),
    update: (request, { standard }) => meter.during(request, request.news, standard),
    delete: (request, { standard }) => meter.during(request, request.oldInputs, standard),
    ...(extras !== undefined && { extras }),
  };
  return { meter, world: new MockWorld({ pkgA: { behaviour }, pkgB: { behaviour } }) };
}

/** Makes the given number of resources of each type, none of which depends on another. */
const many =
  (
    counts: Readonly<Record<string, number>>,
    inputs: (index: number) => Properties = () => ({}),
  ): ProgramFunction =>
  async ({ resource }) => {
    await Promise.all(
      Object.entries(counts).flatMap(([type, count]) =>
        Array.from({ length: count }, (_, index) =>
          resource(type, `${type.slice(-1)}${index}`, inputs(index)),
        ),
      ),
    );
  };

const set = (limits: Readonly<Record<string, object>>): Scenario['limits'] => new Map(Object.entries(limits));

describe('calls at a time', () => {
  const counts = { [A]: 6, [B]: 6, [OTHER]: 6 };
  test.each<[string, Scenario['limits'], ProviderExtras | undefined, Record<string, number>]>([
    ['nothing is said', undefined, undefined, { all: 18 }],
    ['a package, set', set({ pkgA: { maxInFlight: 3 } }), undefined, { [OTHER]: 6, all: 9 }],
    ['a type, set', set({ [A]: { maxInFlight: 2 } }), undefined, { [A]: 2, [B]: 6 }],
    ['both', set({ pkgA: { maxInFlight: 4 }, [A]: { maxInFlight: 1 } }), undefined, { [A]: 1, [OTHER]: 6 }],
    ['declared by providers', undefined, { maxInFlight: 2, types: {} }, { [OTHER]: 2, all: 4 }],
    ['for a type, declared', undefined, { types: { [A]: { maxInFlight: 1 } } }, { [A]: 1, [B]: 6 }],
    [
      'for every type, declared',
      undefined,
      { types: { '*': { maxInFlight: 2 }, [A]: {} } },
      { [A]: 6, [B]: 2, [OTHER]: 2 },
    ],
    [
      'what is set wins over what is declared',
      set({ pkgA: { maxInFlight: 5 } }),
      { maxInFlight: 1, types: {} },
      { [OTHER]: 1, all: 6 },
    ],
    ['nonsense is one', undefined, { maxInFlight: 0, types: {} }, { all: 2 }],
  ])('%s', async (_title, limits, extras, peak) => {
    const { meter, world } = metered(extras);
    const { result } = await runScenario({
      providers: world,
      program: many(counts),
      parallel: 0,
      ...(limits !== undefined && { limits }),
    });
    expect(result.summary.result).toBe('succeeded');
    expect(meter.peak).toMatchObject(peak);
    expect(world.objects.size).toBe(18);
  });

  test('the limit of all tasks holds as well', async () => {
    const { meter, world } = metered();
    await runScenario({
      providers: world,
      program: many(counts),
      parallel: 2,
      limits: set({ pkgA: { maxInFlight: 3 } }),
    });
    expect(meter.peak['all']).toBe(2);
  });

  test('creates that are called again to find out about them count', async () => {
    const { meter, world } = metered({ types: { '*': { idempotencyToken: {} } } });
    const story = new Story(world);
    const program = many({ [A]: 6 });
    await story.runAndKill('create', 'A5', { program, parallel: 0, before: true });
    expect(story.inDoubt.length).toBeGreaterThan(1);
    // Calls of the process that died continue by themselves.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    for (const key of Object.keys(meter.peak)) delete meter.peak[key];
    const limits = set({ [A]: { maxInFlight: 1 } });
    const { result } = await story.run({ program, parallel: 0, ...(limits !== undefined && { limits }) });
    expect(result.summary.result).toBe('succeeded');
    expect([meter.peak[A], world.objects.size]).toEqual([1, 6]);
  });

  test('deletes, and what is taken back, count', async () => {
    const { meter, world } = metered();
    const limits = set({ [A]: { maxInFlight: 2 } });
    const first = await runScenario({ providers: world, program: many({ [A]: 6 }), parallel: 0, limits });
    const second = await runScenario({
      kind: 'destroy',
      providers: world,
      prior: first.snapshot,
      parallel: 0,
      limits,
    });
    expect([second.result.summary.result, world.objects.size]).toEqual(['succeeded', 0]);
    world.failNext('create', 'late', new Error('no'));
    const third = await runScenario({
      providers: world,
      parallel: 0,
      limits,
      policy: { onError: 'rollback' },
      program: async (context) => {
        await many({ [A]: 6 })(context);
        await context.resource(B, 'late');
      },
    });
    expect([third.result.summary.result, world.objects.size]).toEqual(['rolled-back', 0]);
    expect(meter.peak[A]).toBe(2);
  });

  test('questions count towards no limit, and neither does a preview', async () => {
    const { world } = metered();
    let now = 0;
    let most = 0;
    const asked: MockBehaviour['check'] = async (_request, { standard }) => {
      most = Math.max(most, (now += 1));
      for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
      now -= 1;
      return standard();
    };
    world.install('pkgA', { behaviour: { check: asked } });
    const limits = set({ pkgA: { maxInFlight: 1 } });
    const outcome = await runScenario({ preview: true, providers: world, program: many({ [A]: 6 }), limits });
    expect([outcome.result.summary.result, most]).toEqual(['succeeded', 6]);
  });

  test('a provider is asked once what it declares [PROV-20]', async () => {
    const { world } = metered({ maxInFlight: 2, types: {} });
    await runScenario({ providers: world, program: many({ [A]: 6 }) });
    expect(world.called('extras')).toEqual(['extras']);
  });
});

describe('mutual exclusion', () => {
  const rules: ProviderExtras = { types: { [A]: { exclusive: ['group', 'port'] } } };
  const byGroup: ConstructorParameters<typeof Meter>[0] = (_about, { group, port }) => [
    JSON.stringify([group ?? null, port ?? null]),
  ];

  test.each<[string, (index: number) => Properties, number]>([
    ['equal values', () => ({ group: 'g', port: 1 }), 1],
    ['equal values, some secret', (index) => ({ group: index % 2 === 0 ? 'g' : secret('g'), port: 1 }), 1],
    ['a part of the key is absent', () => ({ group: 'g' }), 1],
    ['the whole key is absent', () => ({}), 6],
    ['one part differs', (index) => ({ group: 'g', port: index }), 6],
    ['two groups', (index) => ({ group: index % 2, port: 1 }), 2],
  ])('%s', async (_title, inputs, most) => {
    const { meter, world } = metered(rules);
    await runScenario({ providers: world, program: many({ [A]: 6 }, inputs), parallel: 0 });
    expect([meter.peak['all'], world.objects.size]).toEqual([most, 6]);
  });

  test('of one type alone; set, it wins over what is declared', async () => {
    const { meter, world } = metered(rules, byGroup);
    const limits = set({ [A]: { exclusive: [] }, [B]: { exclusive: ['group'] } });
    await runScenario({
      providers: world,
      program: many({ [A]: 4, [B]: 4 }, () => ({ group: 'g' })),
      parallel: 0,
      limits,
    });
    expect(meter.peak).toMatchObject({ [A]: 4, [B]: 1 });
  });

  test('an update excludes what works on its old values and on its new ones', async () => {
    const { meter, world } = metered(rules, byGroup);
    const first = await runScenario({
      providers: world,
      parallel: 0,
      program: many({ [A]: 3 }, (index) => ({ group: `g${index}`, port: 1 })),
    });
    meter.peak['all'] = 0;
    const moved = (index: number) => ({ group: `g${(index + 1) % 3}`, port: 1 });
    const second = await runScenario({
      providers: world,
      prior: first.snapshot,
      parallel: 0,
      program: many({ [A]: 3 }, moved),
    });
    expect([second.result.summary.result, meter.peak['all']]).toEqual(['succeeded', 1]);
  });
});

describe('two operations at once', () => {
  const both = (extras: ProviderExtras | undefined, ...scenarios: readonly Partial<Scenario>[]) => {
    const { meter, world } = metered(extras);
    const callLimits = new ProcessLimits();
    const running = scenarios.map((scenario, index) =>
      runScenario({
        providers: world,
        callLimits,
        parallel: 0,
        identity: { organization: 'organization', project: 'test', stack: `s${index}` },
        program: many({ [A]: 5 }),
        ...scenario,
      }),
    );
    return { meter, world, callLimits, ended: Promise.all(running) };
  };

  test('share what providers declare', async () => {
    const { meter, world, ended } = both({ maxInFlight: 3, types: {} }, {}, {});
    const outcomes = await ended;
    expect(outcomes.map(({ result }) => result.summary.result)).toEqual(['succeeded', 'succeeded']);
    expect([meter.peak['all'], world.objects.size]).toEqual([3, 10]);
  });

  test('what one of them has set holds for its own calls, those of the other counted', async () => {
    const { meter, ended, world } = both(
      undefined,
      { limits: set({ [A]: { maxInFlight: 2 } }), program: many({ [A]: 5 }, () => ({ mine: true })) },
      { program: many({ [A]: 3 }) },
    );
    await ended;
    expect(world.objects.size).toBe(8);
    expect(meter.peak['all']).toBeLessThanOrEqual(5);
  });

  test('one that was killed holds nobody up', async () => {
    const { world } = metered();
    const callLimits = new ProcessLimits();
    const limits = set({ pkgA: { maxInFlight: 1 } });
    const held = world.holdNext('create', 'A0');
    const started: { operation?: RunningOperation } = {};
    const first = runScenario({
      providers: world,
      callLimits,
      limits,
      program: many({ [A]: 1 }),
      onStart: (operation) => (started.operation = operation),
    });
    await held.reached;
    const second = runScenario({
      providers: world,
      callLimits,
      limits,
      program: async ({ resource }) => void (await resource(A, 'next')),
    });
    for (let turn = 0; turn < 30; turn += 1) await new Promise(setImmediate);
    expect(world.called('create')).toEqual(['create A0']);
    started.operation?.kill();
    expect((await first).result.inDoubt.map(({ urn }) => urnName(urn))).toEqual(['A0']);
    expect((await second).result.summary.result).toBe('succeeded');
    held.open();
  });

  test('one that was cancelled leaves nothing behind', async () => {
    const { world } = metered();
    const callLimits = new ProcessLimits();
    const started: { operation?: RunningOperation } = {};
    const outcome = await runScenario({
      providers: world,
      callLimits,
      limits: set({ pkgA: { maxInFlight: 1 } }),
      program: many({ [A]: 5 }),
      onStart: (operation) => (started.operation = operation),
      onEvent: (event) => {
        if (event.t === 'step-ended' && event.step.type === A) started.operation?.cancel();
      },
    });
    expect(outcome.result.summary.result).toBe('cancelled');
    expect(callLimits.taken('package pkgA')).toBe(0);
  });

  test('whatever they need, both end and no limit is passed', async () => {
    const resource = fc.record({
      type: fc.constantFrom(A, B, OTHER),
      group: fc.integer({ min: 0, max: 2 }),
      needs: fc.array(fc.nat(), { maxLength: 2 }),
    });
    const wanted = fc.array(resource, { maxLength: 12 });
    const most = fc.integer({ min: 1, max: 3 });
    await fc.assert(
      fc.asyncProperty(
        wanted,
        wanted,
        most,
        most,
        fc.nat({ max: 4 }),
        async (one, two, pkgA, typB, parallel) => {
          const keys: ConstructorParameters<typeof Meter>[0] = ({ type }, { group }) => [
            type.split(':')[0] as string,
            `${type} ${String(group)}`,
          ];
          const { meter, world } = metered({ types: { [A]: { exclusive: ['group'] } } }, keys);
          const callLimits = new ProcessLimits();
          const limits = set({ pkgA: { maxInFlight: pkgA }, [B]: { maxInFlight: typB } });
          const program =
            (resources: typeof one): ProgramFunction =>
            async (context) => {
              const made: Promise<{ readonly urn: string }>[] = [];
              for (const [index, { type, group, needs }] of resources.entries()) {
                const before = made.length === 0 ? [] : needs.map((need) => made[need % made.length]);
                made.push(
                  Promise.all(before).then((found) =>
                    context.resource(
                      type,
                      `r${index}`,
                      { group },
                      { dependencies: found.flatMap((each) => each?.urn ?? []) },
                    ),
                  ),
                );
              }
              await Promise.all(made);
            };
          const run = (resources: typeof one) =>
            runScenario({ providers: world, callLimits, limits, parallel, program: program(resources) });
          const outcomes = await Promise.all([run(one), run(two)]);
          expect(outcomes.map(({ result }) => result.summary.result)).toEqual(['succeeded', 'succeeded']);
          expect(world.objects.size).toBe(one.length + two.length);
          expect(meter.peak['pkgA'] ?? 0).toBeLessThanOrEqual(pkgA);
          expect(meter.peak[B] ?? 0).toBeLessThanOrEqual(typB);
          for (const group of [0, 1, 2])
            expect(meter.peak[`${A} ${String(group)}`] ?? 0).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
