import fc from 'fast-check';
import {
  compareNumbers,
  conform,
  Decimal,
  equalValues,
  fromDouble,
  fromProgram,
  listOf,
  makeSet,
  numberText,
  objectOf,
  parseNumber,
  parseType,
  pathText,
  record,
  typeJson,
  TfUnknown,
  UNKNOWN_VALUE,
} from './index.js';

describe('numbers [TFV-3]', () => {
  test.each([
    ['0.5', 0.5],
    ['-1.5e2', -150],
    ['1e3', 1000],
    ['.25', 0.25],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['0.10', new Decimal('0.1')],
    ['-12.30e-3', new Decimal('-0.0123')],
    ['-inf', -Infinity],
    ['1e100', 10n ** 100n],
    ['', undefined],
    ['.', undefined],
    ['1e1000000000', undefined],
    ['0x10', undefined],
  ])('%s', (text, expected) => expect(parseNumber(text)).toEqual(expected));

  test('a double is the number of its exact digits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (double) => {
        const exact = fromDouble(double);
        expect(parseNumber(numberText(exact))).toEqual(exact);
      }),
    );
  });

  test('the number of a program is the decimal that is printed for it', () => {
    expect(fromProgram(0.1)).toEqual(new Decimal('0.1'));
    expect(compareNumbers(fromProgram(0.1), 0.1)).toBe(-1);
    expect(compareNumbers(0.1, new Decimal('0.1'))).toBe(1);
    expect(fromProgram(0.75)).toBe(0.75);
  });
});

describe('types', () => {
  test('names of attributes are in the order of their bytes, what is optional is dropped', () => {
    const text = '["object",{"b":["list","string"],"a":["tuple",["number","dynamic"]]},["b"]]';
    expect(typeJson(parseType(text))).toBe(
      '["object",{"a":["tuple",["number","dynamic"]],"b":["list","string"]}]',
    );
  });

  test.each(['"text"', '["list"]', '["object",[]]', '["list","string","string"]', '{', '["tuple","string"]'])(
    '%s is no type',
    (text) => expect(() => parseType(text)).toThrow('type'),
  );
});

describe('sets [TFV-4]', () => {
  test.each([
    ['numbers', 'number', [10, 9, null, 1, UNKNOWN_VALUE, 9], [1, 9, 10, UNKNOWN_VALUE, null]],
    ['texts by their bytes', 'string', ['\u{1f600}', '\uff5e', 'b', 'B'], ['B', 'b', '\uff5e', '\u{1f600}']],
    ['unknown elements', 'string', [UNKNOWN_VALUE, 'a', UNKNOWN_VALUE], ['a', UNKNOWN_VALUE, UNKNOWN_VALUE]],
  ] as const)('%s', (_, element, given, expected) => expect(makeSet(element, given)).toEqual(expected));

  test('objects, whatever the order they are given in', () => {
    const type = objectOf({ a: 'number', b: 'string' });
    const of = (a: number, b: string) =>
      record([
        ['a', a],
        ['b', b],
      ]);
    const given = [of(2, 'x'), of(10, 'x'), of(2, 'a'), of(2, 'x')];
    expect(makeSet(type, given)).toEqual([of(10, 'x'), of(2, 'a'), of(2, 'x')]);
    expect(makeSet(type, [...given].reverse())).toEqual(makeSet(type, given));
  });
});

test('refinements are compared, or not [TFV-6]', () => {
  const refined = TfUnknown.refined({ prefix: 'a' });
  expect(equalValues('string', refined, UNKNOWN_VALUE)).toBe(false);
  expect(equalValues('string', refined, TfUnknown.refined({ prefix: 'a' }))).toBe(true);
  expect(equalValues(listOf('string'), [refined], [UNKNOWN_VALUE], { refinements: 'ignored' })).toBe(true);
  expect(equalValues('string', null, '')).toBe(false);
});

test('a value that is not of its type says where', () => {
  const type = objectOf({ a: listOf('number'), b: 'string' });
  const value = record([
    ['a', [1, 'x']],
    ['z', true],
  ]);
  expect(conform(type, value).map(({ path, message }) => `${pathText(path)}: ${message}`)).toEqual([
    ': attribute "b" is missing',
    ': attribute "z" is not in the type',
    '.a[1]: number required, not string',
  ]);
});
