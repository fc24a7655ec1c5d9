import { makeUrn, parseProviderReference, urnName } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { OutputValue, ResourceReference, UNKNOWN, emptyMap, propertyMap, secret } from '@cairn/values';
import { InvalidInputsError, ProviderError } from '@cairn/wire';
import type { CallRequest, ConstructRequest, Monitor } from '@cairn/wire';
import {
  MockWorld,
  SnapshotBuilder,
  callRequest,
  invokeRequest,
  readRequest,
  registerRequest,
  runScenario,
} from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramContext, ProgramFunction, Scenario } from '@cairn/testkit';

/** Answers of the monitor about components, methods, functions and options, with the whole engine. */

const TYPE = 'pkgA:m:typA';
const REMOTE = 'pkgA:m:Remote';
const home = { project: 'test', stack: 'test' };
const urnOf = (type: string, name: string, parent?: Urn) => makeUrn({ ...home, type, name, parent });

function entry(snapshot: Snapshot, name: string): ResourceEntry {
  const found = snapshot.resources.find(({ urn }) => urnName(urn) === name);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

/** A provider whose constructor registers the component, runs `inside`, and answers. */
function constructing(
  box: { monitor?: Monitor },
  seen: ConstructRequest[],
  inside: (
    monitor: Monitor,
    self: Urn,
    request: ConstructRequest,
  ) => Promise<Partial<Awaited<ReturnType<NonNullable<MockBehaviour['construct']>>>>> = async () => ({}),
): MockBehaviour {
  return {
    construct: async (request) => {
      seen.push(request);
      const monitor = box.monitor as Monitor;
      const { type, name, parent = '', options } = request;
      const { urn } = await monitor.registerResource(
        registerRequest({
          type,
          name,
          parent,
          custom: false,
          deletedWith: options.deletedWith ?? '',
          providers: options.providers,
        }),
      );
      const answer = await inside(monitor, urn, request);
      await monitor.registerResourceOutputs({ urn, outputs: answer.outputs ?? emptyMap });
      return { urn, outputs: emptyMap, outputDependencies: {}, ...answer };
    },
  };
}

const remote = (
  context: ProgramContext,
  name: string,
  options: Parameters<ProgramContext['resource']>[3] = {},
  inputs = {},
) => context.resource(REMOTE, name, inputs, { custom: false, remote: true, ...options });

describe('remote components', () => {
  test('LT1-192 LT1-193 the constructor registers the component and its child; outputs reach the program', async () => {
    const box: { monitor?: Monitor } = {};
    const seen: ConstructRequest[] = [];
    const behaviour = constructing(box, seen, async (monitor, self) => {
      await monitor.registerResource(registerRequest({ type: TYPE, name: 'child', parent: self }));
      return { outputs: propertyMap({ foo: 'bar' }) };
    });
    const providers = new MockWorld({ pkgA: { behaviour } });
    let prior = emptySnapshot;
    const program: ProgramFunction = async (context) => {
      box.monitor = context.monitor;
      const { outputs, id, urn } = await remote(context, 'resA', {}, { in: 1 });
      expect([outputs, id, urn]).toEqual([
        propertyMap({ foo: 'bar' }),
        '',
        urnOf(REMOTE, 'resA', context.stack),
      ]);
    };
    for (const expected of ['create', 'same']) {
      const outcome: Outcome = await runScenario({ providers, program, prior });
      expect(outcome.complaints).toEqual([]);
      expect(outcome.steps).toEqual([`${expected} resA`, `${expected} child`]);
      prior = outcome.snapshot;
    }
    expect(entry(prior, 'resA').outputs).toEqual(propertyMap({ foo: 'bar' }));
    expect(seen[0]?.context).toMatchObject({
      project: 'test',
      stack: 'test',
      organization: 'organization',
      dryRun: false,
    });
    expect((await runScenario({ providers, prior, kind: 'destroy' })).names).toEqual([]);
  });

  test('LT1-195 LT1-196 LT1-198 LT1-199 output values go in, plain values and dependencies come out', async () => {
    const box: { monitor?: Monitor } = {};
    const seen: ConstructRequest[] = [];
    const calls: CallRequest[] = [];
    const child = urnOf(TYPE, 'child', urnOf(REMOTE, 'resA'));
    const answered = {
      foo: new OutputValue('f', true, [child]),
      bar: new OutputValue(undefined, false, [child]),
    };
    const behaviour: MockBehaviour = {
      ...constructing(box, seen, async (monitor, self) => {
        await monitor.registerResource(registerRequest({ type: TYPE, name: 'child', parent: self }));
        return { outputs: propertyMap(answered), outputDependencies: { foo: [child] } };
      }),
      call: async (request) => {
        calls.push(request);
        return { result: propertyMap(answered), resultDependencies: { foo: [child] }, failures: [] };
      },
    };
    const outcome = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      preview: true,
      program: async (context) => {
        box.monitor = context.monitor;
        const { urn: resC } = await context.resource(TYPE, 'resC');
        const inputs = {
          arg: new OutputValue('v', true, [resC]),
          open: new OutputValue(undefined, false, []),
        };
        const made = await remote(context, 'resA', { propertyDependencies: { arg: [resC] } }, inputs);
        expect(made.outputs).toEqual(propertyMap({ foo: secret('f'), bar: UNKNOWN }));
        expect({ ...made.propertyDependencies }).toEqual({ foo: [child], bar: [child] });
        const self = new ResourceReference({ urn: made.urn });
        const answer = await context.monitor.call(
          callRequest({
            token: `${REMOTE}/method`,
            args: propertyMap({ __self__: self, ...inputs }),
            argDependencies: { arg: [resC], __self__: [] },
          }),
        );
        expect(answer.result).toEqual(propertyMap({ foo: secret('f'), bar: UNKNOWN }));
        expect({ ...answer.resultDependencies }).toEqual({ foo: [child], bar: [child] });
      },
    });
    expect(outcome.complaints).toEqual([]);
    const resC = urnOf(TYPE, 'resC');
    expect(seen[0]?.inputs).toEqual(
      propertyMap({ arg: new OutputValue('v', true, [resC]), open: new OutputValue(undefined, false, []) }),
    );
    expect({ ...seen[0]?.inputDependencies }).toEqual({ arg: [resC], open: [] });
    expect({ ...calls[0]?.argDependencies }).toEqual({ arg: [resC], __self__: [] });
  });

  test('LT1-177 LT1-178 LT1-182 options reach the constructor and are inherited', async () => {
    const box: { monitor?: Monitor } = {};
    const seen: ConstructRequest[] = [];
    const behaviour = constructing(box, seen, async (monitor, self) => {
      await monitor.registerResource(
        registerRequest({ type: TYPE, name: `${urnName(self)}-child`, parent: self }),
      );
      return {};
    });
    const { snapshot, complaints } = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      program: async (context) => {
        box.monitor = context.monitor;
        const { urn: deletable } = await context.component('my:i:Deletable', 'deletable');
        const provA = await context.provider('pkgA', 'provA');
        const comp = await context.component('my:i:Comp', 'comp', { providers: { pkgA: provA } });
        const resA = await remote(context, 'resA', {
          deletedWith: deletable,
          parent: comp.urn,
          protect: true,
        });
        await context.resource(TYPE, 'resB', {}, { parent: resA.urn, protect: false });
        const custom = await context.resource('pkgA:m:typC', 'custom', {}, { providers: { pkgA: provA } });
        await remote(context, 'resD', { parent: custom.urn });
      },
    });
    expect(complaints).toEqual([]);
    const deletable = urnOf('my:i:Deletable', 'deletable');
    for (const name of ['resA', 'resA-child', 'resB'])
      expect(entry(snapshot, name).deletedWith).toBe(deletable);
    expect(seen.map(({ options }) => Object.keys(options.providers))).toEqual([['pkgA'], []]);
    expect(seen[0]?.options).toMatchObject({ protect: true, deletedWith: deletable });
    const used = (name: string) =>
      urnName(parseProviderReference(entry(snapshot, name).provider as ProviderReference).urn);
    expect([used('resA-child'), used('resB'), used('resD-child')]).toEqual(['provA', 'provA', 'default']);
  });

  test.each([
    [{ customTimeouts: { create: '5m', update: '', delete: '' } }],
    [{ customTimeouts: { create: '', update: '1m', delete: '' } }],
    [{ customTimeouts: { create: '', update: '', delete: '1h' } }],
    [{ customTimeouts: undefined }],
    [{ replacementTrigger: 'v1' }],
    [{ replacementTrigger: undefined }],
  ])('the constructor is told what the program says of timeouts and triggers: %j [REG-12]', async (given) => {
    const box: { monitor?: Monitor } = {};
    const seen: ConstructRequest[] = [];
    const said = Object.values(given).some((value) => value !== undefined);
    const { complaints } = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour: constructing(box, seen) } }),
      program: async (context) => {
        box.monitor = context.monitor;
        await remote(context, 'resA', said ? given : undefined);
      },
    });
    expect(complaints).toEqual([]);
    expect(seen.map(({ options }) => options)).toEqual([expect.objectContaining(given)]);
  });

  test.each<[string, Error, RegExp, string[]]>([
    [
      'a failing constructor',
      new ProviderError('UNKNOWN', 'no luck'),
      /error CAIRN-RESOURCE-FAILED pkgA:m:Remote resource 'resA' has a problem: no luck/,
      [],
    ],
    [
      'refused inputs',
      new InvalidInputsError([{ path: 'a.b', reason: 'too small' }], 'bad inputs'),
      /pkgA:m:Remote resource 'resA' has a problem: bad inputs/,
      ['property a.b has a problem: too small'],
    ],
  ])('%s ends the operation; the program is not told why', async (_title, error, expected, causes) => {
    const providers = new MockWorld({ pkgA: {} });
    providers.failNext('construct', 'resA', error);
    let told: unknown;
    const outcome = await runScenario({
      providers,
      program: async (context) => {
        await remote(context, 'resA').catch((thrown: unknown) => {
          told = thrown;
          throw thrown;
        });
      },
    });
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.complaints).toHaveLength(1);
    expect(outcome.complaints[0]).toMatch(expected);
    expect(outcome.result.diagnostics[0]?.causes).toEqual(causes);
    expect(told).toMatchObject({ status: 'UNAVAILABLE' });
  });

  test('a child that fails inside a constructor is reported once', async () => {
    const box: { monitor?: Monitor } = {};
    const behaviour = constructing(box, [], async (monitor, self) => {
      await monitor.registerResource(registerRequest({ type: TYPE, name: 'child', parent: self }));
      return {};
    });
    const providers = new MockWorld({ pkgA: { behaviour } });
    providers.failNext('create', 'child', new ProviderError('INVALID_ARGUMENT', 'no room'));
    const { complaints, result } = await runScenario({
      providers,
      program: async (context) => {
        box.monitor = context.monitor;
        await remote(context, 'resA');
      },
    });
    expect(result.summary.result).toBe('failed');
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(/no room/);
  });

  test('while the provider has no settings, a preview makes an empty component', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const outcome = await runScenario({
      providers,
      preview: true,
      program: async (context) => {
        const provider = await context.provider('pkgA', 'provA', { key: UNKNOWN });
        const made = await remote(context, 'resA', { provider }, { x: 1 });
        expect(made.outputs).toEqual(emptyMap);
        const answer = await context.monitor.call(callRequest({ token: `${REMOTE}/m`, provider }));
        expect(answer.result).toEqual(emptyMap);
      },
    });
    expect(outcome.complaints).toEqual([]);
    expect(outcome.steps).toEqual(['create resA']);
    expect(providers.called('construct', 'call')).toEqual([]);
  });
});

describe('methods and questions', () => {
  test('LT1-206 a method is run by the provider of its receiver', async () => {
    const behaviour: MockBehaviour = {
      call: async (_request, { instance }) => ({
        result: instance.settings ?? emptyMap,
        resultDependencies: {},
        failures: [],
      }),
    };
    let result: unknown;
    const { complaints } = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      program: async ({ provider, resource, monitor }) => {
        const { urn, id } = await resource(
          TYPE,
          'resA',
          {},
          { provider: await provider('pkgA', 'provA', { state: 'foo' }) },
        );
        const args = propertyMap({ __self__: new ResourceReference({ urn, id }) });
        ({ result } = await monitor.call(callRequest({ token: `${TYPE}/m`, args })));
      },
    });
    expect([complaints, result]).toEqual([[], propertyMap({ state: 'foo' })]);
  });

  test('a method of a provider resource is its own', async () => {
    const behaviour: MockBehaviour = {
      call: async (_request, { instance }) => ({
        result: instance.settings ?? emptyMap,
        resultDependencies: {},
        failures: [],
      }),
    };
    let result: unknown;
    await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      program: async ({ provider, monitor }) => {
        const { urn, id } = parseProviderReference(await provider('pkgA', 'provA', { state: 'foo' }));
        const args = propertyMap({ __self__: new ResourceReference({ urn, id }) });
        ({ result } = await monitor.call(callRequest({ token: 'pulumi:providers:pkgA/m', args })));
      },
    });
    expect(result).toEqual(propertyMap({ state: 'foo' }));
  });

  test.each([
    ['up', true, [UNKNOWN]],
    ['refresh', true, [UNKNOWN]],
    ['refresh', false, []],
  ] as const)(
    'a method with an argument that is not known (%s, preview: %s)',
    async (kind, preview, expected) => {
      const asked: unknown[] = [];
      const behaviour: MockBehaviour = {
        call: async ({ args }) => {
          asked.push(args['size']);
          return { result: emptyMap, resultDependencies: {}, failures: [] };
        },
      };
      const { complaints } = await runScenario({
        kind,
        runProgram: kind === 'refresh',
        preview,
        providers: new MockWorld({ pkgA: { behaviour } }),
        program: async ({ monitor }) => {
          const args = propertyMap({ size: UNKNOWN });
          const { result } = await monitor.call(callRequest({ token: `${REMOTE}/m`, args }));
          expect(result).toEqual(emptyMap);
        },
      });
      expect([complaints, asked]).toEqual([[], expected]);
    },
  );

  test('a failing function is told to the program, which may go on', async () => {
    let message = '';
    const { result } = await runScenario({
      providers: new MockWorld({ pkgA: {} }),
      program: async ({ monitor }) => {
        await monitor
          .invoke(invokeRequest({ token: 'pkgA:m:fn' }))
          .catch((error: Error) => (message = error.message));
      },
    });
    expect(result.summary.result).toBe('succeeded');
    expect(message).toMatch(/^invocation of pkgA:m:fn returned an error: the mock of pkgA has no function/);
  });

  test.each([
    ['an unknown argument', true, async () => ({ args: propertyMap({ a: UNKNOWN }) })],
    [
      'a dependency that does not exist yet',
      true,
      async ({ resource }: ProgramContext) => ({ dependsOn: [(await resource(TYPE, 'resA')).urn] }),
    ],
    [
      'a component to depend on',
      false,
      async ({ component }: ProgramContext) => ({ dependsOn: [(await component('my:i:C', 'c')).urn] }),
    ],
  ])('in a preview, with %s, unknown is %s', async (_title, unknown, request) => {
    const previews: boolean[] = [];
    const behaviour: MockBehaviour = {
      invoke: async ({ preview }) => {
        previews.push(preview);
        return { result: propertyMap({ x: 1 }), failures: [] };
      },
    };
    let answer: unknown;
    await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      preview: true,
      program: async (context) => {
        answer = await context.monitor.invoke(
          invokeRequest({ token: 'pkgA:m:fn', ...(await request(context)) }),
        );
      },
    });
    expect(answer).toMatchObject({ unknown });
    expect(previews).toEqual(unknown ? [] : [true]);
  });
});

describe('the builtin package', () => {
  const stacks = { other: { outputs: propertyMap({ foo: 'bar', key: 's3' }), secretNames: ['key'] } };
  const REFERENCE = 'pulumi:pulumi:StackReference';
  const value = propertyMap({
    name: 'other',
    outputs: propertyMap({ foo: 'bar', key: secret('s3') }),
    secretOutputNames: ['key'],
  });
  const run = (program: ProgramFunction, rest: Partial<Scenario> = {}) =>
    runScenario({ providers: new MockWorld({ pkgA: {} }), stacks, program, ...rest });

  test('LT1-016 a stack reference is read, with secrets marked', async () => {
    const outcome = await run(async ({ read }) => {
      const { properties } = await read(REFERENCE, 'ref', 'other', {
        properties: propertyMap({ name: 'other' }),
      });
      expect(properties).toEqual(value);
    });
    expect([outcome.complaints, outcome.trace]).toEqual([
      [],
      ['create test-test', 'create provider:pulumi', 'read ref'],
    ]);
    const destroyed = await run(async () => {}, { kind: 'destroy', prior: outcome.snapshot });
    expect([destroyed.names, destroyed.steps]).toEqual([[], ['read-discard ref']]);
  });

  test.each([
    ['an unknown stack', 'rehto', { name: 'rehto' }, /there is no stack rehto/],
    ['an extra property', 'other', { name: 'other', extra: 1 }, /unknown property "extra"/],
  ])('LT1-016 reading %s fails the operation', async (_title, id, properties, expected) => {
    const outcome = await run(
      async ({ read }) => void (await read(REFERENCE, 'ref', id, { properties: propertyMap(properties) })),
    );
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.complaints.join()).toMatch(expected);
  });

  test('LT1-017 a registered stack reference works, with a warning; another name replaces it', async () => {
    const program =
      (name: string): ProgramFunction =>
      async ({ resource }) => {
        expect((await resource(REFERENCE, 'ref', { name })).outputs).toEqual(value);
      };
    const created = await run(program('other'));
    expect(created.steps).toEqual(['create ref']);
    expect(created.complaints).toEqual([expect.stringMatching(/^warning .*StackReference is deprecated/)]);
    const builder = new SnapshotBuilder(home);
    builder.provider('pulumi');
    builder.resource(REFERENCE, 'ref', { name: 'other2' });
    const renamed = await run(program('other'), { prior: builder.build() });
    expect(renamed.steps).toEqual(['create-replacement ref', 'replace ref', 'delete-replaced ref']);
    const failed = await run(
      async ({ resource }) => void (await resource(REFERENCE, 'ref', { name: 'rehto' })),
    );
    expect(failed.result.summary.result).toBe('failed');
  });

  test('a stash keeps the first value', async () => {
    const outputs: unknown[] = [];
    const program =
      (input: string): ProgramFunction =>
      async ({ resource }) => {
        outputs.push((await resource('pulumi:index:Stash', 'stash', { input })).outputs);
      };
    const first = await run(program('a'));
    const second = await run(program('b'), { prior: first.snapshot });
    expect(second.steps).toEqual(['update stash']);
    expect(outputs).toEqual([
      propertyMap({ input: 'a', output: 'a' }),
      propertyMap({ input: 'b', output: 'a' }),
    ]);
  });

  test('LT1-201 LT1-202 LT1-204 resources of this run are found by URN', async () => {
    const lookups: unknown[] = [];
    const outcome = await run(async ({ resource, component, outputs, read, monitor }) => {
      const look = async (urn: string) =>
        lookups.push(
          (
            await monitor.invoke(
              invokeRequest({ token: 'pulumi:pulumi:getResource', args: propertyMap({ urn }) }),
            )
          ).result,
        );
      const { urn, id } = await resource(TYPE, 'resA', { foo: 'bar' });
      await look(urn);
      const { urn: comp } = await component('my:i:C', 'comp');
      await outputs(comp, { out: 1 });
      await look(comp);
      expect(id).not.toBe('');
      const providers = await read(TYPE, 'readA', id, { properties: propertyMap({ foo: 'bar' }) });
      await look(providers.urn);
      await expect(look(urnOf(TYPE, 'nobody'))).rejects.toThrow(/unknown resource/);
    });
    expect(outcome.complaints).toEqual([]);
    const { id, provider } = entry(outcome.snapshot, 'resA');
    expect(lookups).toEqual([
      propertyMap({
        urn: urnOf(TYPE, 'resA'),
        id,
        provider: provider as string,
        state: propertyMap({ foo: 'bar' }),
      }),
      propertyMap({ urn: urnOf('my:i:C', 'comp'), id: '', provider: '', state: propertyMap({ out: 1 }) }),
      propertyMap({
        urn: urnOf(TYPE, 'readA'),
        id,
        provider: provider as string,
        state: propertyMap({ foo: 'bar' }),
      }),
    ]);
  });

  test('functions: outputs of another stack, and what there is not', async () => {
    const answers: unknown[] = [];
    await run(async ({ monitor }) => {
      const ask = (token: string, args: Record<string, string>) =>
        monitor.invoke(invokeRequest({ token, args: propertyMap(args) })).then(
          ({ result }) => answers.push(result),
          (error: Error) => answers.push(error.message.split(': ').slice(1).join(': ')),
        );
      await ask('pulumi:pulumi:readStackOutputs', { name: 'other' });
      await ask('pulumi:pulumi:readStackResourceOutputs', { stackName: 'other' });
      await ask('pulumi:pulumi:nothing', {});
    });
    expect(answers).toEqual([
      value,
      expect.stringMatching(/cannot be read here/),
      expect.stringMatching(/has no function/),
    ]);
  });
});

describe('options', () => {
  test.each([
    ['parent', { parent: 'very-bad urn' }],
    ['deletedWith', { deletedWith: 'very-bad urn' }],
    ['dependency', { dependencies: ['very-bad urn'] }],
    ['alias', { aliases: [{ kind: 'urn', urn: 'very-bad urn' } as const] }],
    [
      'alias parent',
      {
        aliases: [
          {
            kind: 'spec',
            name: '',
            type: '',
            stack: '',
            project: '',
            parent: { kind: 'urn', urn: 'very-bad urn' },
          } as const,
        ],
      },
    ],
    ['replaceWith', { replaceWith: ['very-bad urn'] }],
  ])('LT1-047 a malformed URN of %s is refused by name; the program may go on', async (option, options) => {
    let message = '';
    const { result } = await runScenario({
      providers: new MockWorld({ pkgA: {} }),
      program: async ({ resource }) => {
        await resource(TYPE, 'resA', {}, options).catch((error: Error) => (message = error.message));
      },
    });
    expect(result.summary.result).toBe('succeeded');
    expect(message).toMatch(new RegExp(`^could not parse URN of ${option} "very-bad urn"`));
  });

  test('LT1-149 LT1-150 a renamed component brings its children along', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const program =
      (name: string, aliases: string[]): ProgramFunction =>
      async ({ component, resource }) => {
        const spec = (alias: string) =>
          ({
            kind: 'spec',
            name: alias,
            type: '',
            stack: '',
            project: '',
            parent: { kind: 'same' },
          }) as const;
        const { urn } = await component('my:i:C', name, { aliases: aliases.map(spec) });
        await resource(TYPE, `${name}-child`, {}, { parent: urn });
        const inner = await component('my:i:D', `${name}-inner`, { parent: urn });
        await resource(TYPE, 'leaf', {}, { parent: inner.urn });
      };
    const first = await runScenario({ providers, program: program('old', []) });
    const second = await runScenario({ providers, program: program('new', ['old']), prior: first.snapshot });
    expect(second.complaints).toEqual([]);
    expect(second.steps).toEqual(['same new', 'same new-child', 'same new-inner', 'same leaf']);
    expect(providers.alive).toHaveLength(2);
    const third = await runScenario({ providers, program: program('new', []), prior: second.snapshot });
    expect(third.steps).toEqual(['same new', 'same new-child', 'same new-inner', 'same leaf']);
  });

  test('a read inherits the alias of its parent', async () => {
    const builder = new SnapshotBuilder(home);
    builder.provider('pkgA');
    const old = builder.component('my:i:C', 'old');
    builder.resource(TYPE, 'old-r', {}, { parent: old.urn, external: true, id: 'id-1' });
    const providers = new MockWorld({ pkgA: {} });
    providers.objects.set('id-1', {
      urn: old.urn,
      type: TYPE,
      inputs: emptyMap,
      outputs: propertyMap({ a: 1 }),
      settings: undefined,
    });
    const { steps, complaints } = await runScenario({
      providers,
      prior: builder.build(),
      program: async ({ component, monitor }) => {
        const { urn } = await component('my:i:C', 'new', { aliases: [{ kind: 'urn', urn: old.urn }] });
        await monitor.readResource(readRequest({ type: TYPE, name: 'new-r', id: 'id-1', parent: urn }));
      },
    });
    expect([complaints, steps]).toEqual([[], ['same new', 'read new-r']]);
  });

  test('what is not offered is not advertised', async () => {
    await runScenario({
      providers: new MockWorld({ pkgA: {} }),
      program: async ({ monitor }) => {
        expect(await monitor.supportsFeature('stateMigrations')).toBe(false);
        for (const feature of ['transforms', 'invokeOutputValues', 'callOutputValues'])
          expect(await monitor.supportsFeature(feature)).toBe(true);
      },
    });
  });
});
