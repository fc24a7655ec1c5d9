import { asUrn } from '@cairn/addresses';
import { UNKNOWN, propertyMap, secret as secretValue } from '@cairn/values';
import { CustomResource, dynamicProvider, dynamicResource, isOutput, output, secret } from '../index.js';
import type { Output } from '../index.js';
import { testProgram } from '../testing/index.js';
import { diffInputs, diffResponse } from './served/diff.js';
import { StoredProvider } from './served/provider.js';

const boxes = dynamicProvider({
  config: ['shelf', 'other:token'],
  create: async (inputs: { size: number; label?: string }) => ({
    id: `box-${inputs.size}`,
    outputs: { ...inputs, serial: 7, then: 'no promise' },
  }),
});
class Box extends dynamicResource('Box', boxes) {}

test('inputs may be outputs, and outputs have the types of what create answers', async () => {
  const tested = await testProgram(
    () => {
      const box = new Box('one', { size: output(3), label: secret('x') }, { protect: true });
      const serial: Output<number> = box.serial;
      // @ts-expect-error create answers with no such output
      const missing: unknown = box.colour;
      expect([isOutput(missing), box instanceof CustomResource, 'then' in box]).toEqual([true, true, false]);
      return {
        serial,
        id: box.id,
        size: box.size.apply((size) => size + 1),
        awaited: Promise.resolve(box.serial),
      };
    },
    { mocks: { resource: ({ inputs }) => ({ outputs: { ...inputs, serial: 7 } }) } },
  );
  expect(tested.outputs).toMatchObject({ serial: 7, size: 4 });
  expect(tested.resource('cairn-dynamic:index:Box', 'one')).toMatchObject({
    inputs: { size: 3, label: 'x' },
    secretInputs: ['label'],
    options: { protect: true },
  });
  // @ts-expect-error an input of another type
  expect(() => new Box('two', { size: 'three' })).toThrow('has to be run by Cairn');
});

test('one provider instance stands for all resources of a type, with the settings it asks for', async () => {
  const tested = await testProgram(
    () => {
      new Box('one', { size: 1 });
      new Box('two', { size: 2 });
    },
    { config: { shelf: 'upper', 'other:token': 'hush', unasked: 'x' }, secretConfig: ['other:token'] },
  );
  const instances = tested.resources.filter(({ type }) => type === 'pulumi:providers:cairn-dynamic');
  expect(
    instances.map(({ name, inputs, secretInputs }) => ({ name, config: inputs['config'], secretInputs })),
  ).toEqual([
    {
      name: 'Box',
      config: { shelf: 'upper', 'other:token': 'hush' },
      secretInputs: ['config["other:token"]'],
    },
  ]);
  expect(tested.resource('two').options).toMatchObject({
    provider: expect.stringContaining('::Box::') as string,
  });
});

const answer = { changes: 'some', stableKeys: [], detailedDiff: undefined, deleteBeforeReplace: false };
test.each([
  ['nothing', { a: 1 }, { a: 1 }, {}, { changes: 'none', changedKeys: [], replaceKeys: [] }],
  ['only that it is secret', { a: 'x' }, { a: secretValue('x') }, {}, { changes: 'none', changedKeys: [] }],
  [
    'a value, and there is no update',
    { a: 1 },
    { a: 2 },
    {},
    { ...answer, changedKeys: ['a'], replaceKeys: ['a'] },
  ],
  [
    'two values, one of which replaces',
    { a: 1, b: 1 },
    { a: 2, b: 2 },
    { update: () => ({ outputs: {} }), replaceOnChange: ['b'] },
    { ...answer, changedKeys: ['a', 'b'], replaceKeys: ['b'] },
  ],
  ['what is not known', { a: 1 }, { a: UNKNOWN }, {}, { ...answer, changedKeys: ['a'] }],
  ['what is ignored', { c: 1 }, { c: 2 }, {}, { changes: 'none' }],
])('a difference: %s', (_title, old, wanted, rules, expected) => {
  expect(diffInputs(propertyMap(old), propertyMap(wanted), ['c'], rules as object)).toMatchObject(expected);
});

test("an author's own comparison is taken as it is", () => {
  expect(diffResponse({ changed: [], replace: ['a'] }, {})).toMatchObject({
    changes: 'none',
    replaceKeys: [],
  });
  expect(diffResponse({ changed: ['a'], replace: ['a'], deleteBeforeReplace: true }, {})).toMatchObject({
    replaceKeys: ['a'],
    deleteBeforeReplace: true,
  });
});

describe('a stored provider', () => {
  const type = 'cairn-dynamic:index:Box';
  const identity = { urn: asUrn(`urn:pulumi:dev::proj::${type}::one`), name: 'one', type };
  const stored = async (body: string): Promise<StoredProvider> => {
    const provider = new StoredProvider();
    const bundle = `export const provider = { [Symbol.for('cairn.sdk.dynamic-provider')]: { definition: { ${body} } } };`;
    const inputs = propertyMap({ bundle, export: 'boxes', config: { shelf: 'upper' } });
    await provider.configure({ ...identity, id: 'x', inputs });
    return provider;
  };
  const creating = (inputs: object = {}) => ({
    ...identity,
    inputs: propertyMap(inputs as never),
    timeoutSeconds: 0,
    preview: false,
  });

  test('says what it cannot do', async () => {
    expect(await (await stored('create() {}')).extras()).toEqual({
      types: { '*': { reads: 'record', repeatable: ['delete'], idempotencyToken: undefined, lookup: false } },
    });
    expect(
      await (
        await stored('create() {}, read() {}, delete() {}, lookup() {}, idempotencyToken: true')
      ).extras(),
    ).toEqual({ types: { '*': { reads: 'world', repeatable: [], idempotencyToken: {}, lookup: true } } });
  });

  test('outputs are secret where an input of that name is; errors hide secrets', async () => {
    const provider = await stored(
      `create: ({ text }) => { if (text === 'planted') throw new Error('not ' + text); return { id: 'x', outputs: { text, n: [1, undefined] } }; }`,
    );
    expect((await provider.create(creating({ text: secretValue('fine') }))).outputs).toEqual(
      propertyMap({ text: secretValue('fine'), n: [1, null] }),
    );
    await expect(provider.create(creating({ text: secretValue('planted') }))).rejects.toMatchObject({
      code: 'UNKNOWN',
      message: expect.stringMatching(/^create failed: not \[secret\]/) as string,
    });
  });

  test.each([
    ['no id', `create: () => ({ outputs: {} })`, 'gave no id', 'INTERNAL'],
    ['nothing', `create: () => undefined`, 'gave no id', 'INTERNAL'],
    [
      'outputs that are none',
      `create: () => ({ id: 'x', outputs: 3 })`,
      'the outputs are no object',
      'INTERNAL',
    ],
    [
      'a function',
      `create: () => ({ id: 'x', outputs: { a: [() => 1] } })`,
      'a[0] is a function',
      'INTERNAL',
    ],
    ['a refusal', `create: (i, { fail }) => fail('no paper')`, 'no paper', 'FAILED_PRECONDITION'],
  ])('an answer of a create that is %s is an error', async (_title, body, message, code) => {
    await expect((await stored(body)).create(creating())).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });

  test.each([
    ['{ outputs }', '({ outputs: { a: 1 } })', { a: 1 }],
    ['what create returns', "({ id: 'x', outputs: { a: 1 } })", { a: 1 }],
    ['bare outputs', '({ a: 1 })', undefined],
    ['bare outputs, one of them called outputs', '({ a: 1, outputs: {} })', undefined],
    ['nothing', 'undefined', undefined],
  ])('an update that returns %s', async (_title, answer, outputs) => {
    const provider = await stored(`create() {}, update: () => ${answer}`);
    const none = propertyMap({});
    const updated = provider.update({
      ...creating(),
      id: 'x',
      oldInputs: none,
      oldOutputs: none,
      news: none,
      ignoreChanges: [],
    });
    if (outputs !== undefined) expect((await updated).outputs).toEqual(propertyMap(outputs));
    else
      await expect(updated).rejects.toMatchObject({
        code: 'INTERNAL',
        message: expect.stringContaining('it must return { outputs }') as string,
      });
  });

  test('what takes too long, or is cancelled, is told to give up', async () => {
    const provider = await stored(
      `create: (i, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('x'))))`,
    );
    await expect(provider.create({ ...creating(), timeoutSeconds: 0.05 })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    });
    const created = provider.create(creating());
    await provider.cancel();
    await expect(created).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(provider.create(creating())).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('a bundle without the export is refused', async () => {
    const inputs = propertyMap({ bundle: 'export const provider = 3;', export: 'boxes' });
    const refused = await new StoredProvider().checkConfig({ ...identity, olds: undefined, news: inputs });
    expect(refused.failures).toEqual([{ property: '', reason: 'its module has no provider called boxes' }]);
  });
});
