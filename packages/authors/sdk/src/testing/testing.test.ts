import {
  ComponentResource,
  Config,
  CustomResource,
  StackReference,
  all,
  call,
  deferredOutput,
  getStack,
  interpolate,
  invoke,
  isDryRun,
  log,
  output,
  registerInvokeTransform,
  registerResourceTransform,
  secret,
} from '../index.js';
import { testProgram, unknown } from './index.js';

class Shop extends ComponentResource {
  readonly address;
  constructor(name: string) {
    super('shop:index:Shop', name);
    const box = new CustomResource(
      'sample:index:Box',
      `${name}-box`,
      { size: 2 },
      { parent: this, protect: true },
    );
    const sign = new CustomResource(
      'sample:index:Sign',
      `${name}-sign`,
      { text: interpolate`box ${box.id}`, password: secret('s3cret'), of: { list: [1, secret(2)] } },
      { parent: this, dependsOn: [box] },
    );
    this.address = sign.outputOf<string>('address');
    this.registerOutputs({ address: this.address });
  }
}

const mocks = {
  resource: ({ name, inputs }: { name: string; inputs: object }) => ({
    id: `id-of-${name}`,
    outputs: { ...inputs, address: `https://${name}.example` },
  }),
};

test('gives the tree, inputs, outputs and options as plain data', async () => {
  const tested = await testProgram(() => ({ address: new Shop('main').address, login: secret('pw') }), {
    mocks,
  });
  expect(tested.tree()).toBe(
    [
      'project-stack',
      '└─ shop:index:Shop main',
      '   ├─ sample:index:Box main-box',
      '   └─ sample:index:Sign main-sign',
    ].join('\n'),
  );
  expect(tested.outputs).toEqual({ address: 'https://main-sign.example', login: 'pw' });
  expect(tested.secretOutputs).toEqual(['login']);
  const box = tested.resource('main-box');
  expect(box).toMatchObject({
    kind: 'custom',
    id: 'id-of-main-box',
    inputs: { size: 2 },
    options: { protect: true },
  });
  expect(tested.resource('sample:index:Sign', 'main-sign')).toMatchObject({
    inputs: { text: 'box id-of-main-box', password: 's3cret', of: { list: [1, 2] } },
    secretInputs: ['password', 'of.list[1]'],
    options: { dependsOn: [box.urn] },
  });
  expect(tested.resource('main')).toMatchObject({
    kind: 'component',
    outputs: { address: 'https://main-sign.example' },
  });
  expect(JSON.parse(JSON.stringify(tested.roots))).toEqual(tested.roots);
});

test('a preview knows neither ids nor what providers make', async () => {
  const tested = await testProgram(() => ({ address: new Shop('main').address, dry: isDryRun() }), {
    mocks,
    preview: true,
  });
  expect(tested.outputs).toEqual({ address: unknown, dry: true });
  expect(tested.resource('main-sign').inputs['text']).toBe(unknown);
  expect(tested.resource('main-box').id).toBeUndefined();
});

test('without mocks an object has an id made of its name, and its inputs as outputs', async () => {
  const tested = await testProgram(() =>
    new CustomResource('a:b:C', 'one', { x: 1 }).outputOf('x').apply((x) => ({ x })),
  );
  expect([tested.outputs, tested.resource('one').id]).toEqual([{ x: 1 }, 'one-id']);
});

test('configuration, stack and secrets are those that are given', async () => {
  const tested = await testProgram(
    () => {
      const config = new Config();
      const parts = { size: config.requireNumber('size'), list: config.requireObject('list') };
      return {
        ...parts,
        key: config.requireSecret('key'),
        other: new Config('aws').get('region'),
        stack: getStack(),
      };
    },
    {
      ...{ project: 'shop', stack: 'prod', secretConfig: ['key'] },
      config: { size: 3, list: ['a'], key: 'k', 'aws:region': 'eu' },
    },
  );
  expect(tested.outputs).toEqual({ size: 3, list: ['a'], key: 'k', other: 'eu', stack: 'prod' });
  expect(tested.secretOutputs).toEqual(['key']);
});

test('questions, methods, reads and stack references are answered by mocks', async () => {
  const tested = await testProgram(
    () => {
      const read = new CustomResource('a:b:C', 'read', {}, { id: 'i-1' });
      const zones = invoke('aws:index:zones', { region: 'eu' });
      const method = call('a:b:C/size', { of: 'all' }, read);
      const other = new StackReference('organization/other/dev');
      return { zones, method, ids: all([read.id]), port: other.getOutput('port') };
    },
    {
      mocks: {
        resource: ({ type }) =>
          type.startsWith('pulumi:')
            ? { outputs: { name: 'n', outputs: { port: 80 }, secretOutputNames: [] } }
            : undefined,
        invoke: ({ args }) => ({ names: [`${String(args['region'])}-1`], token: secret('t') }),
        call: () => ({ size: 4 }),
      },
    },
  );
  expect(tested.outputs).toEqual({
    zones: { names: ['eu-1'], token: 't' },
    method: { size: 4 },
    ids: ['i-1'],
    port: 80,
  });
  expect(tested.secretOutputs).toEqual(['zones']);
  expect(tested.invokes).toEqual([{ token: 'aws:index:zones', args: { region: 'eu' }, provider: '' }]);
  expect(tested.calls).toMatchObject([{ token: 'a:b:C/size', args: { of: 'all' } }]);
  expect(tested.resource('read')).toMatchObject({ kind: 'read', id: 'i-1' });
});

test('transforms rewrite resources and questions, own ones first', async () => {
  const add =
    (letter: string) =>
    ({ props, opts }: { props: object; opts: object }) => ({
      props: { ...props, seen: `${(props as { seen?: string }).seen ?? ''}${letter}` },
      opts: { ...opts, protect: true } as never,
    });
  const tested = await testProgram(
    () => {
      registerResourceTransform(add('s'));
      registerInvokeTransform(({ args, opts }) => ({ args: { ...args, more: 1 }, opts }));
      const parent = new ComponentResource('x:y:Z', 'parent', {}, { transforms: [add('p')] });
      const child = new CustomResource(
        'a:b:C',
        'child',
        { keep: secret('k') },
        { parent, transforms: [add('o')] },
      );
      return { seen: child.outputOf('seen'), asked: invoke('t:i:f', {}) };
    },
    { mocks: { invoke: ({ args }) => args } },
  );
  expect(tested.outputs).toEqual({ seen: 'ops', asked: { more: 1 } });
  expect(tested.resource('child')).toMatchObject({
    inputs: { seen: 'ops', keep: 'k' },
    secretInputs: ['keep'],
    options: { protect: true },
  });
});

test('what the program logs is told', async () => {
  const tested = await testProgram(() => log.warn('mind the gap'));
  expect(tested.logs).toEqual([{ severity: 'warning', message: 'mind the gap', urn: '' }]);
});

test('two programs run at once in one process, each in its own stack', async () => {
  const program = (names: readonly string[]) => async () => {
    for (const name of names) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      new CustomResource('a:b:C', name, { stack: getStack() });
    }
  };
  const [one, two] = await Promise.all([
    testProgram(program(['a', 'b', 'c']), { stack: 'one' }),
    testProgram(program(['x', 'y']), { stack: 'two' }),
  ]);
  expect(one.resources.map(({ name, inputs }) => [name, inputs['stack']])).toEqual([
    ['a', 'one'],
    ['b', 'one'],
    ['c', 'one'],
  ]);
  expect(two.resources.map(({ name, inputs }) => [name, inputs['stack']])).toEqual([
    ['x', 'two'],
    ['y', 'two'],
  ]);
});

describe('an error', () => {
  const resource = (): unknown => new CustomResource('a:b:C', 'one');
  test.each<[string, () => unknown, object, string | RegExp]>([
    [
      'of the program is what it threw',
      () => {
        throw new TypeError('no such thing');
      },
      {},
      'no such thing',
    ],
    [
      'of an apply',
      () => ({
        x: output(1).apply(() => {
          throw new Error('in apply');
        }),
      }),
      {},
      'in apply',
    ],
    [
      'of a mock names the resource',
      resource,
      {
        resource: () => {
          throw new Error('quota');
        },
      },
      /^cannot register one \[a:b:C\]: quota$/,
    ],
    [
      'of a mock that answers later',
      resource,
      { resource: () => Promise.reject(new Error('later')) },
      /one \[a:b:C\]: later$/,
    ],
    [
      'of a mock that throws a text',
      resource,
      {
        resource: () => {
          throw 'quota';
        },
      },
      /^cannot register one \[a:b:C\]: quota$/,
    ],
    [
      'of a mock that answers with no object',
      resource,
      { resource: () => 3 },
      /one \[a:b:C\]: mocks\.resource must/,
    ],
    [
      'of a mock whose id is no text',
      resource,
      { resource: () => ({ id: 3 }) },
      /the id of mocks\.resource must/,
    ],
    [
      'of a mock whose outputs are no object',
      resource,
      { resource: () => ({ outputs: [] }) },
      /the outputs of mocks\.resource must be an object/,
    ],
    [
      'of a mock with an output that cannot be one',
      resource,
      { resource: () => ({ outputs: { at: { when: new Date(0) } } }) },
      /one \[a:b:C\]: at\.when is a Date/,
    ],
    [
      'of a mock for questions',
      () => ({ x: invoke('x:y:z', {}) }),
      {
        invoke: () => {
          throw new Error('no answer today');
        },
      },
      /no answer today/,
    ],
    [
      'names the question that nobody answers',
      () => invoke('x:y:z', {}),
      {},
      /no mock answers x:y:z: pass testProgram a function mocks\.invoke/,
    ],
    [
      'names what is declared twice',
      () => {
        resource();
        resource();
      },
      {},
      /one is declared twice/,
    ],
    ['names missing configuration', () => new Config().require('size'), {}, /size/],
  ])('%s', async (_title, program, given, message) => {
    await expect(testProgram(program, { mocks: given })).rejects.toThrow(message);
  });

  test('names what waits for something that never comes', async () => {
    const never = () => new CustomResource('a:b:C', 'stuck', { x: new Promise(() => {}) });
    await expect(testProgram(never, { timeout: 50 })).rejects.toThrow(
      /stuck \[a:b:C\] declared at .*testing\.test\.ts:\d+/,
    );
  });

  test('names what there is when a resource is not found', async () => {
    const tested = await testProgram(() => {
      new CustomResource('a:b:C', 'same');
      new CustomResource('a:b:D', 'same');
    });
    expect(() => tested.resource('none')).toThrow('declares no none; it declares a:b:C same, a:b:D same');
    expect(() => tested.resource('same')).toThrow('several same: a:b:C, a:b:D; pass the type, too');
    expect(tested.resource('a:b:D', 'same').type).toBe('a:b:D');
  });

  test('of a program leaves the next one as it should be', async () => {
    await expect(testProgram(() => Promise.reject(new Error('first')))).rejects.toThrow('first');
    expect((await testProgram(resource)).resources).toHaveLength(1);
  });
});

test('a mock that never answers is named with the line of the resource, when the time is up', async () => {
  const program = (): unknown => new CustomResource('a:b:C', 'one');
  const mocks = { resource: () => new Promise<undefined>(() => {}) };
  await expect(testProgram(program, { mocks, timeout: 20 })).rejects.toThrow(
    /one \[a:b:C\] declared at .*testing\.test\.ts:\d+:\d+/,
  );
});

test('resources that wait for each other are drawn, as a run does it', async () => {
  const program = (): void => {
    const [size, told] = deferredOutput<string>();
    const a = new CustomResource('a:b:C', 'a', { x: size });
    const b = new CustomResource('a:b:C', 'b', { x: a.outputOf('x') });
    told(b.outputOf<string>('x'));
  };
  await expect(testProgram(program, { timeout: 50 })).rejects.toThrow(
    new RegExp(
      [
        '^circular dependency: resources wait for each other',
        '  ┌→ a \\[a:b:C\\] declared at .*testing\\.test\\.ts:\\d+:\\d+: its input "x" waits for',
        '  │  b \\[a:b:C\\] declared at .*testing\\.test\\.ts:\\d+:\\d+: its input "x" waits for',
        '  └─ a \\[a:b:C\\]$',
      ].join('\n'),
    ),
  );
});

test('a component that never comes to its end is named with its line', async () => {
  class Part extends ComponentResource {
    constructor() {
      super('a:b:Part', 'part');
      this.registerOutputs({ text: new Promise(() => {}) });
    }
  }
  await expect(testProgram(() => void new Part(), { timeout: 20 })).rejects.toThrow(
    /outputs of part \[a:b:Part\] declared at .*testing\.test\.ts:\d+:\d+/,
  );
});

test('the error of a mock says where the resource is declared', async () => {
  const program = (): unknown => new CustomResource('a:b:C', 'one');
  const resource = () => Promise.reject(new Error('quota'));
  await expect(testProgram(program, { mocks: { resource } })).rejects.toMatchObject({
    declaredAt: expect.stringMatching(/testing\.test\.ts:\d+:\d+$/) as string,
  });
});
