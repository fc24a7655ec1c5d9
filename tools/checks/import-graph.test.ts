import { readFileSync } from 'node:fs';
import path from 'node:path';
import { floorRules, floors, packagePlan, packageRules } from './floors.mjs';
import { arrows, circles, importGraph } from './import-graph.mjs';
import { FLOORS, packageFolder, packageFolders } from '../workspaces.mjs';

describe('circles', () => {
  const rows: [name: string, graph: Record<string, string[]>, expected: string[][]][] = [
    ['none in a line', { a: ['b'], b: ['c'], c: [] }, []],
    ['none where two ways meet', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
    ['two files', { a: ['b'], b: ['a'] }, [['a', 'b']]],
    ['a file that imports itself', { a: ['a'] }, [['a']]],
    ['a circle that is reached from outside', { a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, [['b', 'c', 'd']]],
    [
      'two circles',
      { a: ['b', 'c'], b: ['a'], c: ['d'], d: ['c'] },
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    ],
  ];
  it.each(rows)('%s', (_, graph, expected) => {
    expect(circles(new Map(Object.entries(graph)))).toEqual(expected);
  });
});

describe('packages', () => {
  const plan = Object.entries<string[]>(packagePlan);
  const inPlan = plan.map(([name]) => name).filter((name) => packageFolders.has(name));

  it('stand in the table in the order of their floors', () => {
    const floors = inPlan.map((name) => path.basename(path.dirname(packageFolder(name))));
    expect([...new Set(floors)]).toEqual(FLOORS);
    expect(floors).toEqual(FLOORS.flatMap((floor) => floors.filter((each) => each === floor)));
    expect([...inPlan].sort()).toEqual([...packageFolders.keys()].sort());
  });

  it('import only what stands above them in the table, and name as dependencies only that', () => {
    const above = (name: string): readonly string[] => inPlan.slice(0, inPlan.indexOf(name));
    const upward = plan
      .filter(([name, allowed]) => packageFolders.has(name) && !allowed.includes('*'))
      .flatMap(([name, allowed]) => allowed.filter((other) => !above(name).includes(other)));
    expect(upward).toEqual([]);
    const astray = inPlan.flatMap((name) =>
      dependencies(name).filter((other) => name !== 'testkit' && !above(name).includes(other)),
    );
    expect(astray).toEqual([]);
  });
});

function dependencies(name: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(path.join(packageFolder(name), 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(manifest.dependencies ?? {}).flatMap((each) =>
    each.startsWith('@cairn/') ? [each.slice('@cairn/'.length)] : [],
  );
}

describe('files', () => {
  it.each([...packageFolders.keys()])('of %s import each other in no circle, by value or by type', (name) => {
    const graph = importGraph(path.join(packageFolder(name), 'src'));
    expect(graph.size).toBeGreaterThan(0);
    expect(circles(graph)).toEqual([]);
  });
});

describe.each(Object.entries<Record<string, string[]>>(floors))('the floors of %s', (name, rows) => {
  const graph = importGraph(path.join(packageFolder(name), 'src'));
  for (const file of graph.keys()) if (file.endsWith('.test.ts')) graph.delete(file);

  it('are a table in which every row names rows above it', () => {
    const names = Object.keys(rows);
    const upward = Object.entries(rows).flatMap(([row, allowed]) =>
      allowed
        .filter((other) => names.indexOf(other) >= names.indexOf(row) || !names.includes(other))
        .map((other) => `${row} -> ${other}`),
    );
    expect(upward).toEqual([]);
  });

  it('are all that there is', () => {
    const there = new Set([...graph.keys()].map((file) => file.split('/')[0]));
    expect([...there].sort()).toEqual(Object.keys(rows).sort());
  });

  it('are kept: a folder imports what its row names, all of that and nothing else', () => {
    const allowed = Object.entries(rows).flatMap(([row, others]) =>
      others.map((other) => `${row} -> ${other}`),
    );
    const found = arrows(graph);
    const astray = [...found].filter(([arrow]) => !allowed.includes(arrow));
    expect(Object.fromEntries(astray)).toEqual({});
    expect(allowed.filter((arrow) => !found.has(arrow))).toEqual([]);
  });
});

it('the linter refuses packages that the table does not name', () => {
  const [code, tests] = packageRules({ addresses: ['values'] });
  const refused = (rule: typeof code, name: string) =>
    new RegExp(rule?.rules['@typescript-eslint/no-restricted-imports'][1].patterns[0].regex).test(name);
  expect([code?.files, tests?.files]).toEqual([
    ['packages/ground/addresses/**/*.ts'],
    ['packages/ground/addresses/**/*.test.ts', 'packages/ground/addresses/test/**/*.ts'],
  ]);
  const names = [
    '@cairn/values',
    '@cairn/values/json',
    '@cairn/valuesque',
    '@cairn/testkit',
    '@cairn/cli',
    'yaml',
  ];
  expect(names.filter((name) => refused(code, name))).toEqual([
    '@cairn/valuesque',
    '@cairn/testkit',
    '@cairn/cli',
  ]);
  expect(names.filter((name) => refused(tests, name))).toEqual(['@cairn/valuesque', '@cairn/cli']);
});

it('floors are what the linter says', () => {
  const rows = { low: [], 'side.ts': [], high: ['low'] };
  const refused = floorRules({ house: rows }).map(({ files, rules }) => [
    files[0],
    rules['no-restricted-imports'][1].patterns[0].regex,
  ]);
  expect(refused).toEqual([
    ['packages/*/house/src/low/**/*.ts', '^(\\.\\./)+(side\\.js$|high/)'],
    ['packages/*/house/src/high/**/*.ts', '^(\\.\\./)+(side\\.js$)'],
  ]);
});
