import { ProviderError, InitFailedError } from '@cairn/wire';
import type { StatusName } from '@cairn/wire';
import { UNKNOWN, propertyMap, secret } from '@cairn/values';
import type { RunningOperation } from '@cairn/engine';
import { MockStack, replaceOn } from '@cairn/testkit';
import type { BareProgramFunction, Inputs, Options, StackBehaviour } from '@cairn/testkit';

const one =
  (inputs: Inputs, options: Options = {}): BareProgramFunction =>
  async (p) => {
    await p.register('resA', inputs, options);
  };

const refused =
  (code: 'INVALID_ARGUMENT' | 'UNKNOWN' | 'INTERNAL' | 'DATA_LOSS' = 'INVALID_ARGUMENT') =>
  () =>
    Promise.reject(new ProviderError(code, 'no'));

describe('failures leave a true state', () => {
  test('LT1-055 a failed create stores nothing and the program does not go on', async () => {
    const world = new MockStack();
    let reached = false;
    world.providers.behaviour = { create: refused() };
    const run = await world.up(async (p) => {
      await p.register('resA');
      reached = true;
    });
    expect(run.errors).toEqual([
      'CAIRN-RESOURCE-FAILED cannot create urn:pulumi:test::test::pkgA:m:typA::resA: no',
    ]);
    expect(run.result.summary.result).toBe('failed');
    expect(reached).toBe(false);
    expect(world.state).toEqual(['default']);
    expect(world.snapshot.pendingOperations).toEqual([]);
  });

  test('3.2 a failure that was answered is over, also with the code of every exception: nothing stays pending', async () => {
    const world = new MockStack();
    world.providers.behaviour = { create: refused('UNKNOWN') };
    const run = await world.up(one({ foo: 1 }));
    expect(run.result.inDoubt).toEqual([]);
    expect(run.result.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'CAIRN-RESOURCE-FAILED',
        hint: expect.stringContaining('remove that by hand'),
      }),
    );
    expect(world.snapshot.pendingOperations).toEqual([]);
    world.providers.behaviour = {};
    const next = await world.up(one({ foo: 1 }));
    expect(next.result.diagnostics).toEqual([]);
    expect(world.state).toEqual(['default', 'resA']);
  });

  test.each(['INTERNAL', 'DATA_LOSS'] as const)(
    '%s keeps the begin entry and names the resource [PROV-16]',
    async (code) => {
      const world = new MockStack();
      world.providers.behaviour = { create: refused(code) };
      const run = await world.up(one({ foo: 1 }));
      expect(run.result.inDoubt).toEqual([expect.objectContaining({ kind: 'create', id: '' })]);
      expect(world.snapshot.pendingOperations.map((each) => each.type)).toEqual(['creating']);
      const next = await world.up(one({ foo: 1 }));
      expect(next.result.diagnostics).toContainEqual(
        expect.objectContaining({ code: 'CAIRN-IN-DOUBT', severity: 'warning' }),
      );
    },
  );

  test('LT1-015 a partly failed update keeps old inputs and new outputs', async () => {
    const world = new MockStack();
    await world.up(one({ input_prop: 'old' }));
    world.providers.behaviour = {
      update: () =>
        Promise.reject(
          new InitFailedError('', propertyMap({ output_prop: 42 }), undefined, ['not ready'], false, 'late'),
        ),
    };
    const run = await world.up(one({ input_prop: 'new' }));
    expect(run.steps).toEqual(['!update resA']);
    expect(run.errors).toEqual([expect.stringContaining('CAIRN-RESOURCE-INIT-FAILED')]);
    const entry = world.entry('resA');
    expect(entry.inputs).toEqual({ input_prop: 'old' });
    expect(entry.outputs).toEqual({ output_prop: 42 });
    expect(entry.initErrors).toEqual(['not ready']);
    world.providers.behaviour = {};
    const again = await world.up(one({ input_prop: 'old' }));
    expect(again.steps).toEqual(['update resA']);
    expect(world.entry('resA').initErrors).toEqual([]);
  });

  test('a partly failed create is recorded', async () => {
    const world = new MockStack();
    world.providers.behaviour = {
      create: () =>
        Promise.reject(
          new InitFailedError('half', propertyMap({ a: 1 }), undefined, ['slow'], false, 'late'),
        ),
    };
    const run = await world.up(one({ a: 1 }));
    expect(run.result.summary.result).toBe('failed');
    expect(world.entry('resA')).toMatchObject({ id: 'half', initErrors: ['slow'] });
  });

  test('a delete that fails with an object keeps it as it is now, in its place, and the next run deletes it', async () => {
    const world = new MockStack();
    const three: BareProgramFunction = async (p) => {
      const { urn } = await p.register('resA', { a: 1 });
      const inner = await p.register('resB', { b: 1 }, { parent: urn });
      await p.register('resC', {}, { dependencies: [inner.urn] });
    };
    await world.up(three);
    const left = propertyMap({ half: secret('x') });
    world.providers.behaviour = {
      delete: ({ name }) =>
        name === 'resB'
          ? Promise.reject(new InitFailedError('', left, undefined, ['in use'], false, 'busy'))
          : Promise.resolve(),
    };
    const run = await world.up(one({ a: 1 }));
    expect(run.steps).toContain('!delete resB');
    expect(run.result.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'CAIRN-RESOURCE-FAILED', causes: ['in use'] }),
    );
    expect(world.entry('resB')).toMatchObject({
      inputs: { b: 1 },
      outputs: left,
      initErrors: [],
      delete: false,
    });
    expect(world.snapshot.pendingOperations).toEqual([]);
    expect(world.state).toEqual(['default', 'resA', 'resB']);
    world.providers.behaviour = {};
    const next = await world.up(one({ a: 1 }));
    expect(next.steps).toContain('delete resB');
    expect(world.state).toEqual(['default', 'resA']);
  });

  test('the old object of a replacement that could not be deleted is kept as it is now', async () => {
    const world = new MockStack();
    await world.up(one({ a: 1 }));
    world.providers.behaviour = {
      diff: replaceOn(['a']),
      delete: () =>
        Promise.reject(new InitFailedError('', propertyMap({ half: 1 }), undefined, [], false, 'busy')),
    };
    await world.up(one({ a: 2 }));
    const old = world.snapshot.resources.find((each) => each.delete);
    expect(old).toMatchObject({ inputs: { a: 1 }, outputs: { half: 1 }, delete: true });
    expect(world.entry('resA')).toMatchObject({ inputs: { a: 2 }, delete: false });
    world.providers.behaviour = {};
    await world.up(one({ a: 2 }));
    expect(world.snapshot.resources.filter((each) => each.delete)).toEqual([]);
  });

  const badAnswers: [string, StackBehaviour, string][] = [
    [
      'no id',
      { create: () => Promise.resolve({ id: '', outputs: propertyMap({}), refreshBeforeUpdate: false }) },
      'no id',
    ],
    [
      'NaN id',
      {
        create: () =>
          Promise.resolve({ id: NaN as never, outputs: propertyMap({}), refreshBeforeUpdate: false }),
      },
      'its id is number',
    ],
    [
      'unknown output',
      {
        create: () =>
          Promise.resolve({ id: 'x', outputs: propertyMap({ a: [UNKNOWN] }), refreshBeforeUpdate: false }),
      },
      '"a[0]" is not known',
    ],
    [
      'no checked inputs',
      { check: () => Promise.resolve({ inputs: undefined as never, failures: [] }) },
      'no inputs',
    ],
  ];
  test.each(badAnswers)(
    'an answer with %s is refused, naming the provider',
    async (_name, behaviour, text) => {
      const world = new MockStack();
      world.providers.behaviour = behaviour;
      const run = await world.up(one({ a: 1 }));
      expect(run.errors).toEqual([expect.stringMatching(/^CAIRN-PROVIDER-ANSWER provider "pkgA"/)]);
      expect(run.errors[0]).toContain(text);
      expect(world.state).toEqual(['default']);
    },
  );

  test('LT1-004 LT1-005 check errors and check failures', async () => {
    const world = new MockStack();
    world.providers.behaviour = { check: refused() };
    expect((await world.up(one({}))).errors).toEqual([expect.stringContaining(': no')]);
    world.providers.behaviour = {
      check: ({ news }) =>
        Promise.resolve({
          inputs: news,
          failures: [
            { property: 'someprop', reason: 'field is not valid' },
            { property: '', reason: 'nor is the rest' },
          ],
        }),
    };
    const run = await world.up(one({}));
    expect(run.errors).toEqual([
      expect.stringContaining('property someprop value {<nil>} has a problem: field is not valid'),
      expect.stringContaining('nor is the rest'),
    ]);
    expect(run.steps).toEqual([]);
  });

  test('LT1-006 LT1-054 a failing program deletes nothing [REG-3]', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      await p.register('resA');
      await p.register('resB');
    });
    const run = await world.up(async (p) => {
      await p.register('resA');
      throw new Error('the program is broken');
    });
    expect(run.errors).toEqual(['CAIRN-PROGRAM-FAILED the program is broken']);
    expect(world.state).toEqual(['default', 'resA', 'resB']);
  });

  const wrong: [string, BareProgramFunction, string][] = [
    [
      'LT1-218 a duplicate URN',
      async (p) => {
        await p.register('resA');
        await p.register('resA');
      },
      'CAIRN-RESOURCE-DUPLICATE',
    ],
    [
      'LT1-218 a read of a registered URN',
      async (p) => {
        await p.register('resA');
        await p.read('resA', 'x');
      },
      'CAIRN-RESOURCE-DUPLICATE',
    ],
    [
      'a missing parent',
      async (p) => {
        await p.register('resA', {}, { parent: p.urn('nobody') });
      },
      'CAIRN-RESOURCE-PARENT',
    ],
    [
      'a dependency on itself',
      async (p) => {
        await p.register('resA', {}, { dependencies: [p.urn('resA')] });
      },
      'CAIRN-RESOURCE-CYCLE',
    ],
    [
      'a dependency on something later',
      async (p) => {
        await p.register('resA', {}, { dependencies: [p.urn('resB')] });
      },
      'CAIRN-RESOURCE-OPTION',
    ],
    [
      'outputs of something that is not pending',
      async (p) => {
        await p.outputs(p.urn('nobody'), {});
      },
      'CAIRN-RESOURCE-OPTION',
    ],
  ];
  test('LT1-008 a bad type token is one clear error', async () => {
    const { errors, result } = await new MockStack().up(async (p) => {
      await p.register('resA', {}, { type: 'very:bad' });
    });
    expect(errors).toEqual([expect.stringContaining('type "very:bad" of "resA" is not of the form')]);
    expect(result.summary.result).toBe('failed');
  });

  test.each(wrong)('%s is one clear error', async (_name, program, code) => {
    const world = new MockStack();
    const run = await world.up(program);
    expect(run.errors).toEqual([expect.stringMatching(new RegExp(`^${code} `))]);
    expect(run.result.diagnostics[0]).toMatchObject({ urn: expect.any(String), hint: expect.any(String) });
    expect(run.result.summary.result).toBe('failed');
  });

  test('LT1-208 LT1-209 LT1-215 continue-on-error: dependents are skipped, the rest goes on', async () => {
    const world = new MockStack();
    const failing: StackBehaviour = {
      create: ({ urn, inputs }) =>
        urn.includes('failing')
          ? urn.endsWith('3')
            ? Promise.reject(new InitFailedError('part', inputs, undefined, ['late'], false, 'late'))
            : Promise.reject(new ProviderError('INVALID_ARGUMENT', 'no'))
          : Promise.resolve({ id: `id-${urn}`, outputs: inputs, refreshBeforeUpdate: false }),
    };
    world.providers.behaviour = failing;
    const results: Record<string, string> = {};
    const run = await world.up(
      async (p) => {
        const put = async (name: string, options: Options = {}) => {
          const { result, urn } = await p.register(name, { a: 1 }, options);
          results[name] = result;
          return urn;
        };
        const bad = await put('failing1');
        await put('failing3');
        await put('child', { parent: bad });
        await put('deletedWith', { deletedWith: bad });
        const dependent = await put('dependent', { dependencies: [bad] });
        await put('transitive', { dependencies: [dependent] });
        const good = await put('independent1');
        await put('independent2', { dependencies: [good] });
      },
      { policy: { continueOnError: true } },
    );
    expect(results).toEqual({
      failing1: 'fail',
      failing3: 'fail',
      child: 'skip',
      deletedWith: 'skip',
      dependent: 'skip',
      transitive: 'skip',
      independent1: 'success',
      independent2: 'success',
    });
    expect(run.result.summary.result).toBe('failed');
    expect([...world.state].sort()).toEqual(['default', 'failing3', 'independent1', 'independent2']);
  });

  test('LT1-216 continue-on-error keeps what a failed resource still needs', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      await p.register('resA', { x: 1 }, { provider: await p.provider('provA') });
    });
    world.providers.behaviour = { diffConfig: replaceOn(['v']) as never, create: refused() };
    const run = await world.up(
      async (p) => {
        const provider = await p.provider('provB', { v: 2 });
        await p.register('resA', { x: 1 }, { provider });
      },
      { policy: { continueOnError: true } },
    );
    expect(run.errors).toHaveLength(1);
    expect(world.state).toEqual(['provB', 'provA', 'resA']);
  });

  test('LT1-097 every protected delete is reported; LT1-099 what they need stays, stale copies go', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const a = await p.register('A', { foo: 1 });
      await p.register('B', {}, { protect: true, dependencies: [a.urn] });
      await p.register('C', {}, { protect: true });
    });
    world.providers.behaviour = { diff: replaceOn(['foo']), delete: refused() };
    await world.up(async (p) => {
      const a = await p.register('A', { foo: 2 });
      await p.register('B', {}, { protect: true, dependencies: [a.urn] });
      await p.register('C', {}, { protect: true });
    });
    expect(world.state).toContain('A(delete)');
    world.providers.behaviour = {};
    const run = await world.destroy();
    expect(run.errors).toHaveLength(2);
    expect(run.steps).toEqual(['!delete B', '!delete C', 'delete-replaced A']);
    expect([...world.state].sort()).toEqual(['A', 'B', 'C', 'default']);
  });

  test('LT2-033 what a failed delete depends on stays', async () => {
    const world = new MockStack();
    await world.up(async (p) => {
      const a = await p.register('resA');
      await p.register('resB', {}, { dependencies: [a.urn] });
      await p.register('resC');
    });
    world.providers.behaviour = {
      delete: ({ urn }) => (urn.endsWith('resB') ? refused()() : Promise.resolve()),
    };
    const run = await world.destroy({ policy: { continueOnError: true } });
    expect(run.result.summary.result).toBe('failed');
    expect(world.providers.called('delete').toSorted()).toEqual(['delete resB', 'delete resC']);
    expect([...world.state].sort()).toEqual(['default', 'resA', 'resB']);
  });

  test('cancel: what runs ends and is stored, nothing more starts', async () => {
    const world = new MockStack();
    let core: RunningOperation | undefined;
    world.providers.behaviour = {
      create: ({ inputs }) => {
        core?.cancel();
        return Promise.resolve({ id: 'x', outputs: inputs, refreshBeforeUpdate: false });
      },
    };
    const run = await world.up(
      async (p) => {
        await p.register('resA');
        await p.register('resB');
      },
      { onStart: (started) => (core = started) },
    );
    expect(run.result.summary.result).toBe('cancelled');
    expect(run.steps).toEqual(['create resA']);
    expect(world.state).toEqual(['default', 'resA']);
  });

  test.each<[StatusName | undefined, string[], string[]]>([
    [undefined, [], ['default', 'resA']],
    ['UNKNOWN', ['create'], ['default']],
    ['CANCELLED', ['create'], ['default']],
    ['UNAVAILABLE', ['create'], ['default']],
    ['DEADLINE_EXCEEDED', ['create'], ['default']],
    ['ABORTED', [], ['default']],
    ['FAILED_PRECONDITION', [], ['default']],
  ])('cancel of what runs: an answer %s leaves %j in doubt and %j in state', async (code, doubts, state) => {
    const world = new MockStack();
    let core: RunningOperation | undefined;
    world.providers.behaviour = {
      create: ({ inputs }) => {
        core?.cancelRunning();
        return code === undefined
          ? Promise.resolve({ id: 'x', outputs: inputs, refreshBeforeUpdate: false })
          : Promise.reject(new ProviderError(code, 'ended'));
      },
    };
    const run = await world.up(one({ a: 1 }), { onStart: (started) => (core = started) });
    expect(run.result.summary.result).toBe('cancelled');
    expect(run.result.inDoubt.map(({ kind }) => kind)).toEqual(doubts);
    expect(world.state).toEqual(state);
    expect(world.snapshot.pendingOperations).toHaveLength(doubts.length);
  });

  test('an abort after everything was done comes too late and changes nothing', async () => {
    const world = new MockStack();
    let core: RunningOperation | undefined;
    const run = await world.up(one({ a: 1 }), { onStart: (started) => (core = started) });
    expect(run.result.summary.result).toBe('succeeded');
    expect(core?.abort({ rollback: true })).toBe(false);
    expect(world.state).toEqual(['default', 'resA']);
  });

  test('kill: what runs is named as in doubt and stays begun', async () => {
    const world = new MockStack();
    let core: RunningOperation | undefined;
    world.providers.behaviour = {
      create: () => {
        queueMicrotask(() => core?.kill());
        return new Promise(() => undefined);
      },
    };
    const run = await world.up(one({ a: 1 }), { onStart: (started) => (core = started) });
    expect(run.result.summary.result).toBe('cancelled');
    expect(run.result.inDoubt).toEqual([
      expect.objectContaining({ kind: 'create', urn: expect.stringContaining('resA') }),
    ]);
    expect(world.snapshot.pendingOperations.map((each) => each.type)).toEqual(['creating']);
  });

  test('LT1-220 LT1-039 outputs of secret inputs and listed outputs are secret', async () => {
    const world = new MockStack();
    const inputs = { hidden: secret('x'), listed: 1, open: 2, deep: [1, secret('y')] };
    await world.up(one(inputs, { additionalSecretOutputs: ['listed'] }));
    // A mark of the provider within a list is sufficient.
    expect(world.entry('resA').outputs).toEqual({ ...inputs, listed: secret(1) });
  });

  test('a store that fails at any append stops the operation with its error; what was recorded stays', async () => {
    for (let failingAppend = 1; failingAppend < 8; failingAppend += 1) {
      const world = new MockStack();
      const run = await world.up(
        async (p) => {
          await p.register('resA', { a: 1 });
          await p.register('resB', { a: 1 });
        },
        { failingAppend },
      );
      expect(run.errors).toEqual(['CAIRN-STORE-FULL the disk is full']);
      expect(run.result.summary.result).toBe('failed');
      expect(['default', 'resA', 'resB'].slice(0, world.state.length)).toEqual(world.state);
      const recorded = new Set(world.state);
      const begun = new Set(
        world.snapshot.pendingOperations.map((each) => each.resource.urn.split('::').at(-1)),
      );
      const created = world.providers.called('create').map((call) => call.slice('create '.length));
      for (const name of created) expect(recorded.has(name) || begun.has(name)).toBe(true);
    }
  });
});
