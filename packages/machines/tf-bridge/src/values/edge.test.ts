import { namedMap, pathText, record, UNKNOWN_VALUE } from '@cairn/tfplugin';
import type { Attribute, Block, NestedBlock, TfType, TfValue } from '@cairn/tfplugin';
import { Asset, isSecret, propertyMap, Secret, secret, UNKNOWN } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { makeShape } from '../model/make-shape.js';
import { configurationOf, detailedDiff, EdgeError, keepTimeouts, NO_ID, objectId } from './index.js';
import { markSecretInputs, toProperties, toTerraform, withTimeout } from './index.js';

const flags = { required: false, optional: true, computed: false, sensitive: false, writeOnly: false };
const attribute = (type: TfType, more: Partial<Attribute> = {}): Attribute =>
  ({ ...flags, type, ...more }) as Attribute;
const block = (attributes: Record<string, Attribute>, blocks: Record<string, NestedBlock> = {}): Block => ({
  attributes: namedMap(Object.entries(attributes)),
  blocks: namedMap(Object.entries(blocks)),
});
const shapeOf = (of: Block) =>
  makeShape(of, { of: 'x', fields: new Map(), reserved: new Map(), hasId: false });
const strings = (kind: 'list' | 'set' | 'map'): TfType => ({ kind, element: 'string' });

const inner = block({
  port: attribute('number', { required: true, optional: false }),
  name: attribute('string'),
});
const sample = block(
  {
    a_name: attribute('string'),
    size: attribute('number'),
    cidr: attribute(strings('set')),
    label: attribute(strings('map')),
    open: attribute('dynamic'),
    token: attribute('string', { sensitive: true }),
    key_wo: attribute('string', { writeOnly: true }),
    arn: attribute('string', { computed: true, optional: false }),
  },
  {
    rule: { nesting: 'list', block: inner, minItems: 0, maxItems: 2 },
    match: { nesting: 'set', block: inner, minItems: 0, maxItems: 1 },
  },
);
const shape = shapeOf(sample);

const given = (json: Readonly<Record<string, PropertyValue>>) => toTerraform(shape, propertyMap(json));

function failures(json: Readonly<Record<string, PropertyValue>>): readonly string[] {
  try {
    given(json);
  } catch (error) {
    if (error instanceof EdgeError) return error.message.split('; ');
    throw error;
  }
  return [];
}

describe('properties to values', () => {
  test('names, collections, one element, exact numbers [TFE-1] [TFE-3]', () => {
    const { value } = given({
      ...{
        aName: 'x',
        size: 0.1,
        cidrs: ['b', 'a', 'b'],
        label: { a_key: 'v', aKey: 'w' },
        open: [1, { a_b: UNKNOWN }],
      },
      ...{ rules: [{ port: '80' }], match: { port: 1, name: UNKNOWN } },
    });
    expect(value).toMatchObject({
      ...{
        a_name: 'x',
        size: { text: '0.1' },
        cidr: ['a', 'b'],
        label: { aKey: 'w', a_key: 'v' },
        arn: null,
      },
      ...{ rule: [{ port: 80, name: null }], match: [{ port: 1, name: UNKNOWN_VALUE }] },
    });
  });

  test('everything that is wrong is told, by the names of programs [TFE-1]', () => {
    const said = failures({
      ...{ a_name: 'x', size: 'big', cidrs: 'a', nope: 1, open: new Asset({ text: 'x' }) },
      ...{ rules: [{ name: 'n' }], match: { port: 1, color: 'red' } },
    });
    expect(said).toEqual([
      'a_name: there is no such property (it is called aName)',
      expect.stringMatching(/^nope: there is no such property \(there are aName, arn, cidrs, /),
      'open: assets and archives cannot be passed to Terraform providers: pass the path or the text',
      'match.color: there is no such property (there are name, port)',
      'cidrs: set of string required, not string',
      'rules[0].port: is required',
      'size: number required, not string',
    ]);
  });

  test('too many blocks are told', () => {
    const rule = { port: 1 };
    expect(failures({ rules: [rule, rule, rule] })).toEqual([
      'rules: at most 2 blocks "rule" allowed, not 3',
    ]);
  });

  test('what the engine adds for itself is passed over', () => {
    expect(failures({ __defaults: [], aName: 'x' })).toEqual([]);
  });
});

describe('secrets [TFE-2]', () => {
  test('are found where they are; one in a set is the set', () => {
    const { value, secrets } = given({
      ...{ aName: new Secret('x'), cidrs: ['a', new Secret('b')], label: { k: new Secret('v') } },
      ...{ rules: [{ port: 1 }, { port: new Secret(2) }], match: { port: new Secret(3) } },
    });
    expect(secrets.map(pathText).sort()).toEqual(['.a_name', '.cidr', '.label.k', '.match', '.rule[1].port']);
    expect(toProperties(shape, value, { secrets })).toEqual(
      propertyMap({
        ...{
          aName: new Secret('x'),
          cidrs: new Secret(['a', 'b']),
          label: propertyMap({ k: new Secret('v') }),
        },
        rules: [propertyMap({ port: 1 }), propertyMap({ port: new Secret(2) })],
        match: new Secret(propertyMap({ port: 3 })),
      }),
    );
  });

  test('the schema makes values secret; what is write-only does not come back', () => {
    const { value } = given({ token: 't', keyWo: 'k' });
    const back = toProperties(shape, value);
    expect(back['token']).toEqual(new Secret('t'));
    expect(back).not.toHaveProperty('keyWo');
    const inputs = markSecretInputs(shape, propertyMap({ token: 't', keyWo: 'k', aName: 'n' }));
    expect(Object.keys(inputs).filter((key) => isSecret(inputs[key]))).toEqual(['token', 'keyWo']);
  });
});

describe('values to properties', () => {
  const back = (value: Record<string, TfValue>, options = {}) =>
    toProperties(shape, record(Object.entries({ ...Object(given({}).value), ...value })), options);

  test('null is left out, but told at the top of a preview [TFE-1]', () => {
    expect(Object.keys(back({ arn: UNKNOWN_VALUE }))).toEqual(['arn', 'rules']);
    expect(back({ arn: UNKNOWN_VALUE }, { nulls: true })).toMatchObject({
      arn: UNKNOWN,
      aName: null,
      match: null,
    });
  });

  test.each([
    ['7', 7],
    ['0.1', 0.1],
    ['1e-7', 1e-7],
    ['1e21', 1e21],
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551616', '18446744073709551616'],
    ['0.1000000000000000055', '0.1000000000000000055'],
  ])('the number %s is %p for a program [TFE-3]', (text, seen) => {
    const { value } = given({ size: text });
    expect(toProperties(shape, value)['size']).toBe(seen);
  });
});

describe('differences [TFE-6]', () => {
  const NONE = { before: propertyMap({}), after: propertyMap({}) };
  const two = (a: PropertyMap, b: PropertyMap) =>
    [toTerraform(shape, a).value, toTerraform(shape, b).value] as const;

  test('elements of sets are paired, places of lists compared, blocks of at most one are one', () => {
    const [a, b] = two(
      propertyMap({ cidrs: ['a', 'b'], rules: [{ port: 1 }, { port: 2 }], match: { port: 1 }, aName: 'n' }),
      propertyMap({
        cidrs: ['b', 'c'],
        rules: [{ port: 1 }, { port: 3 }, { port: 4 }].slice(0, 2),
        label: { k: 'v' },
      }),
    );
    expect(detailedDiff(shape, a, b, [], NONE)).toEqual({
      aName: { kind: 'delete', inputDiff: false },
      'cidrs[0]': { kind: 'delete', inputDiff: false },
      'cidrs[1]': { kind: 'add', inputDiff: false },
      label: { kind: 'add', inputDiff: false },
      match: { kind: 'delete', inputDiff: false },
      'rules[1].port': { kind: 'update', inputDiff: false },
    });
  });

  test('elements of sets are named by their place in the lists of the program', () => {
    const given = (cidrs: readonly string[]) => propertyMap({ cidrs: secret([...cidrs]) });
    const [before, after] = [given(['c', 'b', 'a']), given(['d', 'b', 'a'])];
    const [a, b] = two(before, after);
    expect(detailedDiff(shape, a, b, [['cidr', { key: 'd' }]], { before, after })).toEqual({
      'cidrs[0]': { kind: 'update-replace', inputDiff: false },
    });
    // An element that the program has not given has its place in the set.
    expect(Object.keys(detailedDiff(shape, a, b, [], NONE))).toEqual(['cidrs[2]']);
  });

  test('what asks for a new object is told at, in and around its path, and by itself where nothing shows it', () => {
    const [a, b] = two(
      propertyMap({ rules: [{ port: 1 }], aName: 'n' }),
      propertyMap({ rules: [{ port: 2 }], aName: 'm' }),
    );
    expect(detailedDiff(shape, a, b, [['rule', 0, 'port'], ['key_wo']], NONE)).toEqual({
      aName: { kind: 'update', inputDiff: false },
      'rules[0].port': { kind: 'update-replace', inputDiff: false },
      keyWo: { kind: 'update-replace', inputDiff: false },
    });
    expect(detailedDiff(shape, a, b, [['rule']], NONE)['rules[0].port']?.kind).toBe('update-replace');
  });
});

test('timeouts of the engine are those of the schema, and those of the state are no difference [TFE-7]', () => {
  const timed = block(
    { a: attribute('string') },
    {
      timeouts: {
        nesting: 'single',
        block: block({ create: attribute('string'), delete: attribute('string') }),
        minItems: 0,
        maxItems: 0,
      },
    },
  );
  const { value } = toTerraform(shapeOf(timed), propertyMap({ a: 'x' }));
  const longer = withTimeout(timed, value, 'create', 90);
  expect(longer).toEqual({ a: 'x', timeouts: { create: '90s', delete: null } });
  expect(withTimeout(timed, value, 'update', 90)).toBe(value);
  expect(withTimeout(timed, value, 'create', 0)).toBe(value);
  expect(keepTimeouts(timed, value, longer)).toEqual(longer);
});

test('what is configured may come as JSON in a text [TFE-8]', () => {
  const inputs = propertyMap({ aName: '1', size: '2', cidrs: new Secret('["a"]'), label: 'no json' });
  expect(configurationOf(shape, inputs)).toEqual(
    propertyMap({ aName: '1', size: 2, cidrs: new Secret(['a']), label: 'no json' }),
  );
});

test.each<[TfValue, string | undefined]>([
  ['abc', 'abc'],
  [7, '7'],
  [true, 'true'],
  [UNKNOWN_VALUE, undefined],
  [null, NO_ID],
  [[], NO_ID],
])('the id of an object with the id %p is %p [TFE-9]', (id, text) => {
  expect(objectId(record([['id', id]]))).toBe(text);
  expect(objectId(record([]))).toBe(NO_ID);
});
