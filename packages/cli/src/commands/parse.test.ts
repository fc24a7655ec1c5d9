import { isCairnError } from '@cairn/diagnostics';
import type { CommandSpec } from '../command-spec.js';
import { parseCommandLine } from './parse.js';
import { commandTable } from './table.js';

type Env = Record<string, string>;
const parse = (line: string, env: Env = {}, table: readonly CommandSpec[] = commandTable) =>
  parseCommandLine(table, line === '' ? [] : line.split(' '), env);

function command(line: string, env: Env = {}) {
  const parsed = parse(line, env);
  if (parsed.t !== 'command') throw new Error(`not a command: ${parsed.text}`);
  return parsed;
}

describe('commands are found by words and aliases', () => {
  test.each([
    ['up', ['up']],
    ['update', ['up']],
    ['down', ['destroy']],
    ['pre', ['preview']],
    ['stack', ['stack']],
    ['stack ls', ['stack', 'ls']],
    ['stack list', ['stack', 'ls']],
    ['config', ['config']],
    ['config set a b', ['config', 'set']],
    ['stack hist', ['stack', 'history']],
    ['stack setup x', ['stack', 'init']],
    ['stack delete x', ['stack', 'rm']],
    ['stack tag delete x', ['stack', 'tag', 'rm']],
    ['config delete a', ['config', 'rm']],
    ['config copy', ['config', 'cp']],
    ['config remove-all a b', ['config', 'rm-all']],
    ['config delete-all a b', ['config', 'rm-all']],
    ['state modify', ['state', 'edit']],
    ['change 7', ['change']],
    ['tasks --last=up?', ['change']],
    ['change resolve 7/3 --not-created', ['change', 'resolve']],
  ])('cairn %s', (line, path) => expect(command(line).spec.path).toEqual(path));
});

test('flags are read by kind, arguments by position', () => {
  const { invocation } = command('up -y --parallel 4 --target a --target b --cwd /tmp --message hello');
  expect(invocation.flags.on('yes')).toBe(true);
  expect(invocation.flags.on('skip-preview')).toBe(false);
  expect(invocation.flags.count('parallel')).toBe(4);
  expect(invocation.flags.list('target')).toEqual(['a', 'b']);
  expect(invocation.flags.text('cwd')).toBe('/tmp');
  expect(command('config set a b').invocation.args).toEqual(['a', 'b']);
  expect(command('config set a').invocation.args).toEqual(['a', undefined]);
  expect(command('stack init x --no-select').invocation.flags.on('no-select')).toBe(true);
  expect(command('stack init x').invocation.flags.on('no-select')).toBe(false);
});

test('a repeated argument takes every further word', () => {
  expect(command('state taint a b c --stack x').invocation.args).toEqual(['a', 'b', 'c']);
  expect(command('state untaint').invocation.args).toEqual([undefined]);
  expect(command('state untaint --all').invocation.flags.on('all')).toBe(true);
  expect(() => parse('state taint')).toThrow(/missing required argument/);
});

test('global flags may stand before or after the command', () => {
  expect(command('-C /a up').invocation.flags.text('cwd')).toBe('/a');
  expect(command('stack ls --cwd /b').invocation.flags.text('cwd')).toBe('/b');
});

test('a flag wins over CAIRN_OPTION_, which wins over PULUMI_OPTION_', () => {
  const env = {
    CAIRN_OPTION_STACK: 'ours',
    PULUMI_OPTION_STACK: 'theirs',
    PULUMI_OPTION_YES: 'true',
    CAIRN_OPTION_TARGET: 'a,b',
  };
  expect(command('up --stack given', env).invocation.flags.text('stack')).toBe('given');
  expect(command('up', env).invocation.flags.text('stack')).toBe('ours');
  expect(command('up', env).invocation.flags.on('yes')).toBe(true);
  expect(command('up', env).invocation.flags.list('target')).toEqual(['a', 'b']);
});

test.each<[Env, number | undefined, boolean]>([
  [{ PULUMI_PARALLEL: '3', PULUMI_CONTINUE_ON_ERROR: '1' }, 3, true],
  [{ CAIRN_PARALLEL: '4', PULUMI_PARALLEL: '3', CAIRN_CONTINUE_ON_ERROR: 'no' }, 4, false],
  [{ PULUMI_OPTION_PARALLEL: '5', CAIRN_PARALLEL: '4' }, 5, false],
  [{}, undefined, false],
])('variables that stand for a flag [CFG-14]: %j', (env, parallel, continues) => {
  const { flags } = command('up', env).invocation;
  expect([flags.count('parallel'), flags.on('continue-on-error')]).toEqual([parallel, continues]);
  expect(command('up --parallel 2', env).invocation.flags.count('parallel')).toBe(2);
});

describe('what is not in the table is refused with the nearest name', () => {
  test.each([
    ['upp', "unknown command 'upp'", 'did you mean up?'],
    ['up --skip-previw', "unknown option '--skip-previw'", 'did you mean --skip-preview?'],
    [
      'stack lss',
      "unknown command 'lss'",
      '`cairn stack` has init, ls, select, rm, output, export, import, history, rename, graph, tag, change-secrets-provider',
    ],
    ['config set', "missing required argument 'key'", undefined],
    ['config get a b', 'too many arguments', undefined],
    ['up --parallel', "option '-p, --parallel <n>' argument missing", undefined],
  ])('cairn %s', (line, summary, hint) => {
    expect.assertions(hint === undefined ? 3 : 4);
    try {
      parse(line);
    } catch (error) {
      expect(isCairnError(error)).toBe(true);
      const [diagnostic] = (error as { diagnostics: { code: string; summary: string; hint: string }[] })
        .diagnostics;
      expect(diagnostic?.code).toBe('CAIRN-USAGE');
      expect(diagnostic?.summary).toContain(summary);
      if (hint !== undefined) expect(diagnostic?.hint).toBe(hint);
    }
  });

  test('a count must be a whole number', () => {
    expect(() => parse('up --parallel many')).toThrow('--parallel takes a whole number from 1, not "many"');
  });
});

test('help lists every command of the table and nothing else', () => {
  const help = parse('');
  if (help.t !== 'text') throw new Error('expected help');
  for (const spec of commandTable.filter((row) => row.path.length === 1))
    expect(help.text.replace(/\s+/g, ' ')).toContain(spec.summary);
  const up = parse('up --help');
  if (up.t !== 'text') throw new Error('expected help');
  expect(up.exitCode).toBe(0);
  expect(up.text).toContain('--skip-preview');
  expect(up.text).toContain('$ cairn up --yes --stack prod');
});

test.each([
  ['help', ''],
  ['help up', 'up --help'],
  ['help update', 'up --help'],
  ['help stack ls', 'stack ls --help'],
  ['help state', 'state --help'],
])('cairn %s prints what cairn %s does', (line, same) => {
  const printed = parse(line);
  expect(printed).toMatchObject({ t: 'text', exitCode: 0 });
  expect(printed).toEqual(parse(same));
});

test('there is no help about a command that there is not', () => {
  expect(() => parse('help nothing')).toThrow("unknown command 'nothing'");
});

test('every row has a summary and its code can be loaded', async () => {
  for (const spec of commandTable) {
    expect(spec.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(typeof (await spec.load())).toBe('function');
  }
});

describe('switches take true and false', () => {
  const on = (line: string, name: string, env: Env = {}) => command(line, env).invocation.flags.on(name);
  test.each<[string, string, Env, boolean]>([
    ['up --yes=true', 'yes', {}, true],
    ['up --yes=false', 'yes', { CAIRN_OPTION_YES: 'true' }, false],
    ['up --yes --yes=false', 'yes', {}, false],
    ['import a b c', 'protect', {}, true],
    ['import --protect a b c', 'protect', {}, true],
    ['import --protect=false a b c', 'protect', {}, false],
    ['import a b c', 'protect', { PULUMI_OPTION_PROTECT: 'false' }, false],
    ['up', 'yes', {}, false],
  ])('cairn %s', (line, name, env, expected) => expect(on(line, name, env)).toBe(expected));

  test('what follows -- is no flag, and flags with values keep them', () => {
    expect(command('config set a -- --yes=false').invocation.args).toEqual(['a', '--yes=false']);
    expect(command('up --message=false').invocation.flags.text('message')).toBe('false');
  });
});

describe('what is not known points to the help of its own command', () => {
  test.each([
    ['up --frobnicate', 'run `cairn up --help` for its flags and arguments'],
    ['-C /tmp stack output --frobnicate', 'run `cairn stack output --help` for its flags and arguments'],
    ['down --frobnicate', 'run `cairn destroy --help` for its flags and arguments'],
    ['state taint', 'run `cairn state taint --help` for its flags and arguments'],
    ['frobnicate', 'run `cairn --help` for the commands and flags there are'],
  ])('cairn %s', (line, hint) => {
    let thrown: unknown;
    try {
      parse(line);
    } catch (error) {
      thrown = error;
    }
    expect(isCairnError(thrown) && thrown.diagnostics[0]?.hint).toBe(hint);
  });
});
