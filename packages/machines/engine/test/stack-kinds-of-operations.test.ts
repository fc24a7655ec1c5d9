import { UNKNOWN_ID, isProviderType } from '@cairn/addresses';
import { UNKNOWN, emptyMap, propertyMap } from '@cairn/values';
import { InitFailedError, ProviderError } from '@cairn/wire';
import { MockStack, diffAnswer, replaceOn } from '@cairn/testkit';
import type { BareProgram, BareProgramFunction, Inputs, Options } from '@cairn/testkit';

const one =
  (inputs: Inputs, options: Options = {}): BareProgramFunction =>
  async (p) => {
    await p.register('resA', inputs, options);
  };

/** Registers a chain of resources, each depending on the one before. */
const chain =
  (...names: readonly string[]): BareProgramFunction =>
  async (p) => {
    let before: Awaited<ReturnType<BareProgram['register']>> | undefined;
    for (const name of names) {
      before = await p.register(name, { x: 1 }, before === undefined ? {} : { dependencies: [before.urn] });
    }
  };

describe('previews', () => {
  test('LT1-027 creates and updates are asked as a preview, with unknowns; nothing is stored', async () => {
    const world = new MockStack();
    const first = await world.preview(one({ a: UNKNOWN }));
    expect(first.steps).toEqual(['create resA']);
    expect(world.providers.calls.find((call) => call.method === 'create')?.request).toMatchObject({
      preview: true,
    });
    expect(world.state).toEqual([]);
    await world.up(one({ a: 'alpha' }));
    const second = await world.preview(one({ a: [UNKNOWN] }));
    expect(second.steps).toEqual(['update resA']);
    expect(world.providers.calls.at(-1)?.request).toMatchObject({ preview: true });
    expect(world.entry('resA').inputs).toEqual({ a: 'alpha' });
  });

  test('a preview shows what the up then does, deletes included, and deletes nothing', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: replaceOn(['x']) };
    await world.up(chain('a', 'b', 'c'));
    const next: BareProgramFunction = async (p) => {
      await p.register('a', { x: 2 });
      await p.register('d');
    };
    const preview = await world.preview(next);
    expect(world.providers.called('delete')).toEqual([]);
    const up = await world.up(next);
    expect(up.steps).toEqual(preview.steps);
    expect(up.steps).toEqual([
      'create-replacement a',
      'replace a',
      'create d',
      'delete c',
      'delete b',
      'delete-replaced a',
    ]);
  });

  test('the id of what preview creates is empty, a provider without id is unknown [REG-16]', async () => {
    const world = new MockStack();
    let id: string | undefined;
    await world.preview(async (p) => {
      id = (await p.register('resA')).id;
      expect(await p.provider('provA')).toContain('04da6b54');
    });
    expect(id).toBe('');
  });
});

describe('components and outputs', () => {
  test('LT1-032 a component answers without outputs; registered ones replace the whole map', async () => {
    const world = new MockStack();
    const program: (outputs: Inputs) => BareProgramFunction = (outputs) => async (p) => {
      const { urn, outputs: answered, id } = await p.component('comp');
      expect([answered, id]).toEqual([emptyMap, '']);
      await p.outputs(urn, outputs);
    };
    await world.up(program({ foo: 'bar', gone: 1 }));
    expect(world.entry('comp').outputs).toEqual({ foo: 'bar', gone: 1 });
    const run = await world.up(program({ foo: 'baz' }));
    expect(run.steps).toEqual(['same comp']);
    expect(world.entry('comp').outputs).toEqual({ foo: 'baz' });
    const same = await world.up(program({ foo: 'baz' }));
    expect(same.store.records.some((record) => record.record === 'entry')).toBe(false);
  });

  test('LT1-050 LT1-051 root outputs: replaced after a success, laid over after a failure', async () => {
    const world = new MockStack();
    const program =
      (outputs: Inputs | undefined, fails: boolean): BareProgramFunction =>
      async (p) => {
        const urn = await p.stack();
        if (outputs !== undefined) await p.outputs(urn, outputs);
        if (fails) throw new Error('broken');
      };
    const rows: [Inputs | undefined, boolean, Inputs][] = [
      [{ first: 0, second: 0 }, false, { first: 0, second: 0 }],
      [{ first: 1 }, true, { first: 1, second: 0 }],
      [{}, true, { first: 1, second: 0 }],
      [undefined, true, { first: 1, second: 0 }],
      [{ first: 3 }, false, { first: 3 }],
    ];
    for (const [outputs, fails, expected] of rows) {
      const run = await world.up(program(outputs, fails));
      expect(run.result.stackOutputs).toEqual(expected);
      expect(world.entry('test-test').outputs).toEqual(expected);
    }
  });

  test('LT1-149 a component becomes a custom resource and a component again', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      await p.component('resA');
    });
    await world.up(async (p) => {
      await p.register('resA', {}, { aliases: [p.urn('resA', 'my:index:Component')] });
    });
    expect(world.state).toEqual(['default', 'resA']);
    const back = await world.up(async (p) => {
      await p.component('resA', { aliases: [p.urn('resA')] });
    });
    expect(back.errors).toEqual([]);
    expect(world.state).toEqual(['resA']);
  });
});

describe('the order of the stored entries [STATE-8]: steps that ended, in the order of their ends, then what had none', () => {
  const program =
    (
      ...rows: readonly (readonly [name: string, foo: string, options?: (p: BareProgram) => Options])[]
    ): BareProgramFunction =>
    async (p) => {
      for (const [name, foo, options] of rows) await p.register(name, { foo }, options?.(p));
    };
  const all = [
    ['a', '1'],
    ['b', '1'],
    ['c', '1'],
  ] as const;
  const order = (world: MockStack) => world.state.filter((name) => name !== 'default');

  test.each<[string, BareProgramFunction, readonly string[]]>([
    ['one in the middle is updated', program(['a', '1'], ['b', '2'], ['c', '1']), ['a', 'b', 'c']],
    [
      'one is new among unchanged ones',
      program(['a', '1'], ['n', '1'], ['b', '1'], ['c', '1']),
      ['a', 'n', 'b', 'c'],
    ],
    [
      'nothing changes, but the order of the program',
      program(['c', '1'], ['a', '1'], ['b', '1']),
      ['c', 'a', 'b'],
    ],
    [
      'a new one needs what comes before it',
      program(['b', '1'], ['a', '1'], ['n', '1', (p) => ({ dependencies: [p.urn('a')] })], ['c', '1']),
      ['b', 'a', 'n', 'c'],
    ],
  ])('%s', async (_title, next, expected) => {
    const world = new MockStack();
    await world.up(program(...all));
    expect(order(world)).toEqual(['a', 'b', 'c']);
    await world.up(next);
    expect(order(world)).toEqual(expected);
  });

  test('what a failed step left, and what came to no step, stay behind as they were', async () => {
    const world = new MockStack();
    await world.up(program(...all));
    world.providers.behaviour = { update: () => Promise.reject(new Error('no')) };
    const failing = program(['a', '1'], ['b', '2'], ['c', '1']);
    await world.up(failing, { policy: { continueOnError: true } });
    expect(order(world)).toEqual(['a', 'c', 'b']);
  });
});

describe('deletes', () => {
  test('LT1-194 waves: dependents first, children of a component before what others depend on', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const first = await p.component('first');
      const nested = await p.component('nested', { parent: first.urn });
      const sg = await p.register('sg', {}, { parent: nested.urn });
      const second = await p.component('second', {
        dependencies: [first.urn],
        propertyDependencies: { sgID: [sg.urn] },
      });
      await p.register('rule', {}, { parent: second.urn, dependencies: [sg.urn] });
    });
    const { steps } = await world.destroy();
    const at = (name: string) => steps.indexOf(`delete ${name}`);
    const before: [string, string][] = [
      ['rule', 'sg'],
      ['rule', 'second'],
      ['second', 'first'],
      ['second', 'sg'],
      ['sg', 'nested'],
      ['nested', 'first'],
    ];
    for (const [a, b] of before) expect(at(a)).toBeLessThan(at(b));
    expect(world.state).toEqual([]);
  });

  test('LT1-088 LT1-089 a live entry and its pending delete both go, each once', async () => {
    const world = new MockStack();
    world.providers.behaviour = {
      diff: replaceOn(['foo']),
      delete: () => Promise.reject(new ProviderError('INVALID_ARGUMENT', 'no')),
    };
    await world.up(one({ foo: 1 }));
    await world.up(one({ foo: 2 }));
    expect(world.state).toEqual(['default', 'resA', 'resA(delete)']);
    world.providers.behaviour = {};
    const run = await world.destroy();
    expect([...run.steps].sort()).toEqual(['delete resA', 'delete-replaced resA']);
    expect(world.state).toEqual([]);
  });
});

describe('reads', () => {
  test('LT1-221 LT1-222 LT1-223 reading what was managed, relinquishing it, taking it over', async () => {
    const world = new MockStack();
    await world.up(one({ a: 1 }));
    const { id } = world.entry('resA');
    const other = await world.up(async (p) => {
      await p.read('resA', 'read-id');
    });
    expect(other.steps).toEqual(['read-replacement resA', 'replace resA', 'delete-replaced resA']);
    expect(world.entry('resA')).toMatchObject({ external: true, id: 'read-id' });
    expect(world.providers.calls.find((call) => call.method === 'delete')?.request).toMatchObject({ id });
    const taken = await world.up(one({ a: 1 }));
    expect(taken.steps).toEqual(['create-replacement resA', 'replace resA', 'discard-replaced resA']);
    expect(world.providers.called('delete')).toHaveLength(1);
    const own = world.entry('resA').id;
    const relinquished = await world.up(async (p) => {
      await p.read('resA', own);
    });
    expect(relinquished.steps).toEqual(['read resA']);
    const dropped = await world.up(() => Promise.resolve());
    expect(dropped.steps).toEqual(['read-discard resA']);
    expect(world.providers.called('delete')).toHaveLength(1);
  });

  test('LT1-026 LT1-226 reading what does not exist fails', async () => {
    const world = new MockStack();
    world.providers.behaviour = {
      read: () =>
        Promise.resolve({ id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false }),
    };
    const run = await world.up(async (p) => {
      await p.read('resA', 'nothing');
    });
    expect(run.errors).toEqual([expect.stringContaining("resource 'nothing' does not exist")]);
    expect(world.state).toEqual(['default']);
  });

  test('the answer has the id that the provider reports, in a preview too, and none while it is unknown', async () => {
    const world = new MockStack();
    world.providers.behaviour = {
      read: () =>
        Promise.resolve({ id: 'i-1', inputs: emptyMap, outputs: emptyMap, refreshBeforeUpdate: false }),
    };
    const ids: string[] = [];
    await world.preview(async (p) => {
      ids.push((await p.read('known', 'I-1')).id, (await p.read('unknown', UNKNOWN_ID)).id);
    });
    await world.up(async (p) => void ids.push((await p.read('known', 'I-1')).id));
    expect(ids).toEqual(['i-1', '', 'i-1']);
  });
});

describe('imports', () => {
  const found =
    (inputs: Inputs, id = 'imported-id') =>
    () =>
      Promise.resolve({
        id,
        inputs: propertyMap(inputs),
        outputs: propertyMap({ ...inputs, out: 41 }),
        refreshBeforeUpdate: false,
      });

  test('LT1-121 LT1-122 LT1-143 import, then same, then update; the import id persists', async () => {
    const world = new MockStack();
    world.providers.behaviour = { read: found({ foo: 'bar' }) };
    const fresh = await world.up(one({ foo: 'bar' }, { importId: 'id' }));
    expect(fresh.steps).toEqual(['import resA']);
    expect(world.entry('resA')).toMatchObject({
      id: 'imported-id',
      importId: 'id',
      outputs: { foo: 'bar', out: 41 },
    });
    expect((await world.up(one({ foo: 'bar' }, { importId: 'id' }))).steps).toEqual(['same resA']);
    expect((await world.up(one({ foo: 'rab' }, { importId: 'id' }))).steps).toEqual(['update resA']);
    expect(world.entry('resA')).toMatchObject({ id: 'imported-id', importId: 'id' });
    world.providers.behaviour = { read: found({ foo: 'bar' }), diff: replaceOn(['foo']) };
    const refused = await world.up(one({ foo: 'replace' }, { importId: 'id' }));
    expect(refused.errors).toEqual([expect.stringContaining('still specify an id')]);
    expect(refused.result.diagnostics[0]?.causes).toEqual(['foo: "rab" => "replace"']);
  });

  test('LT1-121 an import that differs is imported and updated; another id replaces', async () => {
    const world = new MockStack();
    world.providers.behaviour = { read: found({ foo: 'bar' }) };
    expect((await world.up(one({}, { importId: 'id' }))).steps).toEqual(['import resA', 'update resA']);
    world.providers.behaviour = { read: found({}, 'other') };
    const again = await world.up(one({}, { importId: 'id2' }));
    expect(again.steps).toEqual(['import-replacement resA', 'replace resA', 'delete-replaced resA']);
    expect(world.entry('resA').id).toBe('other');
  });

  test('LT1-140 an import whose update fails is recorded as it was found', async () => {
    const world = new MockStack();
    world.providers.behaviour = {
      read: found({ foo: 'bar' }),
      update: () => Promise.reject(new ProviderError('INVALID_ARGUMENT', 'no')),
    };
    const run = await world.up(one({ foo: 'baz' }, { importId: 'id' }));
    expect(run.steps).toEqual(['import resA', '!update resA']);
    expect(world.entry('resA').inputs).toEqual({ foo: 'bar' });
  });
});

describe('refreshes', () => {
  const drifting =
    (outputs: Inputs) =>
    ({ id }: { id: string }) =>
      Promise.resolve({ id, inputs: undefined, outputs: propertyMap(outputs), refreshBeforeUpdate: false });

  test('LT1-228 LT1-255 order and inputs are kept, outputs are taken over', async () => {
    const world = new MockStack();
    await world.up(chain('A', 'B', 'C', 'D'));
    const before = world.state;
    world.providers.behaviour = { read: drifting({ seen: true }) };
    const run = await world.refresh();
    expect(run.allSteps.every((step) => step.startsWith('refresh '))).toBe(true);
    expect(world.state).toEqual(before);
    expect(world.entry('C')).toMatchObject({ inputs: { x: 1 }, outputs: { seen: true } });
  });

  test('LT1-232 LT1-234 LT1-235 LT1-251 what is gone leaves the state, and no reference to it stays', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const a = await p.register('A');
      await p.register(
        'B',
        { propB1: 1 },
        { dependencies: [a.urn], propertyDependencies: { propB1: [a.urn] } },
      );
      await p.register('C', {}, { deletedWith: a.urn });
      await p.register('D', {}, { parent: a.urn });
    });
    world.providers.behaviour = {
      read: ({ urn, id, inputs, state }) =>
        Promise.resolve({
          id: urn.endsWith('::A') ? '' : id,
          inputs,
          outputs: state,
          refreshBeforeUpdate: false,
        }),
    };
    const run = await world.refresh();
    expect(run.errors).toEqual([]);
    expect(world.state).toEqual(['default', 'B', 'C', 'D']);
    expect(world.entry('B')).toMatchObject({ dependencies: [], propertyDependencies: {} });
    expect(world.entry('C').deletedWith).toBeUndefined();
    expect(world.entry('D').parent).toBeUndefined();
  });

  test('LT1-231 LT1-238 init errors are recorded and cleared, new ids are adopted, siblings of an error go on', async () => {
    const world = new MockStack();
    await world.up(chain('A', 'B'));
    world.providers.behaviour = {
      read: ({ urn, id, inputs, state }) =>
        urn.endsWith('::A')
          ? Promise.reject(new InitFailedError(id, state ?? emptyMap, inputs, ['broken'], false, 'not ready'))
          : Promise.resolve({ id: 'newid', inputs, outputs: state, refreshBeforeUpdate: false }),
    };
    expect((await world.refresh()).result.summary.result).toBe('succeeded');
    expect(world.entry('A').initErrors).toEqual(['broken']);
    expect(world.entry('B').id).toBe('newid');
    world.providers.behaviour = {
      read: ({ urn, id, inputs, state }) =>
        urn.endsWith('::B')
          ? Promise.reject(new ProviderError('INTERNAL', 'cannot read'))
          : Promise.resolve({ id, inputs, outputs: state, refreshBeforeUpdate: false }),
    };
    const failed = await world.refresh();
    expect(failed.result.summary.result).toBe('failed');
    expect(failed.result.inDoubt).toEqual([]);
    expect(world.entry('A').initErrors).toEqual([]);
    expect(world.entry('B').id).toBe('newid');
  });

  test('LT1-012 LT1-014 pending operations: a refresh drops all but creates, an up warns', async () => {
    const world = new MockStack();
    await world.up(one({ a: 1 }));
    const resource = world.entry('resA');
    const pendingOperations = [
      { type: 'updating' as const, resource },
      {
        type: 'creating' as const,
        resource: { ...resource, urn: `${resource.urn}B` as typeof resource.urn },
      },
    ];
    const start = { ...world.snapshot, pendingOperations };
    world.snapshot = start;
    const up = await world.up(one({ a: 1 }));
    expect(up.result.diagnostics.map((each) => each.code)).toEqual(['CAIRN-IN-DOUBT', 'CAIRN-IN-DOUBT']);
    expect(world.snapshot.pendingOperations.map((each) => each.type)).toEqual(['creating']);
    world.snapshot = start;
    const refreshed = await world.refresh();
    expect(refreshed.result.diagnostics).toEqual([]);
    expect(world.snapshot.pendingOperations.map((each) => each.type)).toEqual(['creating']);
  });

  test('up with refresh sees what was found; LT1-265 flagged entries are always refreshed first', async () => {
    const world = new MockStack();
    await world.up(one({ a: 1 }));
    world.providers.behaviour = {
      read: ({ id }) =>
        Promise.resolve({
          id,
          inputs: propertyMap({ a: 2 }),
          outputs: propertyMap({ a: 2 }),
          refreshBeforeUpdate: true,
        }),
    };
    const run = await world.up(one({ a: 1 }), { scope: { refresh: true } });
    expect(run.steps).toEqual(['refresh resA', 'update resA']);
    expect(world.entry('resA').inputs).toEqual({ a: 1 });
    await world.refresh();
    const flagged = await world.up(one({ a: 2 }));
    expect(flagged.steps[0]).toBe('refresh resA');
  });

  test('LT1-229 LT1-230 external entries are compared by outputs only', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      await p.read('resA', 'x');
    });
    world.providers.behaviour = {
      read: drifting({ n: 1 }),
      diff: () => Promise.reject(new Error('diff of an external entry')),
    };
    const run = await world.refresh();
    expect(run.errors).toEqual([]);
    expect(world.entry('resA')).toMatchObject({ external: true, outputs: { n: 1 } });
  });
});

describe('aliases', () => {
  test('LT1-144 LT1-146 renames, chains of renames and dropped aliases are all the same object', async () => {
    const world = new MockStack();
    await world.up(one({ a: 1 }));
    const { id } = world.entry('resA');
    for (const [name, aliases] of [
      ['resB', ['resA']],
      ['resC', ['resX', 'resB', 'resA']],
      ['resC', ['resB']],
      ['resC', []],
    ] as const) {
      const run = await world.up(async (p) => {
        await p.register(name, { a: 1 }, { aliases: aliases.map((alias) => p.urn(alias)) });
      });
      expect(run.steps).toEqual([`same ${name}`]);
      expect(world.entry(name).id).toBe(id);
    }
    const changed = await world.up(async (p) => {
      await p.register('resD', { a: 2 }, { aliases: [p.urn('resC')] });
    });
    expect(changed.steps).toEqual(['update resD']);
  });

  test('LT1-147 LT1-219 two resources cannot claim one entry', async () => {
    const world = new MockStack();
    await world.up(one({ a: 1 }));
    const rows: BareProgramFunction[] = [
      async (p) => {
        await p.register('resA', { a: 1 });
        await p.register('resB', { a: 1 }, { aliases: [p.urn('resA')] });
      },
      async (p) => {
        await p.register('resB', { a: 1 }, { aliases: [p.urn('resA')] });
        await p.register('resC', { a: 1 }, { aliases: [p.urn('resA')] });
      },
      async (p) => {
        await p.register('resC', { a: 1 }, { aliases: [p.urn('resB')] });
        await p.register('resB', { a: 1 });
      },
    ];
    for (const program of rows)
      expect((await world.up(program)).errors).toEqual([expect.stringContaining('CAIRN-RESOURCE-DUPLICATE')]);
  });

  test('LT1-148 LT1-154 LT1-155 own URN wins; references follow renamed entries', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const provider = await p.provider('prov', { v: 1 });
      const a = await p.register('resA', {}, { provider });
      await p.register('resB', { in: 1 }, { provider, dependencies: [a.urn] });
    });
    const run = await world.up(async (p) => {
      const old = p.urn('prov', 'pulumi:providers:pkgA');
      const provider = await p.provider('prov2', { v: 1 }, { aliases: [old] });
      const a = await p.register('resA2', {}, { provider, aliases: [p.urn('resA')] });
      await p.register('resB', { in: 1 }, { provider, dependencies: [a.urn], aliases: [p.urn('resA')] });
    });
    expect(run.errors).toEqual([]);
    expect(run.allSteps).toEqual(['same prov2', 'same resA2', 'same resB']);
    expect(world.entry('resB').dependencies).toEqual([world.entry('resA2').urn]);
  });
});

describe('other rules', () => {
  test('LT1-020 ignoreChanges: what cannot be followed is skipped', async () => {
    const start = { foo: { bar: 'baz' }, qux: ['zed'] };
    const rows: [Inputs, readonly string[], Inputs][] = [
      [{}, ['foo.bar'], {}],
      [{ qux: [] }, ['qux[0]'], { qux: [] }],
      [{}, ['qux[0]'], {}],
      [{ qux: ['zed', 'zob'] }, ['qux[1]'], { qux: ['zed', 'zob'] }],
      [{ foo: { bar: 'new' }, qux: ['new'] }, ['foo', 'qux[*]'], start],
    ];
    for (const [inputs, ignoreChanges, expected] of rows) {
      const world = new MockStack();
      await world.up(one(start));
      const run = await world.up(one(inputs, { ignoreChanges }));
      expect(run.errors).toEqual([]);
      expect(world.entry('resA').outputs).toEqual(expected);
    }
  });

  test('LT1-043 timestamps: created stays, modified moves with the resource only', async () => {
    const world = new MockStack();
    world.providers.behaviour = { diff: () => Promise.resolve(diffAnswer('some')) };
    const program: BareProgramFunction = async (p) => {
      await p.stack();
      await p.register('resA', { a: 1 });
    };
    await world.up(program);
    const before = new Map(world.snapshot.resources.map((entry) => [entry.urn, entry]));
    for (const entry of before.values()) expect(entry.created).toBe(entry.modified);
    await world.refresh();
    await world.up(program);
    for (const entry of world.snapshot.resources) {
      const old = before.get(entry.urn);
      expect(entry.created).toBe(old?.created);
      const changes = !isProviderType(entry.type) && entry.custom;
      expect(entry.modified === old?.modified).toBe(!changes);
    }
  });

  test('a component that changes keeps its times: no provider was asked', async () => {
    const world = new MockStack();
    const program =
      (a: number): BareProgramFunction =>
      async (p) => {
        await p.component('comp', { inputs: propertyMap({ a }) });
      };
    const comp = () => world.entry('comp');
    await world.up(program(1));
    const before = comp();
    expect((await world.up(program(2))).steps).toEqual(['update comp']);
    const after = comp();
    expect(after.inputs).not.toEqual(before.inputs);
    expect([after.created, after.modified]).toEqual([before.created, before.modified]);
  });

  test('LT1-044 checked inputs are what later calls get as old inputs [REG-5]', async () => {
    const world = new MockStack();
    world.providers.behaviour = {
      check: ({ news }) =>
        Promise.resolve({ inputs: propertyMap({ ...news, default: 'default' }), failures: [] }),
      create: ({ inputs }) =>
        Promise.resolve({
          id: 'x',
          outputs: propertyMap({ ...inputs, computed: 1 }),
          refreshBeforeUpdate: false,
        }),
    };
    await world.up(one({ foo: 'bar' }));
    await world.up(one({ foo: 'baz' }));
    const requestOf = (method: string) =>
      world.providers.calls.filter((call) => call.method === method).at(-1)?.request;
    expect(world.providers.calls.find((call) => call.method === 'check')?.request).toMatchObject({
      olds: undefined,
    });
    expect(requestOf('check')).toMatchObject({
      olds: { foo: 'bar', default: 'default' },
      news: { foo: 'baz' },
    });
    expect(requestOf('update')).toMatchObject({
      oldInputs: { foo: 'bar', default: 'default' },
      oldOutputs: { foo: 'bar', default: 'default', computed: 1 },
      news: { foo: 'baz', default: 'default' },
    });
  });

  test('LT1-052 checks and diffs of independent resources overlap', async () => {
    const world = new MockStack();
    const both: BareProgramFunction = async (p) => {
      await Promise.all([p.register('resA', { v: 1 }), p.register('resB', { v: 1 })]);
    };
    await world.up(both);
    let entered = 0;
    const waiting: (() => void)[] = [];
    world.providers.behaviour = {
      diff: () =>
        new Promise((resolve) => {
          entered += 1;
          waiting.push(() => resolve(diffAnswer('none')));
          if (entered === 2) waiting.forEach((go) => go());
        }),
    };
    expect((await world.up(both)).steps.toSorted()).toEqual(['same resA', 'same resB']);
  });

  test.each([0, 1, 2, Infinity])(
    'LT1-246 parallel %d: more registrations than workers do not block each other',
    async (parallel) => {
      const world = new MockStack();
      const many: BareProgramFunction = async (p) => {
        await Promise.all([1, 2, 3, 4, 5, 6].map((n) => p.register(`res${n}`, { v: n })));
      };
      const run = await world.up(many, { concurrency: { parallel } });
      expect(run.errors).toEqual([]);
      expect((await world.refresh({ concurrency: { parallel } })).errors).toEqual([]);
      expect((await world.destroy({ concurrency: { parallel } })).errors).toEqual([]);
      expect(world.state).toEqual([]);
    },
  );

  test('LT1-185 a provider without changes keeps its outputs and stores the new inputs', async () => {
    const world = new MockStack();
    const program =
      (value: number): BareProgramFunction =>
      async (p) => {
        await p.provider('provA', { value });
      };
    await world.up(program(100));
    world.providers.behaviour = { diffConfig: () => Promise.resolve(diffAnswer('none')) };
    const run = await world.up(program(200));
    expect(run.allSteps).toEqual(['same provA']);
    expect(world.entry('provA')).toMatchObject({ inputs: { value: 200 }, outputs: { value: 100 } });
  });
});
