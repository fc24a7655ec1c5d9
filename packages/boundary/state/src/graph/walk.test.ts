import { closure, needsFirst, walk } from './walk.js';
import type { Next } from './walk.js';
import { entryGraph } from './entry-graph.js';

type Edges = Readonly<Record<string, string>>;
const next =
  (edges: Edges): Next<string> =>
  (item, enter) =>
    [...(edges[item] ?? '')].forEach(enter);

const walks: [string, string, Edges, string][] = [
  ['nothing', '', {}, ''],
  ['roots alone', 'ab', {}, 'ab'],
  ['a chain', 'a', { a: 'b', b: 'c' }, 'abc'],
  ['a diamond: each once, breadth first', 'a', { a: 'bc', b: 'd', c: 'd', d: 'e' }, 'abcde'],
  ['a cycle', 'a', { a: 'b', b: 'a' }, 'ab'],
  ['itself', 'a', { a: 'a' }, 'a'],
];

test.each(walks)('what roots lead to: %s', (_title, roots, edges, expected) => {
  expect([...closure(roots, next(edges))].join('')).toBe(expected);
  expect([...walk(roots, next(edges))].join('')).toBe(expected);
});

test('a walk goes no further than it is asked', () => {
  const asked: string[] = [];
  for (const item of walk('a', (each, enter) => (asked.push(each), enter(`${each}a`))))
    if (item === 'aaa') break;
  expect(asked).toEqual(['a', 'aa']);
});

const orders: [string, string, Edges, string, readonly string[]][] = [
  ['needs nothing', 'abc', {}, 'abc', []],
  ['what is needed comes first', 'abc', { a: 'c' }, 'cab', []],
  ['a chain', 'abc', { a: 'b', b: 'c' }, 'cba', []],
  ['in the order in which it is needed', 'abcd', { a: 'dc' }, 'dcab', []],
  ['what is not in the list comes as well', 'a', { a: 'z' }, 'za', []],
  ['a diamond', 'abcd', { a: 'bc', b: 'd', c: 'd' }, 'dbca', []],
  ['a cycle is told of and then left', 'abc', { a: 'b', b: 'c', c: 'b' }, 'cba', ['bc']],
  ['itself is a cycle', 'ab', { a: 'a' }, 'ab', ['a']],
];

test.each(orders)('everything behind what it needs: %s', (_title, items, edges, expected, cycles) => {
  const found: string[] = [];
  const sorted = needsFirst(
    items,
    (item) => [...(edges[item] ?? '')],
    (cycle) => found.push(cycle.join('')),
  );
  expect([sorted.join(''), found]).toEqual([expected, cycles]);
});

test('chains may be long', () => {
  const length = 100_000;
  const sorted = needsFirst([0], (item) => (item === length ? [] : [item + 1]));
  expect([sorted.length, sorted[0]]).toEqual([length + 1, length]);
  expect(closure([0], (item, enter) => item < length && enter(item + 1)).size).toBe(length + 1);
});

test('dependents of a URN are told in the order of the list, each once, in whatever way they refer to it', () => {
  const list = [
    { name: 'a' },
    { name: 'c', dependencies: ['a'], propertyDependencies: { x: ['a', 'b'] } },
    { name: 'b', parent: 'a' },
    { name: 'v', viewOf: 'a' },
  ];
  const graph = entryGraph(list, (item) => item);
  const names = (urn: string) => [...graph.dependents(urn)].map(({ name }) => name).join('');
  expect([names('a'), names('b'), names('v'), names('nobody')]).toEqual(['cb', 'c', '', '']);
});
