import fc from 'fast-check';
import {
  OutputValue,
  PathError,
  Secret,
  changedKeys,
  diffMaps,
  expandPath,
  formatPath,
  getAt,
  parsePath,
  parsePathTolerantly,
  pathContains,
  propertyMap,
  removeAt,
  setAt,
} from './index.js';
import type { PropertyPath } from './index.js';

describe('path grammar [VAL-7]', () => {
  test.each<[string, PropertyPath]>([
    ['root', ['root']],
    ['root.nested', ['root', 'nested']],
    ['root["nested"]', ['root', 'nested']],
    ['root.double.nest', ['root', 'double', 'nest']],
    ['root["double"].nest', ['root', 'double', 'nest']],
    ['root.array[0]', ['root', 'array', 0]],
    ['root.array[100].x', ['root', 'array', 100, 'x']],
    ['["root key with \\"escaped\\" quotes"].nested', ['root key with "escaped" quotes', 'nested']],
    ['["a.b"][*]', ['a.b', '*']],
    ['a.*', ['a', '*']],
    ['', []],
  ])('%s', (text, path) => expect(parsePath(text)).toEqual(path));

  test.each(['.a', 'a.', 'a.[0]', 'a..b', 'a[', 'a["b', 'a["b"', 'a[x]', 'a[-1]'])('%j is refused', (text) =>
    expect(() => parsePath(text)).toThrow(PathError),
  );

  test.each<[PropertyPath, string]>([
    [['v', 'a.b', 'c'], 'v["a.b"].c'],
    [['v', 'list', '*'], 'v.list["*"]'],
    [['v', 'list', 1], 'v.list[1]'],
    [['a-b', '$x', 'ä'], '["a-b"]["$x"]["ä"]'],
    [['say "x"', '0a', '_'], '["say \\"x\\""].0a._'],
    [['a', ''], 'a[""]'],
    [['a', 'b c\\'], 'a.b c\\'],
  ])('%j is written as %s and read back', (path, text) => {
    expect(formatPath(path)).toBe(text);
    expect(parsePath(text)).toEqual(path);
  });

  test.each<[string, PropertyPath]>([
    ['a.[0]', ['a', 0]],
    ['a..b', ['a', 'b']],
    ['a[-1]', ['a', -1]],
  ])('%s is read tolerantly', (text, path) => expect(parsePathTolerantly(text)).toEqual(path));

  test('printing and reading agree', () => {
    const key = fc.string().filter((text) => !text.endsWith('\\'));
    fc.assert(
      fc.property(fc.array(fc.oneof(key, fc.nat(1000)), { minLength: 1, maxLength: 5 }), (path) => {
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
    );
  });
});

test.each<[string, string, boolean]>([
  ['a', 'a', true],
  ['a', 'a.b[0]', true],
  ['a.b', 'a', false],
  ['*', 'anything.at[1].all', true],
  ['a[*].c', 'a[3].c', true],
  ['a[*].c', 'a[3].d', false],
])('%s contains %s: %s', (container, path, expected) =>
  expect(pathContains(parsePath(container), parsePath(path))).toBe(expected),
);

describe('reading and writing at paths', () => {
  const map = propertyMap({
    plain: propertyMap({ list: [1, propertyMap({ deep: 'x' })] }),
    hidden: new Secret(propertyMap({ token: 't', other: 1 })),
    later: new OutputValue(propertyMap({ a: 1 }), true, []),
  });

  test.each([
    ['plain.list[1].deep', 'x'],
    ['hidden.token', 't'],
    ['later.a', 1],
    ['plain.list[7]', undefined],
    ['plain.list.length', undefined],
    ['toString', undefined],
  ])('at %s', (text, value) => expect(getAt(map, parsePath(text))).toEqual(value));

  test('a value inside a secret is set and stays secret', () => {
    const changed = setAt(map, ['hidden', 'token'], 'new');
    expect(changed?.['hidden']).toEqual(new Secret(propertyMap({ token: 'new', other: 1 })));
    expect(getAt(map, ['hidden', 'token'])).toBe('t');
  });

  test('a list item is set in place; a list does not grow; containers are not made', () => {
    expect(setAt(map, ['plain', 'list', 0], 9)?.['plain']).toEqual(
      propertyMap({ list: [9, propertyMap({ deep: 'x' })] }),
    );
    expect(setAt(map, ['plain', 'list', 2], 9)).toBeUndefined();
    expect(setAt(map, ['nowhere', 'a'], 9)).toBeUndefined();
  });

  test('a property is removed', () => {
    expect(removeAt(map, ['hidden', 'other'])?.['hidden']).toEqual(new Secret(propertyMap({ token: 't' })));
    expect(removeAt(map, ['nowhere', 'a'])).toBeUndefined();
  });

  test('wildcards expand to what is there', () => {
    expect(expandPath(map, parsePath('*')).map(formatPath)).toEqual(['plain', 'hidden', 'later']);
    expect(expandPath(map, parsePath('plain.list[*]')).map(formatPath)).toEqual([
      'plain.list[0]',
      'plain.list[1]',
    ]);
    expect(expandPath(map, parsePath('hidden.*')).map(formatPath)).toEqual(['hidden.token', 'hidden.other']);
  });
});

describe('structural difference [VAL-8]', () => {
  test('added, removed and changed, by path; wrappers do not count', () => {
    const old = propertyMap({
      same: 1,
      wrapped: new Secret('s'),
      gone: 1,
      list: [1, 2],
      deep: propertyMap({ a: 1, b: 2 }),
    });
    const news = propertyMap({
      same: 1,
      wrapped: 's',
      list: [1, 3, 4],
      deep: propertyMap({ a: 1, b: 3 }),
      added: true,
    });
    const changes = diffMaps(old, news);
    expect(changes.map((change) => [formatPath(change.path), change.kind])).toEqual([
      ['gone', 'delete'],
      ['list[1]', 'update'],
      ['list[2]', 'add'],
      ['deep.b', 'update'],
      ['added', 'add'],
    ]);
    expect(changedKeys(changes)).toEqual(['gone', 'list', 'deep', 'added']);
  });

  test('nothing differs from itself, however it is wrapped', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const map = propertyMap(data as Record<string, never>);
        const wrapped = propertyMap(
          Object.fromEntries(Object.entries(map).map(([key, value]) => [key, new Secret(value)])),
        );
        expect(diffMaps(map, wrapped)).toEqual([]);
      }),
    );
  });
});
