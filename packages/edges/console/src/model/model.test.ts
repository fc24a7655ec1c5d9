import {
  answerWords,
  resultLabel,
  changeResult,
  changeTitle,
  continuesText,
  isUnfinished,
} from './change-words.js';
import { nameOfResource, treeRows } from './resource-tree.js';
import { shortenText, textPieces } from './texts.js';
import { agoText, elapsedText, localText, secondsText } from './times.js';
import { propertyPathText, valueKind, lineOfValue } from './values.js';

const SIG = '4dabf18193072939515e22adb298388d';
const urn = (name: string): string => `urn:pulumi:dev::shop::test:index:Thing::${name}`;
const row = (name: string, parent?: string) => ({
  ...{ urn: urn(name), custom: true },
  ...(parent !== undefined && { parent: urn(parent) }),
});
const shape = (rows: ReturnType<typeof treeRows>): readonly string[] =>
  rows.map(({ row: { urn: of }, depth }) => `${' '.repeat(depth)}${nameOfResource(of).name}`);
const OPEN = { shape: 'tree', filter: '', closed: new Set<string>() } as const;

describe('resources', () => {
  const rows = [row('root'), row('a', 'root'), row('c', 'b'), row('b', 'root')];

  test.each([
    ['a tree by parent', rows, OPEN, ['root', ' a', ' b', '  c']],
    [
      'a closed row hides what is below it',
      rows,
      { ...OPEN, closed: new Set([urn('b')]) },
      ['root', ' a', ' b'],
    ],
    ['a list in the order of the state', rows, { ...OPEN, shape: 'list' as const }, ['root', 'a', 'c', 'b']],
    ['a filter by words', rows, { ...OPEN, filter: 'THING ::b' }, ['b']],
    ['a parent that is missing', [row('a', 'gone')], OPEN, ['a']],
    ['a cycle of parents', [row('a', 'b'), row('b', 'a'), row('c')], OPEN, ['c', 'a', ' b']],
    ['a resource that is its own parent', [row('a', 'a')], OPEN, ['a']],
    ['two entries of one URN', [row('a'), { ...row('a'), delete: true as const }], OPEN, ['a', 'a']],
  ])('%s', (_title, given, choice, expected) => {
    expect(shape(treeRows(given, choice))).toEqual(expected);
  });

  test('a deep chain of parents needs no deep stack of an engine', () => {
    const chain = Array.from({ length: 5000 }, (_, index) =>
      row(`r${index}`, index === 0 ? undefined : `r${index - 1}`),
    );
    expect(treeRows(chain, OPEN)).toHaveLength(5000);
  });

  test('a text that is no URN is its own name', () => {
    expect(nameOfResource('<img onerror=x>')).toEqual({ name: '<img onerror=x>', type: '' });
  });
});

test.each<[unknown, string, string]>([
  ['a "b"', 'text', '"a \\"b\\""'],
  [1.5, 'number', '1.5'],
  [true, 'truth', 'true'],
  [null, 'null', 'null'],
  ['04da6b54-80e4-46f7-96ec-b56ff0331ba9', 'unknown', '[unknown]'],
  [[1, 'x'], 'list', '[1, "x"]'],
  [{ a: { b: 1 } }, 'map', '{a: {b: 1}}'],
  [{ [SIG]: '1b47061264138c4ac30d75fd1eb44270', ciphertext: 'never' }, 'secret', '[secret]'],
  [{ [SIG]: 'c44067f5952c0a294b673a41bacd8c17', hash: 'h' }, 'asset', '[asset]'],
  [{ [SIG]: 'an unknown mark', a: 1 }, 'map', `{${SIG}: "an unknown mark", a: 1}`],
  [JSON.parse('{"__proto__":1}'), 'map', '{__proto__: 1}'],
])('the value %j', (value, kind, text) => {
  expect([valueKind(value), lineOfValue(value)]).toEqual([kind, text]);
});

test('a path of a property', () => {
  expect(propertyPathText(['inputs', 'tags', 'a b', 0, 'x'])).toBe('inputs.tags["a b"][0].x');
});

test.each<[string, readonly [string, string][]]>([
  ['plain', [['plain', '']]],
  [
    '\u001b[31mred\u001b[0m plain',
    [
      ['red', 'ansi-red'],
      [' plain', ''],
    ],
  ],
  [
    '\u001b[1;32mboth\u001b[22m green',
    [
      ['both', 'ansi-bold ansi-green'],
      [' green', 'ansi-green'],
    ],
  ],
  [
    'a\u001b[2Jb\u001b]8;;javascript:alert(1)\u0007c\u001b]8;;\u0007',
    [
      ['a', ''],
      ['b', ''],
      ['c', ''],
    ],
  ],
  ['\u001b[38;5;9mx', [['x', '']]],
  ['\u202eevil\u200b<b>', [['\\u202eevil\\u200b<b>', '']]],
  ['\u001b', [['\\u001b', '']]],
])('the text %j of a program', (text, expected) => {
  expect(textPieces(text).map((piece) => [piece.text, piece.className])).toEqual(expected);
});

test('a long text is cut', () => {
  expect(shortenText('x'.repeat(2010))).toEqual({ text: 'x'.repeat(2000), left: 10 });
  expect(shortenText('short')).toEqual({ text: 'short', left: 0 });
});

test.each([
  [0, 'now'],
  [-86_400_000, 'now'],
  [42_000, '42 s ago'],
  [150_000, '2 min ago'],
  [7_500_000, '2 h ago'],
  [86_400_000, '1 day ago'],
  [864_000_000, '10 days ago'],
])('a time %d ms ago', (ms, expected) => {
  expect(agoText(1_000_000_000_000 - ms, 1_000_000_000_000)).toBe(expected);
});

test('a time has its date, unless that is today', () => {
  const at = new Date(2030, 4, 6, 14, 3).getTime();
  const [today, later] = [localText(at, at + 60_000), localText(at, at + 30 * 86_400_000)];
  expect([today, later]).toEqual([expect.not.stringContaining('2030'), expect.stringContaining('2030')]);
  for (const text of [today, later]) expect(text).toContain(':03');
  expect(localText(Number.NaN, at)).toBe('');
});

test.each([
  [0.4, '0 ms'],
  [850, '850 ms'],
  [1234, '1.2 s'],
  [125_000, '2 min 5 s'],
  [3_780_000, '1 h 3 min'],
])('a duration of %d ms', (ms, expected) => {
  expect(elapsedText(ms)).toBe(expected);
});

test.each([
  [0, 'under 1 s'],
  [90, '1 min 30 s'],
])('a duration of %d whole seconds', (seconds, expected) => {
  expect(secondsText(seconds)).toBe(expected);
});

describe('changes', () => {
  const change = {
    number: 3,
    running: false,
    operation: { operation: 'up', message: 'more disks\nand text' },
  };

  test('have the words of the terminal', () => {
    expect(changeTitle(change, 'dev')).toBe('Update dev: more disks');
    expect(changeTitle({ ...change, operation: { operation: 'polish' } }, 'dev')).toBe('polish dev');
    const continued = { operation: { continues: { change: '00000002', how: 'rollback' } } };
    expect(continuesText({ ...change, ...continued })).toBe('rolls back 2');
    expect(continuesText(change)).toBe(undefined);
  });

  test.each([
    ['succeeded', 'done'],
    ['rolled-back', 'rolled back'],
    ['waiting', 'waits'],
  ])('are labelled after %s', (result, label) => {
    expect(resultLabel({ ...change, sealed: { result } })).toBe(label);
  });

  test.each([
    ['succeeded', 'is done', false],
    ['failed', 'failed', true],
    ['rolled-back', 'was rolled back', false],
    ['waiting', 'waits', true],
    ['polished', 'polished', false],
    [undefined, 'ended early', true],
  ])('that ended as %s', (result, words, unfinished) => {
    const ended = { ...change, ...(result !== undefined && { sealed: { result } }) };
    expect([changeResult(ended), isUnfinished(ended)]).toEqual([words, unfinished]);
    expect([changeResult({ ...ended, running: true }), isUnfinished({ ...ended, running: true })]).toEqual([
      'runs',
      false,
    ]);
  });
});

test.each([
  ['not-created', 'it was not created'],
  ['not-done', 'it was not done'],
  [{ created: 'i-1' }, 'it was created with the id i-1'],
  [{ done: true }, 'it was done'],
  [{ polished: 1 }, 'an answer of a newer Cairn'],
])('the answer %j', (answer, expected) => {
  expect(answerWords(answer)).toBe(expected);
});
