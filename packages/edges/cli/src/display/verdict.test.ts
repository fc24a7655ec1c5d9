import { makeUrn } from '@cairn/addresses';
import { errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import stringWidth from 'string-width';
import { paintFor } from '../terminal/paint.js';
import { standingOf } from './summary.js';
import { verdictLines } from './verdict.js';

const style = {
  paint: paintFor(false),
  unicode: true,
  columns: 79,
  sourceLine: () => `  new Page('index', { path: "a" });`,
};
const urnOf = (name: string) =>
  makeUrn({ stack: 'dev', project: 'shop', type: 'aws:s3/bucket:Bucket', name });
const failure = (name: string, more: Partial<Diagnostic> = {}): Diagnostic =>
  errorDiagnostic('CAIRN-RESOURCE-FAILED', `cannot create ${urnOf(name)}`, {
    urn: urnOf(name),
    source: { file: 'index.ts', line: 15, column: 17 },
    causes: ['the name is taken\nby someone else'],
    hint: 'Correct the cause and run again.',
    ...more,
  });

test('what failed, where the program registers it, why, and what to do', () =>
  expect(verdictLines([failure('logs')], style)).toEqual([
    'What failed:',
    '    logs (aws:s3:Bucket)',
    `      index.ts:15:17  new Page('index', { path: "a" });`,
    '      error[CAIRN-RESOURCE-FAILED]: cannot create logs',
    '        the name is taken',
    '        by someone else',
    '      hint: Correct the cause and run again.',
    '',
  ]));

test('warnings and that it was cancelled are no failures', () =>
  expect(
    verdictLines(
      [warningDiagnostic('CAIRN-X', 'careful'), errorDiagnostic('CAIRN-CANCELLED', 'cancelled')],
      style,
    ),
  ).toEqual([]));

test('an error about no resource begins with its text, one that is repeated has its count', () =>
  expect(
    verdictLines(
      [1, 2].map(() => errorDiagnostic('CAIRN-X', 'broken')),
      style,
    ),
  ).toEqual(['What failed:', '    error[CAIRN-X]: broken (2 times)', '']));

test('the same hint stands once, behind the last it belongs to', () => {
  const lines = verdictLines([failure('a'), failure('b'), failure('c', { hint: 'Ask somebody.' })], style);
  expect(lines.filter((line) => line.includes('hint:'))).toEqual([
    '      hint: Correct the cause and run again.',
    '      hint: Ask somebody.',
  ]);
  expect(lines.findIndex((line) => line.includes('Correct'))).toBeGreaterThan(
    lines.indexOf('    b (aws:s3:Bucket)'),
  );
});

test('resources of one name and type are called by their URNs', () => {
  const [one, other] = ['a', 'b'].map((site) =>
    makeUrn({
      stack: 'dev',
      project: 'shop',
      parent: makeUrn({ stack: 'dev', project: 'shop', type: `shop:web:${site}`, name: site }),
      type: 'aws:s3/bucket:Bucket',
      name: 'logs',
    }),
  );
  const lines = verdictLines(
    [failure('logs', { urn: one }), failure('logs', { urn: other }), failure('data')],
    style,
  );
  expect(lines.filter((line) => /^ {4}\S/.test(line)).map((line) => line.trim())).toEqual([
    one,
    other,
    'data (aws:s3:Bucket)',
  ]);
  expect(verdictLines([failure('data')], { ...style, urns: true })[1]?.trim()).toBe(urnOf('data'));
});

test('of one failure the cause is told in full, of several its first lines', () => {
  const causes = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  expect(verdictLines([failure('a', { causes })], style).join('\n')).toContain('line 29');
  expect(verdictLines([failure('a', { causes }), failure('b')], style).join('\n')).toMatch(
    /line 10\n +\(19 more lines\)/,
  );
});

test('away from a terminal everything is told in full, and no line is broken', () => {
  const cause = 'word '.repeat(80).trim();
  const lines = verdictLines(
    Array.from({ length: 12 }, (_, at) =>
      failure(`page-${at}`, { causes: [cause, `of ${at}`, ...Array(20).fill('and')] }),
    ),
    { ...style, columns: undefined },
  );
  expect(lines.filter((line) => line.trim() === cause)).toHaveLength(12);
  expect(lines.filter((line) => line.trim() === 'and')).toHaveLength(240);
});

test('what many resources fail for is told once, above a list of them', () => {
  const refused = (name: string): Diagnostic =>
    errorDiagnostic('CAIRN-RESOURCE-PROTECTED', `cannot delete ${urnOf(name)}: it is protected`, {
      urn: urnOf(name),
      hint: `Run \`cairn state unprotect ${urnOf(name)}\`.`,
    });
  const names = Array.from({ length: 37 }, (_, at) => `page-${at}`);
  const lines = verdictLines([...names.map(refused), failure('logs')], { ...style, columns: undefined });
  expect(lines).toEqual([
    'What failed (38):',
    '    37 resources',
    '      error[CAIRN-RESOURCE-PROTECTED]: cannot delete: it is protected',
    '      hint: Run `cairn state unprotect URN`.',
    ...names.map((name) => `      - ${name} (aws:s3:Bucket)`),
    '    logs (aws:s3:Bucket)',
    `      index.ts:15:17  new Page('index', { path: "a" });`,
    `      error[CAIRN-RESOURCE-FAILED]: cannot create ${urnOf('logs')}`,
    '        the name is taken',
    '        by someone else',
    '      hint: Correct the cause and run again.',
    '',
  ]);
  const three = verdictLines(names.slice(0, 3).map(refused), style);
  expect(three.filter((line) => line.includes('it is protected'))).toHaveLength(3);
});

test('failures are alike by what their code and summary say of every resource', () => {
  const failed = (name: string, more: Partial<Diagnostic>): Diagnostic =>
    errorDiagnostic('CAIRN-RESOURCE-FAILED', `cannot create ${urnOf(name)}: no "${name}" here`, {
      urn: urnOf(name),
      ...more,
    });
  const groups = (more: (name: string) => Partial<Diagnostic>): number =>
    verdictLines(
      ['a', 'b', 'c', 'd'].map((name) => failed(name, more(name))),
      style,
    ).filter((line) => line === '    4 resources').length;
  expect(groups(() => ({ common: 'cannot create: no object here' }))).toBe(1);
  expect(groups((name) => ({ common: `cannot create: no "${name}" here` }))).toBe(0);
  expect(groups(() => ({}))).toBe(1);
});

test('of many failures each has a line', () => {
  const lines = verdictLines(
    Array.from({ length: 40 }, (_, at) => failure(`page-${at}`, { causes: [`of ${at}`] })),
    style,
  );
  expect(lines[0]).toBe('What failed (40):');
  for (let at = 0; at < 40; at++) expect(lines.join('\n')).toContain(`page-${at} (aws:s3:Bucket)`);
  expect(lines.length).toBeLessThan(90);
});

test.each([40, 60, 79])('no line is longer than %i columns', (columns) => {
  const long = failure('n'.repeat(30), { causes: [`${'word '.repeat(60)}${'x'.repeat(200)}`] });
  for (const line of verdictLines([long, failure('b')], { ...style, columns }).filter(
    (text) => !text.includes('(aws'),
  ))
    expect(stringWidth(line)).toBeLessThanOrEqual(columns);
});

test('a program that cannot be read leaves only its place', () =>
  expect(verdictLines([failure('a')], { ...style, sourceLine: () => undefined })[2]).toBe(
    '      index.ts:15:17',
  ));

test.each([
  ['a run that failed', { result: 'failed', preview: false }, 2, 1, '2 failed   1 in doubt   3 not tried'],
  ['a run without failures of steps', { result: 'failed', preview: false }, 0, 0, '3 not tried'],
  ['a preview that failed', { result: 'failed', preview: true }, 2, 1, '2 failed'],
  ['a preview that was cancelled', { result: 'cancelled', preview: true }, 0, 0, ''],
  ['a run that succeeded', { result: 'succeeded', preview: false }, 0, 0, ''],
] as const)('%s: what did not come to its end', (_, summary, failed, inDoubt, text) => {
  const tally = {
    standing: (expected: number | undefined) => ({ failed, notTried: expected && expected - 4 }),
  };
  const doubts = Array.from({ length: inDoubt }, () => ({}) as never);
  expect(standingOf(summary, tally, 7, doubts, paintFor(false))).toBe(text);
});
