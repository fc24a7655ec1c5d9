import { makeProviderReference, makeUrn, rootStackUrn, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { reasonText } from '@cairn/engine';
import type { RequestedImport } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { emptyMap, propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import { MockWorld, SnapshotBuilder, diffAnswer, importItem, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Properties, Scenario } from '@cairn/testkit';

/** The import command [IMP-2], run by the whole engine. */

const TYPE = 'pkgA:m:typA';
const HOME = { stack: 'test', project: 'test' };
const ROOT = rootStackUrn('test', 'test');
const urnOf = (name: string, parent?: Urn, type = TYPE): Urn => makeUrn({ ...HOME, parent, type, name });
const providerUrn = (name: string, pkg = 'pkgA'): Urn =>
  makeUrn({ ...HOME, type: `pulumi:providers:${pkg}`, name });
const map = (properties: Properties): PropertyMap => propertyMap(properties);

/** Reads return the id `actual-id` and these properties. Creating is refused, because an import never creates. */
const finding = (inputs: Properties, outputs: Properties = inputs, more: MockBehaviour = {}): MockWorld =>
  new MockWorld({
    pkgA: {
      behaviour: {
        read: () => ({
          id: 'actual-id',
          inputs: map(inputs),
          outputs: map(outputs),
          refreshBeforeUpdate: false,
        }),
        create: () => Promise.reject(new ProviderError('INTERNAL', 'nothing is to be created')),
        ...more,
      },
    },
  });

const item = (name: string, more: Partial<RequestedImport> = {}): RequestedImport =>
  importItem({ type: TYPE, name, id: 'imported-id', ...more });

/** Operations on one stack, each run for real after a preview that ends in the same way. */
class Stack {
  snapshot: Snapshot = emptySnapshot;

  constructor(readonly providers: MockWorld) {}

  async run(scenario: Omit<Scenario, 'providers' | 'prior'>): Promise<Outcome> {
    const prior = this.snapshot;
    const preview = await runScenario({ ...scenario, preview: true, prior, providers: this.providers });
    const outcome = await runScenario({ ...scenario, prior, providers: this.providers });
    expect(preview.result.summary.result).toBe(outcome.result.summary.result);
    expect([...preview.trace].sort()).toEqual(expect.arrayContaining([...outcome.trace].sort()));
    this.snapshot = outcome.snapshot;
    return outcome;
  }

  import(...imports: readonly RequestedImport[]): Promise<Outcome> {
    const program: ProgramFunction = () => Promise.reject(new Error('the program must not run'));
    return this.run({ kind: 'import', imports, program });
  }

  up(program: ProgramFunction): Promise<Outcome> {
    return this.run({ program });
  }

  entry(name: string): ResourceEntry {
    const found = this.snapshot.resources.find(({ urn }) => urnName(urn) === name);
    if (found === undefined) throw new Error(`no entry ${name}`);
    return found;
  }

  get names(): readonly string[] {
    return this.snapshot.resources.map(({ urn }) => urnName(urn));
  }
}

const errors = (outcome: Outcome): string =>
  outcome.complaints.filter((line) => line.startsWith('error')).join('\n');

describe('the import command', () => {
  test('LT1-126 an object is taken over beside what is there, with what its provider reads', async () => {
    const stack = new Stack(
      finding({ foo: 'bar' }, { foo: 'bar', frob: 1 }, { create: (_request, { standard }) => standard() }),
    );
    await stack.up(async ({ monitor, resource }) => {
      void monitor;
      await resource(TYPE, 'resA', {}, { parent: '' });
    });
    const outcome = await stack.import(item('resB'));
    expect(outcome.steps).toEqual(['same resA', 'import resB']);
    expect(stack.names.toSorted()).toEqual(['default', 'resA', 'resB', 'test-test']);
    expect(stack.entry('resB')).toMatchObject({
      id: 'actual-id',
      importId: '',
      parent: ROOT,
      inputs: map({ foo: 'bar' }),
      outputs: map({ foo: 'bar', frob: 1 }),
    });
    for (const { created, modified } of stack.snapshot.resources) {
      expect(created).toBeDefined();
      expect(modified).toBeDefined();
    }
  });

  test('LT1-138 a default provider is made with the version that the runtime reports', async () => {
    const stack = new Stack(finding({ foo: 'bar' }, { foo: 'bar', frob: 1 }));
    await stack.run({
      kind: 'import',
      imports: [item('resB')],
      packages: [{ name: 'pkgA', version: '1.0.0', server: '' }],
    });
    expect(stack.names).toEqual(['test-test', 'default_1_0_0', 'resB']);
    expect(stack.entry('default_1_0_0').inputs).toEqual(map({ version: '1.0.0', __internal: map({}) }));
    expect(stack.entry('resB')).toMatchObject({ id: 'actual-id', inputs: map({ foo: 'bar' }) });
    for (const { created, modified } of stack.snapshot.resources)
      expect([created, modified]).not.toContain(undefined);
  });

  test('LT1-128 an object that the stack has is no error; another one under its name is', async () => {
    const providers = finding({ foo: 'bar' });
    const stack = new Stack(providers);
    await stack.up(async ({ resource }) => {
      await resource(TYPE, 'resA', { foo: 'bar' }, { importId: 'imported-id' });
    });
    const before = stack.snapshot;
    const other = await stack.import(item('resA', { id: 'imported-id-2' }));
    expect(errors(other)).toContain('already exists');
    expect(other.result.summary.result).toBe('failed');
    expect(stack.snapshot.resources).toEqual(before.resources);
    providers.forgetCalls();
    const same = await stack.import(item('resA'));
    expect(same.result.summary).toMatchObject({ result: 'succeeded', changes: { same: 2 } });
    expect(same.trace.every((line) => line.startsWith('same '))).toBe(true);
    expect(providers.called('read', 'create', 'check')).toEqual([]);
    expect(stack.names).toHaveLength(3);
  });

  test('LT1-130 supplied inputs fill gaps and make secret, and override nothing', async () => {
    const stack = new Stack(finding({ foo: null, frob: 1 }));
    await stack.import(item('resB', { inputs: map({ foo: 'supplied', frob: secret(2) }) }));
    expect(stack.entry('resB')).toMatchObject({
      id: 'actual-id',
      inputs: map({ foo: 'supplied', frob: secret(1) }),
    });
    expect(stack.entry('resB').outputs['frob']).toEqual(secret(1));
  });

  test('LT1-132 a provider of the stack is used, and no default provider made', async () => {
    const stack = new Stack(finding({ foo: 'bar' }));
    let reference = '';
    await stack.up(async ({ provider }) => {
      reference = await provider('pkgA', 'provA', {}, { parent: '' });
    });
    await stack.import(item('resB', { provider: providerUrn('provA') }));
    expect(stack.names.toSorted()).toEqual(['provA', 'resB', 'test-test']);
    expect(stack.entry('resB').provider).toBe(reference);
  });

  test('LT1-133 only the listed properties become inputs', async () => {
    const stack = new Stack(
      finding(
        { foo: 'bar', frob: 1, baz: 2 },
        { foo: 'bar', frob: 1, baz: 2 },
        {
          check: ({ news }) => ({
            inputs: news,
            failures: ['foo', 'frob']
              .filter((key) => news[key] === undefined)
              .map((property) => ({ property, reason: 'missing' })),
          }),
        },
      ),
    );
    await stack.up(async ({ provider }) => void (await provider('pkgA', 'provA')));
    const outcome = await stack.import(
      item('resB', { provider: providerUrn('provA'), properties: ['foo', 'frob'] }),
    );
    expect(outcome.complaints).toEqual([]);
    expect(stack.entry('resB').inputs).toEqual(map({ foo: 'bar', frob: 1 }));
    expect(stack.entry('resB').outputs).toEqual(map({ foo: 'bar', frob: 1, baz: 2 }));
  });

  test('LT1-134 a parent is imported before its child, whatever the order of the list', async () => {
    const stack = new Stack(finding({ foo: 'bar' }));
    const parent = urnOf('resA');
    const outcome = await stack.import(
      item('grandchild', { parent: urnOf('resB', parent) }),
      item('resB', { parent }),
      item('resA'),
    );
    expect(outcome.steps).toEqual(['import resA', 'import resB', 'import grandchild']);
    expect(stack.names).toEqual(['test-test', 'default', 'resA', 'resB', 'grandchild']);
    expect(stack.entry('resB').parent).toBe(parent);
  });

  test('LT1-135 a component is written down as it is listed, with its children below it', async () => {
    const stack = new Stack(finding({ foo: 'bar' }));
    const parent = urnOf('comp', undefined, 'my-component');
    const outcome = await stack.import(
      importItem({
        type: 'my-component',
        name: 'comp',
        component: true,
        inputs: map({ a: 1 }),
        outputs: map({ b: 2 }),
      }),
      item('resB', { parent }),
    );
    const whys = outcome.events.flatMap((event) =>
      event.t === 'step-ended' && event.step.kind === 'import' ? [reasonText(event.step.reason)] : [],
    );
    expect(whys).toEqual(['it is on the list', 'object imported-id is taken over']);
    expect(stack.names).toEqual(['test-test', 'default', 'comp', 'resB']);
    expect(stack.entry('comp')).toMatchObject({
      custom: false,
      id: '',
      provider: undefined,
      inputs: map({ a: 1 }),
      outputs: map({ b: 2 }),
    });
    expect(stack.entry('resB').urn).toBe('urn:pulumi:test::test::my-component$pkgA:m:typA::resB');
  });

  test('a remote component gets the provider of its package', async () => {
    const stack = new Stack(finding({}));
    await stack.import(importItem({ type: 'pkgA:m:Comp', name: 'comp', component: true, remote: true }));
    const { urn, id } = stack.entry('default');
    expect(stack.entry('comp')).toMatchObject({ custom: false, provider: makeProviderReference(urn, id) });
  });

  test('LT1-139 stack references cannot be imported', async () => {
    const outcome = await new Stack(finding({})).import(
      item('other', { type: 'pulumi:pulumi:StackReference' }),
    );
    expect(errors(outcome)).toContain('stack references cannot be imported');
  });

  test('LT1-141 an object that cannot be read fails the import', async () => {
    const stack = new Stack(
      finding({}, {}, { read: () => Promise.reject(new ProviderError('UNKNOWN', 'read failed')) }),
    );
    const outcome = await stack.import(item('resB'));
    expect(outcome.result.summary.result).toBe('failed');
    expect(errors(outcome)).toContain('read failed');
    expect(stack.names).not.toContain('resB');
  });

  test('LT1-124 the provider is told of an extension before it reads, and the state keeps it', async () => {
    const providers = finding({ foo: 'bar' });
    const stack = new Stack(providers);
    const extension = { name: 'ext-a', version: '2.0.0', value: Buffer.from('blob') };
    await stack.import(
      item('resA', { package: { version: '1.0.0', downloadUrl: '', checksums: {}, extension } }),
    );
    const calls = providers.called('parameterize', 'read');
    expect(calls).toEqual(['parameterize', 'read resA', 'parameterize', 'read resA']);
    const ref = stack.entry('resA').extensionRef as string;
    expect(Object.keys(stack.snapshot.extensions ?? {})).toEqual([ref]);
    expect(stack.snapshot.extensions?.[ref]).toMatchObject({ name: 'ext-a', version: '2.0.0' });
  });

  test('a parameterized package has a default provider of its own', async () => {
    const stack = new Stack(finding({ input: 1 }, { output: 2 }));
    const parameterization = { base: 'pkgA', name: 'pkgExt', version: '0.5.0', value: Buffer.from('x') };
    await stack.import(
      item('resA'),
      item('resB', {
        type: 'pkgExt:m:typ',
        package: { version: '1.0.0', downloadUrl: '', checksums: {}, parameterization },
      }),
    );
    expect(stack.names.toSorted()).toEqual(['default', 'default_0_5_0', 'resA', 'resB', 'test-test']);
    expect(stack.entry('resB').provider).toContain('pulumi:providers:pkgExt::default_0_5_0');
  });

  test.each([
    ['duplicates', [item('a'), item('a')], 'duplicate import'],
    ['missing parents', [item('a', { parent: urnOf('nobody') })], 'unknown parent'],
    ['types that are none', [item('a', { type: 'nonsense' })], 'not a type token'],
    ['objects without an id', [item('a', { id: '' })], 'has no id'],
    [
      'providers with an id',
      [item('a', { type: 'pulumi:providers:pkgA' })],
      'is a provider, which cannot be looked up',
    ],
    [
      'providers below what they serve',
      [
        item('a', { provider: urnOf('p', urnOf('a'), 'pulumi:providers:pkgA') }),
        item('p', { type: 'pulumi:providers:pkgA', id: '', parent: urnOf('a') }),
      ],
      'comes before itself',
    ],
    ['providers of other packages', [item('a', { provider: providerUrn('p', 'pkgB') })], 'unknown provider'],
    ['stashes', [item('a', { type: 'pulumi:index:Stash' })], 'stash can'],
  ])('%s are refused', async (_what, list, message) => {
    const outcome = await new Stack(finding({})).import(...list);
    expect(outcome.result.summary.result).toBe('failed');
    expect(errors(outcome)).toContain(message);
    expect(outcome.names).not.toContain('a');
  });

  test('a provider of the list is made with its settings before what it serves, also below a component of the list', async () => {
    const stack = new Stack(finding({ foo: 1 }));
    const zoo = urnOf('zoo', undefined, 'pkgA:m:Zoo');
    const north = urnOf('north', zoo, 'pulumi:providers:pkgA');
    const wanted = { version: '1.0.0', downloadUrl: '', checksums: {} };
    await stack.import(
      item('a', { provider: north }),
      item('north', {
        ...{ type: 'pulumi:providers:pkgA', id: '', parent: zoo, package: wanted },
        inputs: map({ region: 'n', __internal: map({}) }),
      }),
      item('zoo', { type: 'pkgA:m:Zoo', id: '', component: true }),
    );
    expect(stack.names.indexOf('zoo')).toBeLessThan(stack.names.indexOf('north'));
    expect(stack.names.indexOf('north')).toBeLessThan(stack.names.indexOf('a'));
    expect(stack.entry('north').inputs).toEqual(map({ region: 'n', version: '1.0.0', __internal: map({}) }));
    expect(stack.entry('a').provider).toContain(north);
    expect(stack.entry('north').protect).toBe(false);
  });

  test('an explicit provider that is not there is made once, with the package of the list', async () => {
    const stack = new Stack(finding({ foo: 1 }));
    const provider = providerUrn('mine');
    const wanted = { version: '1.0.0', downloadUrl: '', checksums: {} };
    await stack.import(item('a', { provider, package: wanted }), item('b', { provider, package: wanted }));
    expect(stack.names.filter((name) => name === 'mine')).toHaveLength(1);
    expect(stack.entry('mine').inputs).toEqual(map({ version: '1.0.0', __internal: map({}) }));
  });

  test('what a check refuses is a warning', async () => {
    const stack = new Stack(
      finding(
        { foo: 1 },
        {},
        {
          check: ({ news }) => ({ inputs: news, failures: [{ property: 'foo', reason: 'too small' }] }),
        },
      ),
    );
    const outcome = await stack.import(item('resB'));
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(outcome.result.diagnostics).toEqual([
      expect.objectContaining({ severity: 'warning', causes: ['foo: too small'] }),
    ]);
    expect(stack.entry('resB').inputs).toEqual(map({ foo: 1 }));
  });

  test('an object whose outputs are supplied is not looked up', async () => {
    const providers = finding({ foo: 1 });
    const stack = new Stack(providers);
    await stack.import(item('resB', { inputs: map({ a: 1 }), outputs: map({ a: 1, b: 2 }), protect: true }));
    expect(providers.called('read')).toEqual([]);
    expect(stack.entry('resB')).toMatchObject({
      id: 'imported-id',
      protect: true,
      inputs: map({ a: 1 }),
      outputs: map({ a: 1, b: 2 }),
    });
  });

  test('default providers that are switched off are not made', async () => {
    const outcome = await runScenario({
      kind: 'import',
      imports: [item('resB')],
      config: { values: { 'pulumi:disable-default-providers': '["pkgA"]' }, secretKeys: [] },
      providers: finding({ foo: 1 }),
    });
    expect(errors(outcome)).toContain('disabled');
  });

  test('a failure in a level leaves the levels below it alone and keeps what was taken over', async () => {
    const stack = new Stack(
      finding(
        {},
        {},
        {
          read: ({ id }) =>
            id === 'bad'
              ? { id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false }
              : { id, inputs: map({ a: 1 }), outputs: emptyMap, refreshBeforeUpdate: false },
        },
      ),
    );
    const outcome = await stack.import(
      item('good'),
      item('bad', { id: 'bad' }),
      item('child', { parent: urnOf('bad') }),
    );
    expect(errors(outcome)).toContain('"bad" does not exist');
    expect(stack.names).not.toContain('child');
    expect(stack.names).not.toContain('bad');
  });
});

describe('a program after an import', () => {
  test('LT1-137 a provider that sees no difference changes nothing, and the inputs become those of the program', async () => {
    const stack = new Stack(
      finding({ foo: 'bar' }, { foo: 'bar' }, { diff: () => diffAnswer('none', { stableKeys: ['foo'] }) }),
    );
    await stack.import(item('resA'));
    expect(stack.names).toHaveLength(3);
    const outcome = await stack.run({
      program: async ({ resource }) => {
        await resource(TYPE, 'resA', { foo: 'barz' });
      },
    });
    expect(outcome.steps).toEqual(['same resA']);
    expect(stack.entry('resA')).toMatchObject({ inputs: map({ foo: 'barz' }), outputs: map({ foo: 'bar' }) });
  });

  test.each([
    ['its provider compares', { diff: () => diffAnswer('none') }],
    ['the engine compares', {}],
  ])(
    'LT1-125 values that the program makes secret replace nothing when %s',
    async (_title, more: MockBehaviour) => {
      const stack = new Stack(
        finding({ foo: 'bar', fromOutput: 'output-value' }, { foo: 'bar', fromOutput: 'output-value' }, more),
      );
      await stack.import(item('resA'));
      expect(stack.entry('resA').inputs).toEqual(map({ foo: 'bar', fromOutput: 'output-value' }));
      const outcome = await stack.up(async ({ resource }) => {
        const inputs = { foo: secret('bar'), fromOutput: 'output-value' };
        await resource(TYPE, 'resA', inputs, { replaceOnChanges: ['foo', 'fromOutput'] });
      });
      expect(outcome.trace.join()).not.toMatch(/replac/);
      expect(stack.entry('resA')).toMatchObject({
        id: 'actual-id',
        inputs: map({ foo: secret('bar'), fromOutput: 'output-value' }),
      });
    },
  );
});

describe('the import option', () => {
  test('LT1-123 a refresh does not run a program that imports', async () => {
    const builder = new SnapshotBuilder(HOME);
    builder.component('pulumi:pulumi:Stack', 'test-test');
    const stack = new Stack(finding({ foo: 'bar' }));
    stack.snapshot = builder.build();
    const outcome = await stack.run({
      kind: 'refresh',
      program: async ({ component }) => void (await component(TYPE, 'resA', { importId: 'imported-id' })),
    });
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(stack.names).toEqual(['test-test']);
  });

  test('LT1-127 what is ignored keeps the value of the object', async () => {
    const stack = new Stack(finding({ foo: 'bar', frob: 1 }));
    await stack.up(async ({ resource }) => {
      await resource(
        TYPE,
        'resA',
        { foo: 'foo', frob: 1 },
        { importId: 'import-id', ignoreChanges: ['foo'] },
      );
    });
    expect(stack.names).toEqual(['test-test', 'default', 'resA']);
    expect(stack.entry('resA').outputs['foo']).toBe('bar');
  });

  test('LT1-142 a preview of an import that would be replaced delete-first says so', async () => {
    const outcome = await runScenario({
      preview: true,
      providers: finding(
        { foo: 'bar' },
        { foo: 'bar' },
        {
          create: (_request, { standard }) => standard(),
          diff: () => diffAnswer('some', { replaceKeys: ['foo'], deleteBeforeReplace: true }),
        },
      ),
      program: async ({ resource }) => {
        await resource(TYPE, 'resA', { foo: 'baz' }, { importId: 'import-id' });
      },
    });
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(outcome.steps).toEqual([
      'import resA',
      'delete-replaced resA',
      'replace resA',
      'create-replacement resA',
    ]);
    expect(outcome.complaints.join()).toContain('imported resources that still specify an id');
  });

  test('LT1-214 under continue-on-error an import that fails is the error of its registration', async () => {
    const stack = new Stack(
      finding({}, {}, { read: () => Promise.reject(new ProviderError('UNKNOWN', 'intentional')) }),
    );
    const answers: string[] = [];
    const outcome = await stack.run({
      policy: { continueOnError: true },
      program: async ({ resource }) => {
        const { result } = await resource(TYPE, 'resA', {}, { importId: 'import-id' });
        answers.push(result);
      },
    });
    expect(answers).toEqual(['fail', 'fail']);
    expect(outcome.result.summary.result).toBe('failed');
    expect(errors(outcome)).toContain('intentional');
    expect(stack.names).toEqual(['test-test', 'default']);
  });
});
