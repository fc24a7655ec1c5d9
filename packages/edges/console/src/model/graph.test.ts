import fc from 'fast-check';
import type { ConsoleResourceRow } from '@cairn/http-api';
import { graphWaves, neighbours, pathBetween, graphOfRows } from './graph.js';
import { CELL, layoutGraph, nodeAt, seenNodes, walkGraph } from './graph-layout.js';

const urn = (name: string): string => `urn:pulumi:dev::shop::test:index:Thing::${name}`;

/** Row of a resource from `name`, `name>needed,needed` and `name>needed^parent`. */
function row(text: string): ConsoleResourceRow {
  const [, name = '', needs, parent] = /^(\w+)(?:>([\w,]+))?(?:\^(\w+))?$/.exec(text) ?? [];
  return {
    ...{ urn: urn(name), custom: name !== 'root' },
    ...(needs !== undefined && { needs: needs.split(',').map(urn) }),
    ...(parent !== undefined && { parent: urn(parent) }),
  };
}
const graphOf = (texts: readonly string[], edges: Parameters<typeof graphOfRows>[1] = 'both') =>
  graphOfRows(texts.map(row), edges);
const names = (graph: ReturnType<typeof graphOf>, those: Iterable<number>): readonly string[] =>
  [...those].map((at) => graph.nodes[at]?.name ?? '');

const SHOP = ['root', 'net^root', 'disk^root', 'host>net,disk^root', 'site>host^root', 'alone'];

test.each<[string, readonly string[], Parameters<typeof graphOfRows>[1], readonly string[]]>([
  ['both', SHOP, 'both', ['site alone', 'host', 'net disk', 'root']],
  ['what is needed', SHOP, 'needs', ['root site alone', 'host', 'net disk']],
  ['parents', SHOP, 'parents', ['net disk host site alone', 'root']],
  ['a cycle of parents', ['a^b', 'b^a', 'c^a'], 'both', ['b c', 'a']],
  ['its own parent', ['a^a'], 'both', ['a']],
  ['a need that comes later', ['a>b', 'b'], 'both', ['a b']],
  ['needs that are gone', ['a>gone^lost'], 'both', ['a']],
  ['what needs a component waits for its children', ['root', 'a^root', 'b>root'], 'both', ['b', 'a', 'root']],
])('waves of %s', (_title, texts, edges, expected) => {
  const graph = graphOf(texts, edges);
  expect(graphWaves(graph, undefined).map((wave) => names(graph, wave).join(' '))).toEqual(expected);
});

test('waves of some resources keep the order that the others between them give', () => {
  const graph = graphOf(SHOP);
  const shown = new Set([1, 4]);
  expect(graphWaves(graph, shown).map((wave) => names(graph, wave).join(' '))).toEqual(['site', 'net']);
});

test('a replaced object is a resource of its own, to which nothing refers', () => {
  const rows = [{ ...row('a'), delete: true as const }, row('a'), row('b>a')];
  const graph = graphOfRows(rows, 'both');
  expect(graph.needs).toEqual([[], [], [1]]);
});

test.each<[string, number, number, readonly string[]]>([
  ['site', 4, 0, ['site']],
  ['site', 4, 1, ['site', 'host', 'root']],
  ['net', 1, 1, ['net', 'root', 'host']],
  ['alone', 5, 9, ['alone']],
])('neighbours of %s', (_name, start, depth, expected) => {
  const graph = graphOf(SHOP);
  expect(names(graph, neighbours(graph, start, depth))).toEqual(expected);
});

test.each([
  [4, 1, 'site host net'],
  [1, 4, 'net host site'],
  [1, 2, 'net root disk'],
  [1, 1, 'net'],
  [1, 5, ''],
])('the path from %d to %d', (from, to, expected) => {
  const graph = graphOf(SHOP);
  expect(names(graph, pathBetween(graph, from, to)).join(' ')).toBe(expected);
});

/** Rows that a state could have, damaged ones too: any needs and any parents. */
const someRows = fc
  .array(fc.record({ needs: fc.array(fc.nat(30), { maxLength: 4 }), parent: fc.option(fc.nat(30)) }), {
    ...{ minLength: 1, maxLength: 30 },
  })
  .map((shapes) =>
    shapes.map(({ needs, parent }, index) => ({
      ...{ urn: urn(`r${index}`), custom: index % 3 > 0, needs: needs.map((at) => urn(`r${at}`)) },
      ...(parent !== null && { parent: urn(`r${parent}`) }),
    })),
  );

test('every shown resource has one place of its own, and a window finds it there', () => {
  fc.assert(
    fc.property(someRows, fc.boolean(), (rows, isPart) => {
      const graph = graphOfRows(rows, 'both');
      const shown = isPart ? neighbours(graph, 0, 2) : undefined;
      const layout = layoutGraph(graph, shown);
      const placed = layout.columns.flatMap(({ members }) => members);
      expect([...placed].sort((a, b) => a - b)).toEqual([...(shown ?? rows.keys())].sort((a, b) => a - b));
      for (const at of placed) {
        const [x, y] = [layout.x[at] as number, layout.y[at] as number];
        expect(nodeAt(layout, x + 1, y + CELL.height / 2)).toBe(at);
        expect(x + CELL.width).toBeLessThanOrEqual(layout.width);
        expect([y >= 0, y + CELL.height <= layout.height]).toEqual([true, true]);
      }
      expect(layout.count).toBe(placed.length);
    }),
  );
});

test('a window shows no more than it must', () => {
  const graph = graphOf(Array.from({ length: 5000 }, (_, index) => `r${index}`));
  const layout = layoutGraph(graph, undefined);
  expect(layout.columns.length).toBeGreaterThan(10);
  const window = { left: 0, top: 400, right: CELL.width - 1, bottom: 400 + 10 * CELL.height };
  expect(seenNodes(layout, window).length).toBeLessThan(25);
  const whole = { left: 0, top: 0, right: layout.width, bottom: layout.height };
  expect(seenNodes(layout, whole).length).toBe(5000);
});

test('keys walk connections, and choose between their ends', () => {
  const graph = graphOf(SHOP, 'needs');
  const layout = layoutGraph(graph, undefined);
  const path = (start: number, ...keys: readonly Parameters<typeof walkGraph>[3][]): readonly string[] => {
    let walk: Parameters<typeof walkGraph>[2] = { at: start, choices: [] };
    return keys.map((key) => {
      walk = walkGraph(graph, layout, walk, key);
      return graph.nodes[walk.at]?.name ?? '';
    });
  };
  expect(path(4, 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft')).toEqual([
    ...['host', 'net', 'disk', 'net', 'host'],
  ]);
  expect(path(4, 'ArrowLeft')).toEqual(['site']);
  expect(path(0, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp')).toEqual([
    ...['site', 'alone', 'alone', 'site'],
  ]);
});
