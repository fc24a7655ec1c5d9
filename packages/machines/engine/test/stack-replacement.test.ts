import { urnName } from '@cairn/addresses';
import { MockStack, diffAnswer, replaceOn } from '@cairn/testkit';
import type { BareProgramFunction, Inputs, Options } from '@cairn/testkit';

/** Registers resA with `foo`, and resB whose property B depends on resA. */
const pair =
  (a: Inputs, aOptions: Options = {}, b: Inputs = { A: 'x' }, bOptions: Options = {}): BareProgramFunction =>
  async (p) => {
    const { urn } = await p.register('resA', a, aOptions);
    await p.register('resB', b, { dependencies: [urn], propertyDependencies: { A: [urn] }, ...bOptions });
  };

const one =
  (inputs: Inputs, options: Options = {}): BareProgramFunction =>
  async (p) => {
    await p.register('resA', inputs, options);
  };

describe('replacement', () => {
  test('LT1-067 the option overrides the order the provider asks for', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['A']) };
    await world.up(pair({ A: 1 }));
    const createFirst = ['create-replacement resA', 'replace resA', 'same resB', 'delete-replaced resA'];
    const deleteFirst = [
      'delete-replaced resB',
      'delete-replaced resA',
      'replace resA',
      'create-replacement resA',
      'replace resB',
      'create-replacement resB',
    ];
    const rows: [Inputs, Options, boolean, readonly string[]][] = [
      [{ A: 2 }, {}, false, createFirst],
      [{ A: 3 }, { deleteBeforeReplace: true }, false, deleteFirst],
      [{ A: 4 }, {}, false, createFirst],
      [{ A: 5 }, {}, true, deleteFirst],
      [{ A: 6 }, { deleteBeforeReplace: false }, true, createFirst],
    ];
    for (const [inputs, options, asked, expected] of rows) {
      world.providers.behaviour = { diff: replaceOn(['A'], asked) };
      const run = await world.up(pair(inputs, options));
      expect(run.steps).toEqual(expected);
      expect([...world.state].sort()).toEqual(['default', 'resA', 'resB']);
    }
  });

  test('a step of a chain is announced only when the step before it has been announced as ended', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['A'], true) };
    await world.up(pair({ A: 1 }));
    const { events } = await world.up(pair({ A: 2 }));
    const told = events.flatMap((event) =>
      (event.t === 'step-started' || event.t === 'step-ended') && event.step.kind.includes('replace')
        ? [`${event.t} ${event.step.kind} ${urnName(event.step.urn)}`]
        : [],
    );
    const both = (step: string) => [`step-started ${step}`, `step-ended ${step}`];
    expect(told).toEqual([
      ...both('delete-replaced resB'),
      ...both('delete-replaced resA'),
      ...both('replace resA'),
      ...both('create-replacement resA'),
      ...both('replace resB'),
      ...both('create-replacement resB'),
    ]);
  });

  test('LT1-068 a resource that was registered already is no dependent', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['A'], true) };
    await world.up(pair({ A: 1 }));
    const run = await world.up(async (p) => {
      await p.register('resB', { A: 'x' });
      await p.register('resA', { A: 2 });
    });
    expect(run.steps).toEqual([
      'same resB',
      'delete-replaced resA',
      'replace resA',
      'create-replacement resA',
    ]);
  });

  test('LT1-069 LT1-102 a protected dependent stops a delete-first replacement', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['A'], true) };
    await world.up(pair({ A: 1 }, {}, { A: 'x' }, { protect: true }));
    const run = await world.up(pair({ A: 2 }, {}, { A: 'x' }, { protect: true }));
    expect(run.errors).toEqual([expect.stringContaining('resB as part of replacing')]);
    expect(run.steps).toEqual([]);
    expect(world.state).toEqual(['default', 'resA', 'resB']);
  });

  test('LT1-070 a dependent diff honours the stored replaceOnChanges', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['value'], true) };
    const program =
      (value: number): BareProgramFunction =>
      async (p) => {
        const { urn } = await p.register('resA', { value });
        await p.register(
          'resB',
          { in: value },
          { type: 'pkgB:m:typB', dependencies: [urn], replaceOnChanges: ['in'] },
        );
      };
    await world.up(program(1));
    const run = await world.up(program(2));
    expect(run.steps.slice(0, 2)).toEqual(['delete-replaced resB', 'delete-replaced resA']);
    expect(world.state).toHaveLength(4);
  });

  test('LT1-065 delete-first takes exactly the dependents that must be replaced', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['A']), diffConfig: replaceOn(['A'], true) as never };
    const program =
      (a: number): BareProgramFunction =>
      async (p) => {
        const ref = async (name: string, deps: Record<string, string>, use?: string) =>
          p.provider(
            name,
            { A: 'x', B: 'y' },
            {
              dependencies: Object.values(deps).map((dep) => p.urn(dep, 'pulumi:providers:pkgA')),
              propertyDependencies: Object.fromEntries(
                Object.entries(deps).map(([key, dep]) => [key, [p.urn(dep, 'pulumi:providers:pkgA')]]),
              ),
              ...(use === undefined ? {} : {}),
            },
          );
        const A = await p.provider('A', { A: a });
        const on = (key: string, urns: readonly ReturnType<typeof p.urn>[]): Options => ({
          dependencies: urns,
          propertyDependencies: { [key]: urns },
        });
        const pa = p.urn('A', 'pulumi:providers:pkgA');
        await p.register('B', { A: 'x' }, { provider: A });
        const C = await ref('C', { A: 'A' });
        const D = await ref('D', { B: 'A' });
        await p.register('E', { A: 'x' }, { provider: C });
        const F = await p.register(
          'F',
          { A: 'x', B: 'y' },
          { provider: C, ...on('A', [p.urn('C', 'pulumi:providers:pkgA')]) },
        );
        const G = await p.register(
          'G',
          { A: 'x', B: 'y' },
          { provider: D, ...on('B', [p.urn('C', 'pulumi:providers:pkgA')]) },
        );
        await p.register('H', { A: 'x' }, { provider: D });
        await p.register(
          'I',
          { A: 'x', B: 'y' },
          { provider: D, ...on('A', [p.urn('D', 'pulumi:providers:pkgA')]) },
        );
        await p.register(
          'J',
          { A: 'x', B: 'y' },
          { provider: D, ...on('B', [p.urn('D', 'pulumi:providers:pkgA')]) },
        );
        await p.register('K', { A: 'x', B: 'y' }, { provider: D, ...on('A', [F.urn, G.urn]) });
        await p.register('L', { A: 'x', B: 'y' }, { provider: D, ...on('B', [F.urn, G.urn]) });
        void pa;
      };
    await world.up(program(1));
    const run = await world.up(program(2));
    expect(run.errors).toEqual([]);
    const replaced = run.allSteps.filter((step) => step.startsWith('replace ')).map((step) => step.slice(8));
    expect(replaced.sort()).toEqual(['A', 'B', 'C', 'E', 'F', 'K']);
  });

  test('LT1-023 a replace-kind detail alone replaces; LT1-021 replaceOnChanges promotes', async () => {
    const world = new MockStack();
    await world.up(one({ a: 1, b: { c: 'foo' } }));
    world.providers.behaviour = {
      diff: () =>
        Promise.resolve(
          diffAnswer('some', { detailedDiff: { a: { kind: 'add-replace', inputDiff: false } } }),
        ),
    };
    expect((await world.preview(one({ a: 1, b: { c: 'foo' } }))).steps).toContain('replace resA');
    world.providers.behaviour = {};
    const trio = ['create-replacement resA', 'replace resA', 'delete-replaced resA'];
    const rows: [Inputs, readonly string[], readonly string[]][] = [
      [{ a: 2, b: { c: 'foo' } }, ['a'], trio],
      [{ a: 2, b: { c: 'bar' } }, ['b.c'], trio],
      [{ a: 3, b: { c: 'baz' } }, ['*'], trio],
      [{ a: 4, b: { c: 'qux' } }, [], ['update resA']],
      [{ a: 42, b: { c: 'qux' } }, ['a'], trio],
    ];
    for (const [inputs, replaceOnChanges, expected] of rows) {
      expect((await world.up(one(inputs, { replaceOnChanges }))).steps).toEqual(expected);
    }
    world.providers.behaviour = { diff: () => Promise.resolve(diffAnswer('none')) };
    expect((await world.up(one({ a: 43 }, { replaceOnChanges: ['a'] }))).steps).toEqual(['same resA']);
  });

  test('LT1-033 LT1-034 protected and imported objects are not replaced', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['foo']) };
    await world.up(one({ foo: 'bar' }, { protect: true }));
    const preview = await world.preview(one({ foo: 'baz' }, { protect: true }));
    expect(preview.result.summary.result).toBe('failed');
    expect(preview.errors).toEqual([expect.stringContaining('CAIRN-RESOURCE-PROTECTED')]);
    expect(preview.steps).toContain('create-replacement resA');
    const refused = await world.up(one({ foo: 'baz' }, { protect: true }));
    expect(refused.errors).toEqual([expect.stringContaining('CAIRN-RESOURCE-PROTECTED')]);
    expect(world.providers.called('create')).toEqual(['create resA', 'create resA']);
    const removed = await world.up(() => Promise.resolve());
    expect(removed.errors).toEqual([expect.stringContaining('cannot delete')]);
    expect(world.state).toEqual(['default', 'resA']);
    const replaced = await world.up(one({ foo: 'baz' }, { protect: false }));
    expect(replaced.steps).toEqual(['create-replacement resA', 'replace resA', 'delete-replaced resA']);
    expect(world.entry('resA').protect).toBe(false);
  });

  test('LT1-035 LT1-074 deletedWith: everything is replaced, only the root is deleted', async () => {
    for (const deleteFirst of [false, true]) {
      const world = new MockStack();
      world.providers.behaviour = {
        diff: replaceOn(['foo'], deleteFirst),
        delete: ({ urn }) =>
          urn.endsWith('::A') ? Promise.resolve() : Promise.reject(new Error(`deleted ${urn}`)),
      };
      const program =
        (foo: string): BareProgramFunction =>
        async (p) => {
          const a = await p.register('A', { foo });
          const b = await p.register('B', {}, { deletedWith: a.urn });
          await p.register('C', {}, { deletedWith: b.urn });
        };
      await world.up(program('1'));
      const run = await world.up(program('2'));
      expect(run.errors).toEqual([]);
      expect(world.providers.called('create')).toHaveLength(6);
      expect(world.providers.called('delete')).toEqual(['delete A']);
      await world.up(() => Promise.resolve());
      expect(world.state).toEqual([]);
      expect(world.providers.called('delete')).toEqual(['delete A', 'delete A']);
    }
  });

  test('LT1-079 LT1-081 replaceWith: the partner is replaced too, its object is deleted', async () => {
    for (const deleteFirst of [false, true]) {
      const world = new MockStack();
      world.providers.behaviour = { diff: replaceOn(['foo'], deleteFirst) };
      const program =
        (foo: string): BareProgramFunction =>
        async (p) => {
          const a = await p.register('A', { foo });
          await p.register('B', { bar: 1 }, { replaceWith: [a.urn] });
        };
      await world.up(program('1'));
      const run = await world.up(program('2'));
      expect(run.errors).toEqual([]);
      expect(world.providers.called('create')).toEqual(['create A', 'create B', 'create A', 'create B']);
      expect([...world.providers.called('delete')].sort()).toEqual(['delete A', 'delete B']);
    }
  });

  test('LT1-092 LT1-095 LT1-096 a delete-first replacement that got no further is completed, not deleted again', async () => {
    const world = new MockStack();
    const replacing = { diff: replaceOn(['foo'], true) };
    world.providers.behaviour = replacing;
    await world.up(pair({ foo: 1 }, { deleteBeforeReplace: true }, { c: 1 }, { propertyDependencies: {} }));
    world.providers.behaviour = { ...replacing, create: () => Promise.reject(new Error('no')) };
    for (const _again of [1, 2]) {
      const failed = await world.up(
        pair({ foo: 2 }, { deleteBeforeReplace: true }, { c: 1 }, { propertyDependencies: {} }),
      );
      expect(failed.result.summary.result).toBe('failed');
      expect(world.state).toEqual(['default', 'resA(pending)', 'resB']);
    }
    world.providers.behaviour = {
      diff: () => Promise.resolve(diffAnswer('some', { deleteBeforeReplace: true })),
    };
    const run = await world.up(pair({ foo: 2 }, {}, { c: 1 }, { propertyDependencies: {} }));
    expect(run.steps.slice(0, 2)).toEqual(['replace resA', 'create-replacement resA']);
    expect(world.providers.called('delete')).toEqual(['delete resA']);
    expect(world.entry('resA').pendingReplacement).toBe(false);
  });

  test('a pending replacement that nobody registers is dropped', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['foo'], true) };
    await world.up(one({ foo: 1 }));
    world.providers.behaviour = {
      ...world.providers.behaviour,
      create: () => Promise.reject(new Error('no')),
    };
    await world.up(one({ foo: 2 }));
    const run = await world.up(() => Promise.resolve());
    expect(run.steps).toEqual(['remove-pending-replace resA']);
    expect(world.state).toEqual([]);
  });

  test('LT1-041 the old object goes after what depends on it, in a later run if need be', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['A', 'foo']) };
    const program =
      (foo: string): BareProgramFunction =>
      async (p) => {
        const a = await p.register('A', { foo });
        await p.register('B', { A: a.id }, { dependencies: [a.urn] });
      };
    await world.up(program('1'));
    world.providers.behaviour = {
      ...world.providers.behaviour,
      create: ({ urn, inputs }) =>
        urn.endsWith('::B')
          ? Promise.reject(new Error('no'))
          : Promise.resolve({ id: 'new', outputs: inputs, refreshBeforeUpdate: false }),
    };
    const failed = await world.up(program('2'));
    expect(failed.result.summary.result).toBe('failed');
    expect(world.state).toEqual(['default', 'A', 'A(delete)', 'B']);
    world.providers.behaviour = { diff: replaceOn(['A', 'foo']) };
    const run = await world.up(program('2'));
    expect(run.steps).toEqual([
      'same A',
      'create-replacement B',
      'replace B',
      'delete-replaced B',
      'delete-replaced A',
    ]);
    expect([...world.state].sort()).toEqual(['A', 'B', 'default']);
  });

  test('LT1-042 a pending delete is deleted before what it depends on is deleted first', async () => {
    const world = new MockStack();
    const diff: ReturnType<typeof replaceOn> = (request) =>
      replaceOn(['foo', 'frob', 'A'], request.urn.endsWith('::A'))(request);
    world.providers.behaviour = { diff };
    const program =
      (foo: string, frob: string): BareProgramFunction =>
      async (p) => {
        const a = await p.register('A', { foo });
        await p.register(
          'B',
          { A: a.urn, frob },
          { dependencies: [a.urn], propertyDependencies: { A: [a.urn] } },
        );
      };
    await world.up(program('1', '1'));
    world.providers.behaviour = { diff, delete: () => Promise.reject(new Error('not now')) };
    await world.up(program('1', '2'));
    expect(world.state).toEqual(
      ['default', 'B', 'A', 'B(delete)'].sort((x, y) => world.state.indexOf(x) - world.state.indexOf(y)),
    );
    world.providers.behaviour = { diff };
    const run = await world.up(program('2', '2'));
    expect(run.errors).toEqual([]);
    const deletes = run.steps.filter((op) => op.startsWith('delete'));
    expect(deletes).toEqual(['delete B', 'delete-replaced B', 'delete-replaced A']);
    expect([...world.state].sort()).toEqual(['A', 'B', 'default']);
  });

  test('LT1-083 LT1-084 LT1-085 the replacement trigger fires when its bare value differs', async () => {
    const { UNKNOWN, secret } = await import('@cairn/values');
    const world = new MockStack();
    await world.up(one({ a: 1 }, { replacementTrigger: ['first'] }));
    expect((await world.up(one({ a: 1 }, { replacementTrigger: [secret('first')] }))).steps).toEqual([
      'same resA',
    ]);
    expect((await world.preview(one({ a: 1 }, { replacementTrigger: [UNKNOWN] }))).steps).toContain(
      'replace resA',
    );
    const refused = await world.up(one({ a: 1 }, { replacementTrigger: [UNKNOWN] }));
    expect(refused.errors).toEqual([expect.stringContaining('trigger')]);
    expect((await world.up(one({ a: 1 }, { replacementTrigger: ['second'] }))).steps).toContain(
      'replace resA',
    );
  });

  test('LT2-021 LT2-024 resources named for replacement are replaced whatever their diff says', async () => {
    const world = new MockStack();
    await world.up(pair({ a: 1 }));
    const run = await world.up(pair({ a: 1 }), { scope: { replace: ['**resB'] } });
    expect(run.steps).toEqual([
      'same resA',
      'create-replacement resB',
      'replace resB',
      'delete-replaced resB',
    ]);
  });

  test('LT1-104 retained objects are forgotten, never deleted', async () => {
    const world = new MockStack();
    world.providers.behaviour = {
      diff: replaceOn(['foo']),
      delete: () => Promise.reject(new Error('deleted')),
    };
    await world.up(one({ foo: 1 }, { retainOnDelete: true }));
    await world.up(one({ foo: 2 }, { retainOnDelete: true }));
    const run = await world.up(() => Promise.resolve());
    expect(run.errors).toEqual([]);
    expect(world.state).toEqual([]);
  });

  test('LT1-165 a provider replaced delete-first takes its resources along, in order', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diffConfig: replaceOn(['foo'], true) as never };
    const program =
      (foo: string): BareProgramFunction =>
      async (p) => {
        const provider = await p.provider('provA', { foo });
        await p.register('resA', { x: 1 }, { provider });
      };
    await world.up(program('1'));
    const run = await world.up(program('2'));
    expect(run.allSteps).toEqual([
      'delete-replaced resA',
      'delete-replaced provA',
      'replace provA',
      'create-replacement provA',
      'replace resA',
      'create-replacement resA',
    ]);
  });

  test('LT1-164 LT1-161 a provider replaced create-first replaces its resources through their own decision', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diffConfig: replaceOn(['foo']) as never };
    const program =
      (foo: string): BareProgramFunction =>
      async (p) => {
        const provider = await p.provider('provA', { foo });
        await p.register('resA', { x: 1 }, { provider });
      };
    await world.up(program('1'));
    const run = await world.up(program('2'));
    expect(run.errors).toEqual([]);
    expect(run.allSteps).toEqual([
      'create-replacement provA',
      'replace provA',
      'create-replacement resA',
      'replace resA',
      'delete-replaced resA',
      'delete-replaced provA',
    ]);
  });
});
