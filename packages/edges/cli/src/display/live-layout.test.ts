import stringWidth from 'string-width';
import { paintFor } from '../terminal/paint.js';
import { progressLine, treeLines } from './live-layout.js';
import type { Progress, TreeRow } from './live-layout.js';
import { shortType } from './short-type.js';

const style = { paint: paintFor(false), unicode: true, columns: 79 };
const row = (more: Partial<TreeRow>): TreeRow => ({
  branch: '├─ ',
  below: '│  ',
  glyph: '~ ',
  kind: 'update',
  kept: undefined,
  type: 'aws:s3:Bucket',
  name: 'logs',
  status: 'updated (2.0s)',
  info: '',
  details: [],
  failed: false,
  running: false,
  ...more,
});

describe('the tree', () => {
  test('a reason that fits stands behind its row, a longer one below it in full', () => {
    const long = 'name cannot be changed in place: name comes from Bucket "archive", which is replaced';
    expect(treeLines([row({ info: 'tags changed' }), row({ name: 'data', info: long })], style)).toEqual([
      '    Type              Name  Status',
      ' ~  ├─ aws:s3:Bucket  logs  updated (2.0s)  tags changed',
      ' ~  ├─ aws:s3:Bucket  data  updated (2.0s)',
      '    │    name cannot be changed in place: name comes from Bucket "archive",',
      '    │    which is replaced',
    ]);
  });

  test('on a screen that is full, failures have their reasons first, then what runs', () => {
    const info = 'because of something that takes more room than there is behind a row of this width';
    const rows = [
      row({ name: 'done', info }),
      row({ name: 'runs', info, running: true }),
      row({ name: 'failed', info, failed: true }),
    ];
    const names = (spare: number): readonly string[] =>
      treeLines(rows, style, spare).map((line) => line.trim().split(/\s{2,}/)[1] ?? line.slice(0, 12));
    const marks = (spare: number): string =>
      treeLines(rows, style, spare)
        .slice(1)
        .map((line) =>
          line.includes('because') ? '-' : line.includes('failed') ? 'f' : line.includes('runs') ? 'r' : 'd',
        )
        .join('');
    expect(names(0)).toHaveLength(4);
    expect([0, 1, 2, 3].map(marks)).toEqual(['drf', 'drf-', 'dr-f-', 'd-r-f-']);
  });

  const names = [
    'assets-of-the-marketing-department-with-a-very-long-name-0-3-production-eu-central-1',
    'assets-of-the-marketing-department-with-a-very-long-name-1-3-production-eu-central-1',
    '東京のウェブサイト資産-0-設定ファイル',
    '東京のウェブサイト資産-1-設定ファイル',
    'emoji-👩‍👩‍👧‍👦-🇯🇵-0',
    'name\nwith\u001b[2Jcontrols',
  ];
  test.each([40, 50, 60, 79, 99])(
    'in %i columns no line is longer, and no two names look alike',
    (columns) => {
      for (const unicode of [true, false]) {
        const rows = names.map((name) =>
          row({ name, type: 'a-long-package:module:WithALongTypeNameOfItsOwn', info: 'x '.repeat(60) }),
        );
        const lines = treeLines(rows, { ...style, columns, unicode });
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        const tree = lines.filter((line) => line.startsWith(' ~'));
        expect(tree).toHaveLength(names.length);
        expect(new Set(tree).size).toBe(names.length);
        for (const line of tree) expect(line).toMatch(/updated \(2\.0s\)$/);
        if (!unicode) expect(tree.slice(0, 2).join('')).not.toMatch(/…/);
      }
    },
  );

  const urn = 'urn:pulumi:dev::shop::shop:web:Site$aws:s3/bucket:Bucket::logs';
  test.each<[string, number, number | undefined, readonly string[]]>([
    [
      'beside its status where there is room',
      100,
      undefined,
      [`    ${'URN'.padEnd(65)}  Status`, ` ~  ├─ ${urn}  updated (2.0s)`, '    │    tags changed outside'],
    ],
    [
      'never cut where all is written',
      60,
      undefined,
      ['    URN, and its status below', ` ~  ├─ ${urn}`, '    │    updated (2.0s)  tags changed outside'],
    ],
    [
      'cut in the middle on a screen',
      60,
      0,
      [`    ${'URN'.padEnd(40)}  Status`, ' ~  ├─ urn:pulumi:dev::sh…ucket:Bucket::logs  updated (2.0s)'],
    ],
  ])('a URN in place of type and name: %s', (_title, columns, spare, lines) => {
    const rows = [row({ name: urn, info: 'tags changed outside' })];
    expect(treeLines(rows, { ...style, columns, urns: true }, spare)).toEqual(lines);
  });

  test('a row that only holds others together has no words', () =>
    expect(treeLines([row({ status: '', glyph: '  ', kind: 'same' })], style)[1]).toBe(
      '    ├─ aws:s3:Bucket  logs',
    ));
});

const progress = (more: Partial<Progress>): Progress => ({
  planning: false,
  settled: 12,
  expected: 57,
  elapsed: '5.2s',
  running: [],
  stopping: false,
  hidden: 0,
  failed: 0,
  ...more,
});

test.each<[string, Partial<Progress>, string]>([
  ['how far', {}, '12 of 57 done · 5.2s'],
  ['nobody knows how many', { expected: undefined }, '12 done · 5.2s'],
  ['more than were seen before', { settled: 60 }, '57 of 57 done · 5.2s'],
  ['a preview', { planning: true, expected: undefined }, '12 checked · 5.2s'],
  ['one runs', { running: ['creating a (3.1s)'] }, '12 of 57 done · 5.2s · creating a (3.1s)'],
  [
    'several run',
    { running: ['creating a (3.1s)', 'updating b (1.0s)'], failed: 2, hidden: 30 },
    '12 of 57 done · 2 failed · 30 more rows · 5.2s · 2 running, longest creati…',
  ],
  [
    'after an interrupt: what is waited for',
    { stopping: true, running: ['creating a (3.1s)', 'updating b (1.0s)'] },
    'stopping, waiting for creating a (3.1s) and 1 more · 12 of 57 done · 5.2s',
  ],
])('progress: %s', (_title, more, line) => {
  expect(progressLine(progress(more), style).trim()).toBe(line);
  expect(progressLine(progress(more), { ...style, unicode: false })).toMatch(/^[\x20-\x7e]*$/);
});

test.each([
  ['random:index/randomString:RandomString', 'random:index:RandomString'],
  ['aws:s3/bucketV2:BucketV2', 'aws:s3:BucketV2'],
  ['aws:s3/other:BucketV2', 'aws:s3/other:BucketV2'],
  ['a/b:c:d', 'a/b:c:d'],
  ['pulumi:pulumi:Stack', 'pulumi:pulumi:Stack'],
  ['plain', 'plain'],
])('the type %s reads %s', (type, short) => expect(shortType(type)).toBe(short));
