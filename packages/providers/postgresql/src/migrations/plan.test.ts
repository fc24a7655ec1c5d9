import { checksumOf, planMigrations } from './plan.js';
import type { AppliedMigration, SqlMigration } from './plan.js';

const migration = (name: string, up = `CREATE TABLE ${name} ()`): SqlMigration => ({ name, up });
const applied = (...names: readonly string[]): readonly AppliedMigration[] =>
  names.map((name) => ({ name, checksum: checksumOf(migration(name)) }));
const wanted = (...names: readonly string[]): readonly SqlMigration[] => names.map((name) => migration(name));

type Row = readonly [
  title: string,
  had: readonly AppliedMigration[],
  wants: readonly SqlMigration[],
  undoable: readonly string[],
  end: { undo: readonly string[]; apply: readonly string[] } | RegExp,
];
const ROWS: readonly Row[] = [
  ['nothing to do', applied('a', 'b'), wanted('a', 'b'), [], { undo: [], apply: [] }],
  ['a new database has them all, in order', applied(), wanted('a', 'b'), [], { undo: [], apply: ['a', 'b'] }],
  ['one more at the end', applied('a'), wanted('a', 'b'), [], { undo: [], apply: ['b'] }],
  [
    'the last ones are undone, the last one first',
    applied('a', 'b', 'c'),
    wanted('a'),
    ['b', 'c'],
    { undo: ['c', 'b'], apply: [] },
  ],
  [
    'another one in place of the last',
    applied('a', 'b'),
    wanted('a', 'c'),
    ['b'],
    { undo: ['b'], apply: ['c'] },
  ],
  ['all are undone', applied('a'), wanted(), ['a'], { undo: ['a'], apply: [] }],
  ['no way to undo', applied('a', 'b'), wanted('a'), ['a'], /^b was applied.*no "down"/],
  [
    'one before those applied',
    applied('b'),
    wanted('a', 'b'),
    [],
    /^a is in the position where b was applied/,
  ],
  [
    'the order is another',
    applied('a', 'b'),
    wanted('b', 'a'),
    [],
    /^b is in the position where a was applied/,
  ],
  ['one in the middle is gone', applied('a', 'b'), wanted('b'), ['a', 'b'], /^a was applied before b/],
  [
    'another text',
    applied('a'),
    [migration('a', 'CREATE TABLE other ()')],
    [],
    /^a was applied with another text/,
  ],
];

test.each(ROWS)('%s', (_title, had, wants, undoable, end) => {
  const plan = planMigrations(had, wants, new Set(undoable));
  if (end instanceof RegExp) expect('why' in plan ? plan.why : plan).toMatch(end);
  else expect(plan).toEqual({ undo: end.undo, apply: wants.filter(({ name }) => end.apply.includes(name)) });
});

test('ends of lines make no other text', () => {
  expect(checksumOf({ up: 'a;\r\nb;\r\n' })).toBe(checksumOf({ up: 'a;\nb;\n' }));
  expect(checksumOf({ up: 'a;\nb;' })).not.toBe(checksumOf({ up: 'a;\nb;\n' }));
});
