import { detectTerminal, isCi } from './terminal-capabilities.js';
import type { TerminalFacts } from './terminal-capabilities.js';
import { formatAge, formatDuration, parseDuration } from './duration.js';
import { guarded, visible, visibleInColour, visibleName } from './controls.js';
import { paintFor, stripEscapes } from './paint.js';
import { goStruct } from '@cairn/state';
import type { Json } from '@cairn/state';
import { printJson } from './json-output.js';
import { countDiagnostics, diagnosticLines, errorText } from './report.js';
import { cairnError, errorDiagnostic } from '@cairn/diagnostics';
import { asUrn } from '@cairn/addresses';
import type { CommandContext } from '../command-context.js';
import { terminalColumns, terminalRows } from './terminal-size.js';

const tty: TerminalFacts = {
  env: { LANG: 'en_GB.UTF-8' },
  stdinTty: true,
  stdoutTty: true,
  stderrTty: true,
  nonInteractive: false,
  color: 'auto',
  json: false,
  debug: false,
};

describe('terminal capabilities are detected once [CLI-4] [CLI-6]', () => {
  test.each<[string, Partial<TerminalFacts>, object]>([
    ['a terminal', {}, { interactive: true, redraw: true, colour: true, unicode: true }],
    ['stdout in a pipe', { stdoutTty: false }, { interactive: true, redraw: false, colour: false }],
    ['no terminal for prompts', { stdinTty: false }, { interactive: false, redraw: true }],
    ['CI', { env: { CI: 'true' } }, { interactive: false, redraw: false }],
    ['CI=false', { env: { CI: 'false' } }, { interactive: true, redraw: true }],
    ['a known CI system', { env: { GITHUB_ACTIONS: 'true' } }, { interactive: false, redraw: false }],
    [
      'detection off',
      { env: { CI: '1', CAIRN_DISABLE_CI_DETECTION: '1' } },
      { interactive: true, redraw: true },
    ],
    ['NO_COLOR', { env: { NO_COLOR: '1' } }, { colour: false, redraw: true }],
    ['NO_COLOR empty', { env: { NO_COLOR: '' } }, { colour: true }],
    ['--color over NO_COLOR', { env: { NO_COLOR: '1' }, color: 'always' }, { colour: true }],
    ['FORCE_COLOR in a pipe', { env: { FORCE_COLOR: '1' }, stdoutTty: false }, { colour: true }],
    ['a dumb terminal', { env: { TERM: 'dumb' } }, { redraw: false, colour: false }],
    ['--json', { json: true, color: 'always' }, { interactive: false, redraw: false, colour: false }],
    ['--non-interactive', { nonInteractive: true }, { interactive: false, redraw: false }],
    ['an ASCII locale', { env: { LC_ALL: 'C', LANG: 'en_GB.UTF-8' } }, { unicode: false }],
  ])('%s', (_name, facts, expected) => expect(detectTerminal({ ...tty, ...facts })).toMatchObject(expected));

  test('isCi ignores empty variables', () => expect(isCi({ CI: '', BUILDKITE: '' })).toBe(false));
});

describe('JSON documents [STATE-1]', () => {
  const printed = (value: Json, style?: { readonly escapeHtml: boolean }): string => {
    let text = '';
    printJson(
      { stdout: { write: (piece: string) => ((text += piece), true) } } as unknown as CommandContext,
      value,
      style,
    );
    return text;
  };
  const value = { b: '<&>', 10: 0, 9: 0, a: ['\u2028\u2029', 'x\ud800y', '\u{1f600}', '\\u2028'] };

  test('two spaces a level, keys of maps sorted, line separators and half pairs escaped', () => {
    expect(printed(value)).toBe(
      '{\n  "10": 0,\n  "9": 0,\n  "a": [\n    "\\u2028\\u2029",\n    "x\\ufffdy",\n    "\u{1f600}",\n    "\\\\u2028"\n  ],\n  "b": "<&>"\n}\n',
    );
  });

  test('declared fields in the order given', () => {
    expect(printed([goStruct({ b: { d: 1, c: 2 }, a: 3 })])).toBe(
      '[\n  {\n    "b": {\n      "c": 2,\n      "d": 1\n    },\n    "a": 3\n  }\n]\n',
    );
  });

  test('characters of HTML where the format wants that', () => {
    expect(printed(value, { escapeHtml: true })).toContain('"b": "\\u003c\\u0026\\u003e"');
  });
});

test.each([
  [4, '4ms'],
  [840, '840ms'],
  [1500, '1.5s'],
  [12_400, '12s'],
  [184_000, '3m04s'],
  [3_720_000, '1h02m'],
])('%d ms is %s [CLI-12]', (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  ['0', 0],
  ['90s', 90_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
  ['7d', 604_800_000],
  ['', undefined],
  ['60', undefined],
  ['-1s', undefined],
  ['1h 30m', undefined],
  ['forever', undefined],
  ['999999999d', undefined],
])('the duration %j has %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each([
  [2, 'just now'],
  [40, '40 seconds ago'],
  [60, '1 minute ago'],
  [7200, '2 hours ago'],
  [86_400 * 3, '3 days ago'],
  [86_400 * 90, '2026-01-01'],
])('%d seconds back is %s [CLI-15]', (seconds, text) => {
  const then = new Date('2026-01-01T00:00:00Z');
  expect(formatAge(then, new Date(then.getTime() + seconds * 1000))).toBe(text);
});

test('what is said loses its colours; what could steer the terminal is shown, line breaks and tabs stay [CLI-8]', () => {
  const hostile = 'a\u001b[2Jb\u001b]0;title\u0007c\rd\u0000\n\te\u009b31mf\u202eg\r\n\u001b';
  expect(stripEscapes(hostile)).toBe('abc\\u000dd\\u0000\n\tef\\u202eg\n\\u001b');
});

test('control characters of values are shown, and mean the same in JSON', () => {
  const hostile = 'a\u001b[31mb\u007f\u0085\u202e\u2066\u200b\ufeff\u{e0041} é 👨‍👩‍👧 ن';
  expect(visible(hostile)).toBe(
    'a\\u001b[31mb\\u007f\\u0085\\u202e\\u2066\\u200b\\ufeff\\udb40\\udc41 é 👨‍👩‍👧 ن',
  );
  expect(JSON.parse(visible(JSON.stringify(hostile)))).toBe(hostile);
  expect(visibleName('x\n\ty')).toBe('x\\n\\ty');
  const { red, bold } = paintFor(true);
  expect(visibleInColour(`${red(bold('a'))}\u001b[8mb`)).toBe(`${red(bold('a'))}\\u001b[8mb`);
});

test.each<[{ columns?: number; rows?: number }, Record<string, string>, number[]]>([
  [{ columns: 100, rows: 30 }, {}, [100, 30]],
  [{ columns: 0, rows: 0 }, { COLUMNS: '66', LINES: '20' }, [66, 20]],
  [{ columns: 100, rows: 30 }, { COLUMNS: '66', LINES: '20' }, [100, 30]],
  [{ columns: 0 }, { COLUMNS: '0', LINES: 'many' }, [80, 24]],
  [{}, {}, [80, 24]],
])('a terminal of %j with %j has columns and rows %j', (stream, env, size) =>
  expect([terminalColumns(stream, env), terminalRows(stream, env)]).toEqual(size),
);

test('a guarded stream shows them in everything that is written', async () => {
  const { PassThrough } = await import('node:stream');
  const target = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
  const stream = guarded(target, false);
  stream.write('a\u202e\n');
  stream.end();
  expect([stream.isTTY, stream.columns, String(target.read())]).toEqual([true, 40, 'a\\u202e\n']);
});

describe('errors have four parts [CLI-2]', () => {
  const style = { paint: paintFor(false), debug: false };
  test('what, where, why, what next', () => {
    const urn = asUrn('urn:pulumi:dev::p::a:b:C::x');
    const error = cairnError('CAIRN-RESOURCE-FAILED', 'cannot create "x"', {
      urn,
      source: { file: 'index.ts', line: 3, column: 7 },
      causes: ['provider "a" answered: no \u001b[31mroom'],
      hint: 'make room and run `cairn up` again',
    });
    expect(errorText(error, style).split('\n')).toEqual([
      'error[CAIRN-RESOURCE-FAILED]: cannot create "x"',
      `  at ${urn}`,
      '  at index.ts:3:7',
      '  provider "a" answered: no room',
      '  hint: make room and run `cairn up` again',
      '',
    ]);
  });

  test('the same error of many resources is shown once with a count', () => {
    const one = errorDiagnostic('CAIRN-PLUGIN-DIED', 'provider "a" died');
    const counted = countDiagnostics([one, errorDiagnostic('CAIRN-USAGE', 'x'), { ...one }]);
    expect(counted.map((row) => row.count)).toEqual([2, 1]);
    expect(diagnosticLines(one, 2, style)[0]).toContain('(2 times)');
  });

  test('anything else is an internal error, with its stack only when debugging', () => {
    const bug = new Error('oops');
    expect(errorText(bug, style)).toContain('error[CAIRN-INTERNAL]: internal error: oops');
    expect(errorText(bug, style)).not.toContain('terminal.test');
    expect(errorText(bug, { ...style, debug: true })).toContain('terminal.test');
  });
});
