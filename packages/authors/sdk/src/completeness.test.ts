import {
  ComponentResource,
  CustomResource,
  DependencyResource,
  InputPropertiesError,
  InputPropertyError,
  Stash,
  all,
  containsUnknowns,
  createUrn,
  deferredOutput,
  getAllResources,
  getRootDirectory,
  isSecret,
  isUnknown,
  iterable,
  merge,
  output,
  parseResourceReference,
  recover,
  requirePulumiVersion,
  resourceName,
  resourceType,
  rootStackResource,
  secret,
  unknown,
} from './index.js';
import { testProgram } from './testing/index.js';

/** Returns the stack outputs of a program. */
const outputsOf = async (program: () => unknown, options: object = {}) =>
  (await testProgram(program, options)).outputs;
const resource = (name: string, inputs: object = {}, options: object = {}) =>
  new CustomResource('a:b:C', name, inputs, options);

describe('a deferred output', () => {
  test('has the value, the secret and the resources of what it is given later', async () => {
    const tested = await testProgram(async () => {
      const [late, resolve] = deferredOutput<string>();
      const user = resource('user', { text: late });
      const maker = resource('maker');
      resolve(secret(maker.id));
      return {
        text: user.outputOf('text'),
        secret: await isSecret(late),
        from: (await getAllResources(late)).size,
      };
    });
    expect(tested.outputs).toEqual({ text: 'maker-id', secret: true, from: 1 });
    expect(tested.resource('user')).toMatchObject({
      secretInputs: ['text'],
      options: { dependsOn: [tested.resource('maker').urn] },
    });
  });

  test('gets its value once', () => {
    const [, resolve] = deferredOutput<number>();
    resolve(1);
    expect(() => resolve(2)).toThrow('already has a value');
  });

  test('without one, what waits for it is named', async () => {
    const program = () => void resource('user', { text: deferredOutput<string>()[0] });
    await expect(testProgram(program, { timeout: 20 })).rejects.toThrow(/user \[a:b:C\]/);
  });
});

describe('recover', () => {
  const failing = () =>
    output(1).apply((): number => {
      throw new Error('no');
    });
  test.each<[string, () => unknown, unknown]>([
    ['takes the place of a failure', () => recover(failing(), (error) => (error as Error).message.length), 2],
    ['may answer with an output', () => recover(failing(), () => output(7)), 7],
    ['leaves what did not fail alone', () => recover(output(5), () => 0), 5],
  ])('%s', async (_title, made, expected) => {
    expect(await outputsOf(() => ({ x: made() }))).toEqual({ x: expected });
  });

  test('what fails again is a failure', async () => {
    const program = () => ({ x: recover(failing(), () => Promise.reject(new Error('again'))) });
    await expect(testProgram(program)).rejects.toThrow('again');
  });
});

test('unknowns are told from values, whole and in parts', async () => {
  expect([isUnknown(unknown), isUnknown({ a: unknown }), isUnknown(undefined)]).toEqual([true, false, false]);
  expect([containsUnknowns({ a: [1, unknown] }), containsUnknowns({ a: [1] })]).toEqual([true, false]);
  const tested = await testProgram(() => ({ x: resource('one', { given: unknown }).outputOf('given') }), {
    preview: true,
  });
  expect(isUnknown(unknown) && typeof tested.outputs['x']).toBe('symbol');
});

test('lists become objects, by key and in groups', async () => {
  const items = [output({ s: 'a', n: 1 }), { s: 'a', n: 2 }, { s: 'b', n: 3 }];
  const made = await outputsOf(() => ({
    last: iterable.toObject(items, ({ s, n }) => [s, n]),
    all: iterable.groupBy(output(items), ({ s, n }) => [output(s), secret(n)]),
  }));
  expect(made).toEqual({ last: { a: 2, b: 3 }, all: { a: [1, 2], b: [3] } });
});

describe('identities', () => {
  test.each<[string, () => object, string]>([
    ['of the stack', () => ({ name: 'x', type: 'a:b:C' }), 'urn:pulumi:dev::shop::a:b:C::x'],
    [
      'below a URN',
      () => ({ name: 'x', type: 'a:b:C', parent: 'urn:pulumi:dev::shop::p:q:R::up' }),
      'urn:pulumi:dev::shop::p:q:R$a:b:C::x',
    ],
    [
      'below a resource',
      () => ({ name: output('x'), type: 'a:b:C', parent: new ComponentResource('p:q:R', 'up') }),
      'urn:pulumi:dev::shop::p:q:R$a:b:C::x',
    ],
    [
      'of another stack and project',
      () => ({ name: 'x', type: 'a:b:C', project: 'old', stack: 'prod' }),
      'urn:pulumi:prod::old::a:b:C::x',
    ],
  ])('a URN %s', async (_title, parts, urn) => {
    const options = { project: 'shop', stack: 'dev' };
    expect(await outputsOf(() => ({ urn: createUrn(parts() as never) }), options)).toEqual({ urn });
  });

  test('a URN of what a preview does not know is not known', async () => {
    const made = () => ({ urn: createUrn({ name: resource('one').id, type: 'a:b:C' }) });
    expect(typeof (await outputsOf(made, { preview: true }))['urn']).toBe('symbol');
  });

  test('name and type of a resource', async () => {
    const made = await outputsOf(() => ({
      is: [resourceName(resource('one')), resourceType(resource('two'))],
    }));
    expect(made).toEqual({ is: ['one', 'a:b:C'] });
  });

  test('the stack is a parent, also inside of a component', async () => {
    const tested = await testProgram(() => {
      const parent = new ComponentResource('p:q:R', 'up');
      resource('inside', {}, { parent });
      resource('beside', {}, { parent: rootStackResource });
    });
    expect(tested.roots.map(({ name }) => name)).toEqual(['up', 'beside']);
  });

  test('a resource of which only the URN is known can be depended on', async () => {
    const urn = 'urn:pulumi:stack::project::x:y:Z::far';
    const tested = await testProgram(() =>
      resource('near', {}, { dependsOn: [new DependencyResource(urn)] }),
    );
    expect(tested.resource('near').options).toEqual({ dependsOn: [urn] });
  });
});

test('a stash is registered with its value', async () => {
  const tested = await testProgram(
    () => ({ kept: new Stash<string>('s', { input: secret('first') }).output }),
    {
      mocks: { resource: ({ inputs }: { inputs: object }) => ({ outputs: { ...inputs, output: 'kept' } }) },
    },
  );
  expect(tested.resource('pulumi:index:Stash', 's').secretInputs).toEqual(['input']);
  expect(tested.outputs).toEqual({ kept: 'kept' });
});

test('inputs are read when the resource is declared', async () => {
  const tested = await testProgram(() => {
    const inputs = { at: 1 };
    resource('first', inputs);
    inputs.at = 2;
    resource('second', inputs);
    const early = {
      get content(): unknown {
        return tooLate;
      },
    };
    expect(() => resource('third', early)).toThrow(/before initialization/);
    const tooLate = 3;
  });
  expect([tested.resource('first').inputs, tested.resource('second').inputs]).toEqual([{ at: 1 }, { at: 2 }]);
});

test('the folder of the project is known', async () => {
  expect(await outputsOf(() => ({ at: getRootDirectory() }))).toEqual({ at: process.cwd() });
});

test('the version that a program requires is asked for', async () => {
  expect(await outputsOf(async () => ({ x: await requirePulumiVersion('>=3.0.0') }))).toEqual({});
});

test.each([
  [new InputPropertyError({ propertyPath: 'port', reason: 'must be above 0' }), 'port: must be above 0'],
  [
    new InputPropertiesError({
      message: 'a listener is wrong',
      errors: [
        { propertyPath: 'a[0]', reason: 'x' },
        { propertyPath: 'b', reason: 'y' },
      ],
    }),
    'a listener is wrong\n  a[0]: x\n  b: y',
  ],
])('errors of inputs name path and reason', async (error, message) => {
  await expect(
    testProgram(() =>
      all([]).apply(() => {
        throw error;
      }),
    ),
  ).rejects.toThrow(message);
});

test('a reference of a resource is a URN and an id', () => {
  const urn = 'urn:pulumi:dev::proj::pulumi:providers:a::prov';
  expect(parseResourceReference(`${urn}::the-id`)).toEqual([urn, 'the-id']);
  expect(() => parseResourceReference('no reference')).toThrow('expected <URN>::<id>');
});

test.each<[string, () => unknown, unknown]>([
  ['the second wins', () => merge(1, 2), 2],
  ['lists are joined', () => merge([1], 2), [1, 2]],
  ['anything is, where a list is asked for', () => merge(1, 2, true), [1, 2]],
  ['what is absent adds nothing', () => merge(undefined, [2]), [2]],
  ['outputs and promises are unwrapped', () => merge(output([1]), Promise.resolve([2])), [1, 2]],
])('merge: %s', async (_title, made, expected) => {
  expect(await outputsOf(() => ({ x: made() }))).toEqual({ x: expected });
});
