import { Asset, UNKNOWN, propertyMap, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { asUrn } from '@cairn/addresses';
import { paintFor } from '../../terminal/paint.js';
import { changeLines } from './change-lines.js';
import { compareLines, linesOf } from './line-diff.js';
import { readableChanges } from './value-changes.js';

const paint = paintFor(false);

type Values = Readonly<Record<string, PropertyValue>>;

function shown(old: Values, news: Values, more: object = {}): readonly string[] {
  const sides: { old: PropertyMap; new: PropertyMap } = { old: propertyMap(old), new: propertyMap(news) };
  return readableChanges(sides.old, sides.new)
    .flatMap((change) => changeLines(change, { ...sides, indent: 0, ...more }, { paint, showSecrets: false }))
    .flatMap((line) => line.split('\n'));
}

const numbered = (count: number, altered = -1, to = ''): string =>
  Array.from({ length: count }, (_, at) => (at === altered ? to : `line ${at + 1}`)).join('\n') + '\n';
const policy = (...actions: readonly string[]): string =>
  JSON.stringify({ Version: 1, Statement: [{ Effect: 'Allow', Action: actions }] });

describe('one change, for people', () => {
  test.each<[string, Values, Values, readonly string[]]>([
    ['a short text', { a: 'one' }, { a: 'two' }, ['~ a: "one" => "two"']],
    [
      'a long line is cut where both sides are the same, never where they differ',
      { a: `${'x'.repeat(400)}z${'w'.repeat(90)}` },
      { a: `${'x'.repeat(400)}y${'w'.repeat(90)}` },
      [
        `~ a: "…${'x'.repeat(24)}z${'w'.repeat(24)}…" => "…${'x'.repeat(24)}y${'w'.repeat(24)}…"  (from character 401)`,
      ],
    ],
    [
      'a changed span is not cut inside of a character',
      { a: '👩 a' },
      { a: '👨 a' },
      ['~ a: "👩 a" => "👨 a"'],
    ],
    [
      'lines with those around them',
      { a: numbered(60) },
      { a: numbered(60, 40, 'line 41 is back') },
      [
        '~ a: 1 line removed, 1 added',
        '         …',
        '      39  line 39',
        '      40  line 40',
        '    - 41  line 41',
        '    + 41  line 41 is back',
        '      42  line 42',
        '      43  line 43',
      ],
    ],
    [
      'of a long run its beginning and its end',
      { a: `begin\n${numbered(60)}end\n` },
      { a: 'begin\nend\n' },
      [
        '~ a: 60 lines removed, 0 added',
        '       1  begin',
        ...[1, 2, 3, 4, 5, 6, 7, 8].map((line) => `    - ${String(line + 1).padStart(2)}  line ${line}`),
        '         … 49 more changed lines',
        ...[58, 59, 60].map((line) => `    - ${line + 1}  line ${line}`),
        '       2  end',
      ],
    ],
    [
      'blanks at the end of a line are visible',
      { a: 'one\ntwo\n' },
      { a: 'one\ntwo  \n' },
      ['~ a: 1 line removed, 1 added', '      1  one', '    - 2  "two"', '    + 2  "two  "'],
    ],
    [
      'only the line break at the end',
      { a: 'one\ntwo' },
      { a: 'one\ntwo\n' },
      ['~ a: now ends in a line break'],
    ],
    [
      'JSON by its structure',
      { a: policy('get') },
      { a: policy('get', 'put') },
      ['~ a: JSON', '    + Statement[0].Action[1]: "put"'],
    ],
    [
      'JSON that means the same is compared as text',
      { a: '{"a": 1}' },
      { a: '{"a":1}' },
      ['~ a: "{"a": 1}" => "{"a":1}"'].map((line) => line.replaceAll('"a"', '\\"a\\"')),
    ],
    [
      'YAML by its structure',
      { a: 'name: web\nreplicas: 2\nports:\n  - 80\n' },
      { a: 'name: web\nreplicas: 3\nports:\n  - 80\n' },
      ['~ a: YAML', '    ~ replicas: 2 => 3'],
    ],
    [
      'a comment of YAML is no value, and is not lost',
      { a: 'a: 1\n# two\nb: 2\n' },
      { a: 'a: 1\n# three\nb: 3\n' },
      [
        '~ a: 2 lines removed, 2 added',
        '      1  a: 1',
        '    - 2  # two',
        '    - 3  b: 2',
        '    + 2  # three',
        '    + 3  b: 3',
      ],
    ],
    [
      'prose is no YAML',
      { a: 'Dear all,\nhello\n' },
      { a: 'Dear all,\ngoodbye\n' },
      ['~ a: 1 line removed, 1 added', '      1  Dear all,', '    - 2  hello', '    + 2  goodbye'],
    ],
    ['a number that becomes a text', { a: 1 }, { a: '1' }, ['~ a: 1 => "1"']],
    ['a value that is not known yet', { a: 'x' }, { a: UNKNOWN }, ['~ a: "x" => output<string>']],
    ['a secret', { a: secret('one') }, { a: secret('two') }, ['~ a: [secret] => [secret] (changed)']],
    [
      'a text that becomes secret',
      { a: 'one' },
      { a: secret('two') },
      ['~ a: [secret] => [secret] (changed)'],
    ],
    [
      'an asset whose content alone differs',
      { a: new Asset({ path: 'f', hash: '1'.repeat(64) }) },
      { a: new Asset({ path: 'f', hash: '2'.repeat(64) }) },
      ['~ a: asset("f" 11111111) => asset("f" 22222222)'],
    ],
    [
      'an item put in at the front leaves the others alone',
      { a: ['b', 'c'] },
      { a: ['a', 'b', 'c'] },
      ['+ a[0]: "a"'],
    ],
    [
      'an item that moves',
      { a: [{ n: 1 }, { n: 2 }, { n: 3 }] },
      { a: [{ n: 3 }, { n: 1 }, { n: 2 }] },
      ['> a[2] is now a[0]: {', '    n: 3', '  }'],
    ],
    [
      'an item that is altered beside one that is new',
      { a: [{ n: 1, v: 1 }, { n: 9 }] },
      { a: [{ n: 0 }, { n: 1, v: 2 }, { n: 9 }] },
      ['~ a[0].n: 1 => 0', '- a[0].v: 1', '+ a[1]: {', '    n: 1', '    v: 2', '  }'],
    ],
    [
      'lists in lists',
      { a: [[1, 2], [3]] },
      {
        a: [
          [1, 2],
          [3, 4],
        ],
      },
      ['+ a[1][1]: 4'],
    ],
    [
      'a secret item of a list stays masked where it moves',
      { a: [secret('x'), 'y', 'z'] },
      { a: ['y', 'z', secret('x')] },
      ['> a[0] is now a[2]: [secret]'],
    ],
  ])('%s', (_title, old, news, lines) => {
    expect(shown(old, news)).toEqual(lines);
  });

  test('a value that is not known yet names where it comes from', () => {
    const urn = asUrn('urn:pulumi:dev::shop::a:b:Bucket::logs');
    expect(shown({ a: 'x' }, { a: UNKNOWN }, { sources: [{ key: 'a', urn, step: 'replace' }] })).toEqual([
      '~ a: "x" => output<string> (from logs)',
    ]);
  });

  test('the changed span stands out where colours are on', () => {
    const colours = paintFor(true);
    const [change] = readableChanges(propertyMap({ a: 'same x' }), propertyMap({ a: 'same y' }));
    if (change === undefined) throw new Error('no change');
    const sides = { old: propertyMap({}), new: propertyMap({}), indent: 0 };
    expect(changeLines(change, sides, { paint: colours, showSecrets: false })[0]).toContain(
      `"same ${colours.bold('x')}" => "same ${colours.bold('y')}"`,
    );
  });
});

test('long texts that share nothing are told without the smallest difference', () => {
  const lines = (from: number): readonly string[] =>
    linesOf(Array.from({ length: 20_000 }, (_, at) => `${from + at}`).join('\n'));
  expect(compareLines(lines(0), lines(100_000))).toHaveLength(40_000);
  expect(shown({ a: lines(0).join('\n') }, { a: lines(100_000).join('\n') })).toHaveLength(
    1 + 2 * (8 + 1 + 3),
  );
});
