import { asUrn } from '@cairn/addresses';
import { UNKNOWN, propertyMap, secret as secretValue } from '@cairn/values';
import type { Provider } from '@cairn/wire';
import { toPluginProvider } from '../provider/defined-provider.js';
import { storedDefinition } from './stored-provider.js';

const type = 'cairn-dynamic:index:Box';
const identity = { urn: asUrn(`urn:pulumi:dev::proj::${type}::one`), name: 'one', type };
const empty = propertyMap({});

const unconfigured = (): Provider => toPluginProvider(storedDefinition, '/');

async function stored(body: string): Promise<Provider> {
  const provider = unconfigured();
  const bundle = `export const provider = { [Symbol.for('cairn.sdk.dynamic-provider')]: { definition: { ${body} } } };`;
  const inputs = propertyMap({ bundle, export: 'boxes', config: { shelf: 'upper' } });
  await provider.configure({ ...identity, id: 'x', inputs });
  return provider;
}

const creating = (inputs: object = {}) => ({
  ...identity,
  inputs: propertyMap(inputs as never),
  timeoutSeconds: 0,
  preview: false,
});

const diffing = (old: object, wanted: object) => ({
  ...identity,
  id: 'x',
  oldInputs: propertyMap(old as never),
  oldOutputs: empty,
  news: propertyMap(wanted as never),
  allowUnknowns: true,
  ignoreChanges: ['c'],
});

const answer = { changes: 'some', stableKeys: [], deleteBeforeReplace: false };

test.each([
  ['nothing', { a: 1 }, { a: 1 }, '', { changes: 'none', changedKeys: [], replaceKeys: [] }],
  ['only that it is secret', { a: 'x' }, { a: secretValue('x') }, '', { changes: 'none', changedKeys: [] }],
  [
    'a value, and there is no update',
    { a: 1 },
    { a: 2 },
    '',
    { ...answer, changedKeys: ['a'], replaceKeys: ['a'] },
  ],
  [
    'two values, one of which replaces',
    { a: 1, b: 1 },
    { a: 2, b: 2 },
    `update: () => ({ outputs: {} }), replaceOnChange: ['b']`,
    { ...answer, changedKeys: ['a', 'b'], replaceKeys: ['b'] },
  ],
  ['what is not known', { a: 1 }, { a: UNKNOWN }, '', { ...answer, changedKeys: ['a'] }],
  ['what is ignored', { c: 1 }, { c: 2 }, '', { changes: 'none' }],
])('a difference: %s', async (_title, old, wanted, rules, expected) => {
  const provider = await stored(`create() {}, ${rules}`);
  expect(await provider.diff(diffing(old, wanted))).toMatchObject(expected);
});

test.each([
  [`{ changed: [], replace: ['a'] }`, { changes: 'none', replaceKeys: [] }],
  [
    `{ changed: ['a'], replace: ['a'], deleteBeforeReplace: true }`,
    { changes: 'some', replaceKeys: ['a'], deleteBeforeReplace: true },
  ],
])("an author's own comparison is taken as it is: %s", async (own, expected) => {
  const provider = await stored(`create() {}, diff: () => (${own})`);
  expect(await provider.diff(diffing({ a: 1 }, { a: 2 }))).toMatchObject(expected);
});

test('properties need no schema: those of any name pass, and a preview expects the inputs as outputs', async () => {
  const provider = await stored('create() {}, secretOutputs: ["a"]');
  const news = propertyMap({ a: null, b: [1, { c: UNKNOWN }] });
  const request = { ...identity, olds: undefined, news, randomSeed: Buffer.alloc(0), allowUnknowns: true };
  expect(await provider.check(request)).toEqual({ inputs: news, failures: [] });
  const { outputs } = await provider.create({ ...creating(), inputs: news, preview: true });
  expect(outputs).toEqual(propertyMap({ a: secretValue(null), b: [1, { c: UNKNOWN }] }));
});

describe('a stored provider', () => {
  test('says what it cannot do', async () => {
    expect(await (await stored('create() {}')).extras?.()).toEqual({
      types: { '*': { reads: 'record', repeatable: ['delete'], idempotencyToken: undefined, lookup: false } },
    });
    expect(
      await (
        await stored('create() {}, read() {}, delete() {}, lookup() {}, idempotencyToken: true')
      ).extras?.(),
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
    ['no id', `create: () => ({ outputs: {} })`, 'returned no id', 'INTERNAL'],
    ['nothing', `create: () => undefined`, 'returned no id', 'INTERNAL'],
    [
      'outputs that are none',
      `create: () => ({ id: 'x', outputs: 3 })`,
      'the properties are no object',
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
    const updated = provider.update({
      ...creating(),
      id: 'x',
      oldInputs: empty,
      oldOutputs: empty,
      news: empty,
      ignoreChanges: [],
    });
    if (outputs !== undefined) expect((await updated).outputs).toEqual(propertyMap(outputs));
    else
      await expect(updated).rejects.toMatchObject({
        code: 'INTERNAL',
        message: expect.stringContaining('it must return { outputs }') as string,
      });
  });

  test('a call that takes too long, or is cancelled, receives an abort signal', async () => {
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
    const refused = await unconfigured().checkConfig({ ...identity, olds: undefined, news: inputs });
    expect(refused.failures).toEqual([{ property: '', reason: 'its module has no provider called boxes' }]);
  });
});
