import {
  blockCounts,
  coerce,
  conform,
  Dynamic,
  impliedType,
  objectOf,
  pathText,
  record,
  TfValueError,
  tupleOf,
  typeFromJson,
  typeJson,
  UNKNOWN_VALUE,
  validateBlock,
} from '../src/index.js';
import type { TfType, TfValue } from '../src/index.js';
import { casesOf } from './cases.js';
import type { Case } from './cases.js';
import { blockOf, readTyped, valueOf } from '../src/notation/index.js';

const schemaOf = (each: Case) => blockOf(each.schema as never);
const titled = (name: string) =>
  casesOf('schemas', name).map((each) => [`${each.id} ${JSON.stringify(each.schema)}`, each] as const);

describe('the type that a schema implies [TFV-2]', () => {
  test.each(titled('ImpliedType'))('%s', (_, each) => {
    const { type } = each.expect as { type: unknown };
    expect(typeJson(impliedType(schemaOf(each)))).toBe(typeJson(typeFromJson(type)));
  });
});

describe('schemas that contradict themselves [TFV-10]', () => {
  test.each(titled('InternalValidate'))('%s', (_, each) => {
    expect(each.expect).toEqual({ error: true });
    expect(validateBlock(schemaOf(each))).toHaveLength(1);
  });

  test.each([
    ['required and computed', { a: ['RC', 'string'] }, '.a: is both required and computed'],
    ['write-only and computed', { a: ['OCW', 'string'] }, '.a: is both write-only and computed'],
    ['a name', { 'A b': ['O', 'string'] }, '["A b"]: has a name'],
    ['a nested set', { a: ['O', { nested: 'set', attrs: { x: ['O', 'dynamic'] } }] }, '.a: is a set'],
    ['deep', { l: { block: 'list', body: { x: ['', 'string'] } } }, '.l.x: is neither'],
    [
      'more than may be',
      { l: { block: 'list', min: 3, max: 2, body: {} } },
      '.l: has to be there more often',
    ],
  ])('%s', (_, schema, expected) => {
    const found = validateBlock(blockOf(schema as never));
    expect(found.map(({ path, message }) => `${pathText(path)}: ${message}`)).toEqual([
      expect.stringContaining(expected),
    ]);
  });

  test('one without contradictions', () => {
    const text = {
      a: ['R', 'string'],
      b: ['OC', ['set', 'string']],
      l: { block: 'list', min: 1, max: 2, body: { x: ['OW', 'dynamic'] } },
      one: { block: 'single', min: 1, max: 1, body: {} },
      any: { block: 'set', min: 2, body: {} },
    };
    expect(validateBlock(blockOf(text as never))).toEqual([]);
  });
});

describe('values of configurations [TFV-12]', () => {
  test.each(titled('CoerceValue'))('%s', (_, each) => {
    const block = schemaOf(each);
    const { value } = readTyped(typeFromJson(each.type), each.value as never);
    const expected = each.expect as { error?: true; value?: unknown };
    if (expected.error) return expect(() => coerce(block, value)).toThrow(TfValueError);
    return expect(coerce(block, value)).toEqual(valueOf(block, expected.value));
  });

  const text = {
    name: ['R', 'string'],
    count: ['O', 'number'],
    on: ['O', 'bool'],
    ids: ['O', ['set', 'string']],
    labels: ['C', ['map', 'string']],
    any: ['O', 'dynamic'],
    deep: ['O', { nested: 'list', attrs: { x: ['O', 'number'], y: ['R', 'string'] } }],
    one: { block: 'single', min: 1, max: 1, body: { x: ['O', 'string'] } },
    group: { block: 'group', body: { x: ['O', 'string'] } },
    rules: { block: 'list', min: 1, max: 2, body: { x: ['O', 'string'] } },
    open: { block: 'list', body: { x: ['O', 'dynamic'] } },
  };
  const block = blockOf(text as never);
  const of = (parts: Record<string, TfValue>) => coerce(block, record(Object.entries(parts)));

  test('what is left out is null or empty', () => {
    const value = of({ name: 'n' });
    expect(conform(impliedType(block), value)).toEqual([]);
    expect(value).toEqual(
      record(
        Object.entries({
          any: null,
          count: null,
          deep: null,
          group: record([['x', null]]),
          ids: null,
          labels: null,
          name: 'n',
          on: null,
          one: null,
          open: new Dynamic(tupleOf([]), []),
          rules: [],
        }),
      ),
    );
  });

  test('what can be converted is', () => {
    const value = of({
      name: 12,
      count: '1.5',
      on: 'true',
      ids: ['b', 1, 'b'],
      labels: record([['k', false]]),
      any: ['x', 1],
      deep: [record([['y', true]])],
      rules: UNKNOWN_VALUE,
      open: [record([['x', 'text']]), record([['x', [1]]])],
    }) as Readonly<Record<string, TfValue>>;
    expect(conform(impliedType(block), value as TfValue)).toEqual([]);
    const { name, count, on, ids, labels, any, deep, rules, open } = value;
    expect([name, count, on, ids, rules]).toEqual(['12', 1.5, true, ['1', 'b'], UNKNOWN_VALUE]);
    expect([labels, deep]).toEqual([
      record([['k', 'false']]),
      [record(Object.entries({ x: null, y: 'true' }))],
    ]);
    expect(any).toEqual(new Dynamic(tupleOf(['string', 'number']), ['x', 1]));
    const element = (type: TfType) => objectOf({ x: type });
    expect(open).toEqual(
      new Dynamic(tupleOf([element('string'), element(tupleOf(['number']))]), [
        record([['x', 'text']]),
        record([['x', [1]]]),
      ]),
    );
  });

  test.each([
    ['a required attribute is missing', {}, 'attribute "name" is required'],
    [
      'an unknown name in a block',
      { name: 'n', rules: [record([['z', 1]])] },
      '.rules[0]: "z" is not in the schema',
    ],
    ['a text that is no number', { name: 'n', count: 'many' }, '.count: number required, not string'],
    ['a number for a bool', { name: 'n', on: 1 }, '.on: bool required, not number'],
    [
      'missing in a nested attribute',
      { name: 'n', deep: [record([])] },
      '.deep[0]: attribute "y" is required',
    ],
    ['one value for a list', { name: 'n', rules: 'x' }, '.rules: list of objects required, not string'],
  ])('%s', (_, parts, message) => expect(() => of(parts as never)).toThrow(message));

  test('how many blocks there may be', () => {
    const rule = record([['x', null]]);
    const counted = (rules: TfValue) =>
      blockCounts(block, of({ name: 'n', one: record([]), rules })).map(({ message }) => message);
    expect(counted([])).toEqual(['at least 1 blocks "rules" required, not 0']);
    expect(counted([rule, rule, rule])).toEqual(['at most 2 blocks "rules" allowed, not 3']);
    expect([counted([rule]), counted(UNKNOWN_VALUE)]).toEqual([[], []]);
    expect(blockCounts(block, of({ name: 'n', rules: [rule] }))).toEqual([
      { path: ['one'], message: 'a block "one" is required' },
    ]);
  });
});
