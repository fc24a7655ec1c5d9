import { isCairnError } from '@cairn/diagnostics';
import type { CommandSpec } from '../command-spec.js';
import { parseCommandLine } from './parse.js';
import { refusedCommands } from './refused.js';
import { commandTable } from './table.js';

type Env = Record<string, string>;
const parse = (line: string, env: Env = {}, table: readonly CommandSpec[] = commandTable) =>
  parseCommandLine(table, line === '' ? [] : line.split(' '), env);

function command(line: string, env: Env = {}) {
  const parsed = parse(line, env);
  if (parsed.t !== 'command') throw new Error(`not a command: ${parsed.text}`);
  const { spec, invocation } = parsed;
  const flags: Readonly<Record<string, unknown>> = invocation.flags;
  return { spec, invocation: { ...invocation, flags } };
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
    ['-C up stack', ['stack']],
    ['stack -s output export', ['stack', 'export']],
    ['-s output stack export', ['stack', 'export']],
    ['--stack=dev -C x --json stack output', ['stack', 'output']],
    ['--version', ['version']],
    ['change resolve 7/3 --not-created', ['change', 'resolve']],
  ])('cairn %s', (line, path) => expect(command(line).spec.path).toEqual(path));
});

test('flags are read by kind, arguments by position', () => {
  const { invocation } = command('up -y --parallel 4 --target a --target b --cwd /tmp --message hello');
  expect(invocation.flags['yes']).toBe(true);
  expect(invocation.flags['skipPreview']).toBe(false);
  expect(invocation.flags['parallel']).toBe(4);
  expect(invocation.flags['target']).toEqual(['a', 'b']);
  expect(invocation.flags['cwd']).toBe('/tmp');
  expect(command('config set a b').invocation.args).toEqual(['a', 'b']);
  expect(command('config set a').invocation.args).toEqual(['a', undefined]);
  expect(command('stack init x --no-select').invocation.flags['noSelect']).toBe(true);
  expect(command('stack init x').invocation.flags['noSelect']).toBe(false);
});

test('flags may stand before their command, with their values', () => {
  const { invocation } = command('--stack a/b/dev -C x --no-select stack init --secrets-provider passphrase');
  expect(invocation.flags['stack']).toBe('a/b/dev');
  expect(invocation.flags['cwd']).toBe('x');
  expect(invocation.flags['noSelect']).toBe(true);
  expect(invocation.flags['secretsProvider']).toBe('passphrase');
  expect(invocation.args).toEqual([undefined]);
  expect(() => parse('--none stack init')).toThrow("unknown option '--none'");
});

test('a repeated argument takes every further word', () => {
  expect(command('state taint a b c --stack x').invocation.args).toEqual(['a', 'b', 'c']);
  expect(command('state untaint').invocation.args).toEqual([undefined]);
  expect(command('state untaint --all').invocation.flags['all']).toBe(true);
  expect(() => parse('state taint')).toThrow(/missing required argument/);
});

test('global flags may stand before or after the command', () => {
  expect(command('-C /a up').invocation.flags['cwd']).toBe('/a');
  expect(command('stack ls --cwd /b').invocation.flags['cwd']).toBe('/b');
});

test('a flag wins over CAIRN_OPTION_, which wins over PULUMI_OPTION_', () => {
  const env = {
    CAIRN_OPTION_STACK: 'ours',
    PULUMI_OPTION_STACK: 'theirs',
    PULUMI_OPTION_YES: 'true',
    CAIRN_OPTION_TARGET: 'a,b',
  };
  expect(command('up --stack given', env).invocation.flags['stack']).toBe('given');
  expect(command('up', env).invocation.flags['stack']).toBe('ours');
  expect(command('up', env).invocation.flags['yes']).toBe(true);
  expect(command('up', env).invocation.flags['target']).toEqual(['a', 'b']);
});

test.each<[Env, number | undefined, boolean]>([
  [{ PULUMI_PARALLEL: '3', PULUMI_CONTINUE_ON_ERROR: '1' }, 3, true],
  [{ CAIRN_PARALLEL: '4', PULUMI_PARALLEL: '3', CAIRN_CONTINUE_ON_ERROR: 'no' }, 4, false],
  [{ PULUMI_OPTION_PARALLEL: '5', CAIRN_PARALLEL: '4' }, 5, false],
  [{}, undefined, false],
])('variables that stand for a flag [CFG-14]: %j', (env, parallel, continues) => {
  const { flags } = command('up', env).invocation;
  expect([flags['parallel'], flags['continueOnError']]).toEqual([parallel, continues]);
  expect(command('up --parallel 2', env).invocation.flags['parallel']).toBe(2);
});

describe('what is not in the table is refused with the nearest name', () => {
  test.each([
    ['upp', "unknown command 'upp'", 'Did you mean up?'],
    ['up --skip-previw', "unknown option '--skip-previw'", 'Did you mean --skip-preview?'],
    [
      'stack lss',
      "unknown command 'lss'",
      '`cairn stack` has init, ls, select, migrate, lock, unlock, unselect, rm, output, export, import, history, rename, graph, tag, change-secrets-provider, webhook, schedule, drift.',
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
    expect(() => parse('up --parallel many')).toThrow(
      'invalid argument "many" for --parallel: it takes a whole number from 1',
    );
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
  const on = (line: string, name: string, env: Env = {}) => command(line, env).invocation.flags[name];
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

  test.each<[string, boolean]>([
    ['up --yes=1', true],
    ['up --yes=F', false],
    ['up --yes=false --yes', true],
  ])('cairn %s, as Go writes it', (line, expected) => expect(on(line, 'yes')).toBe(expected));

  test('and nothing else', () =>
    expect(() => parse('up --yes=maybe')).toThrow('--yes takes true or false, not "maybe"'));

  test('a switch of one command is none of another', () => {
    expect(command('config set-all --secret=true').invocation.flags['secret']).toEqual(['true']);
  });

  test('what follows -- is no flag, and flags with values keep them', () => {
    expect(command('config set a -- --yes=false').invocation.args).toEqual(['a', '--yes=false']);
    expect(command('up --message=false').invocation.flags['message']).toBe('false');
  });
});

describe('what other tools have and this one does not is refused with what to do instead', () => {
  test.each([
    ['plan', "there is no `cairn plan`: it is Terraform's", '`cairn preview`'],
    ['plan -out x', 'there is no `cairn plan`', '--save-plan'],
    ['apply --auto-approve', 'there is no `cairn apply`', '`cairn up`'],
    ['init', 'there is no `cairn init`', '`cairn new`'],
    ['fmt --check', 'there is no `cairn fmt`', 'formatter'],
    ['logs -f --since 1h', 'there is no `cairn logs`', '`cairn change --last up`'],
    ['logs --help', 'there is no `cairn logs`', '`cairn change --last up`'],
    ['env ls', 'there is no `cairn env`', '`cairn config set --secret`'],
    ['policy publish x', 'there is no `cairn policy publish`', '--policy-pack'],
    ['state show x', 'there is no `cairn state show`', '`cairn state get URN`'],
  ])('cairn %s', (line, summary, hint) => {
    let thrown: unknown;
    try {
      parse(line);
    } catch (error) {
      thrown = error;
    }
    if (!isCairnError(thrown)) throw new Error('it was not refused');
    expect(thrown.diagnostics[0]).toMatchObject({ code: 'CAIRN-NOT-OFFERED' });
    expect(thrown.diagnostics[0]?.summary).toContain(summary);
    expect(thrown.diagnostics[0]?.hint).toContain(hint);
  });

  test('a flag that is refused', () => {
    const spec = {
      path: ['fly'],
      summary: 'Fly',
      flags: [{ name: 'neo', summary: '', refused: 'it needs a service' }],
      load: () => Promise.resolve(() => Promise.resolve(0)),
    };
    const refused = '`cairn fly` has no --neo: it needs a service';
    expect(() => parse('fly --neo', {}, [spec])).toThrow(refused);
    expect(() => parse('fly', { PULUMI_OPTION_NEO: 'true' }, [spec])).toThrow(refused);
    expect(parse('fly --neo=false', {}, [spec]).t).toBe('command');
  });

  test('no command is both there and refused', () => {
    const there = commandTable.map(({ path }) => path.join(' '));
    for (const { path } of refusedCommands) expect(there).not.toContain(path.join(' '));
  });
});

test.each([
  ['a,b', ['a', 'b']],
  ['"a=1,2",b', ['a=1,2', 'b']],
  ['a', ['a']],
])('a list in the environment: %s', (text, values) =>
  expect(command('up', { PULUMI_OPTION_TARGET: text }).invocation.flags['target']).toEqual(values),
);

test('short help has what is used most, and --help everything', () => {
  const [short, full] = [parse('up -h'), parse('up --help')];
  if (short.t !== 'text' || full.t !== 'text') throw new Error('expected help');
  expect(short.text).toContain('--skip-preview');
  expect(short.text).not.toContain('--isolate');
  expect(full.text).toContain('--isolate');
  expect(full.text).toContain('Selecting resources:');
  expect(full.text).toContain('Options of every command:');
});

describe('what is not known points to the help of its own command', () => {
  test.each([
    ['up --frobnicate', 'Run `cairn up --help` for its flags and arguments.'],
    ['-C /tmp stack output --frobnicate', 'Run `cairn stack output --help` for its flags and arguments.'],
    ['down --frobnicate', 'Run `cairn destroy --help` for its flags and arguments.'],
    ['state taint', 'Run `cairn state taint --help` for its flags and arguments.'],
    ['frobnicate', 'Run `cairn --help` for the commands and flags there are.'],
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
