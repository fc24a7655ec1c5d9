import { isCairnError } from '@cairn/diagnostics';
import { globalFlags } from './flags.js';
import { parseCommandLine } from './parse.js';
import { commandTable } from './table.js';

/** Returns the command of a line with its arguments and given flags, the usage line of its help, or its error. */
function read(line: string): string {
  try {
    const parsed = parseCommandLine(commandTable, line.split(' '), {});
    if (parsed.t === 'text') return `help ${parsed.exitCode}: ${/^Usage: (.*)$/m.exec(parsed.text)?.[1]}`;
    const { spec, invocation } = parsed;
    const words = [spec.path.join(' '), JSON.stringify(invocation.args), JSON.stringify(given(parsed))];
    return words.join(' ');
  } catch (error) {
    const [told] = isCairnError(error) ? error.diagnostics : [];
    if (told === undefined) throw error;
    const summary = told.code === 'CAIRN-NOT-OFFERED' ? told.summary.split(': ', 1)[0] : told.summary;
    return told.hint?.startsWith('Did you') ? `${summary}: ${told.hint}` : `${summary}`;
  }
}

function given({ spec, invocation: { flags } }: ReturnType<typeof parseCommandLine> & { t: 'command' }) {
  const own = spec.flags ?? [];
  const others = globalFlags.filter(({ name }) => !own.some((flag) => flag.name === name));
  const values = [...own, ...others].map(({ name, value, kind, repeat }) => {
    if (repeat === true) return [name, flags.list(name)] as const;
    if (value === undefined) return [name, flags.on(name)] as const;
    return [name, kind === 'count' ? flags.count(name) : flags.text(name)] as const;
  });
  const isGiven = (value: unknown): boolean =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  return Object.fromEntries(values.filter(([, value]) => isGiven(value)));
}

test.each<[string, string]>([
  ['up -y', 'up [] {"yes":true}'],
  ['up -yf', 'up [] {"yes":true,"skip-preview":true}'],
  ['up -yfp4', 'up [] {"parallel":4,"yes":true,"skip-preview":true}'],
  ['up -y -p 4', 'up [] {"parallel":4,"yes":true}'],
  ['up -p=4', 'up [] {"parallel":4}'],
  ['up -p4', 'up [] {"parallel":4}'],
  ['up --parallel=4', 'up [] {"parallel":4}'],
  ['up --parallel', "option '-p, --parallel <n>' argument missing"],
  ['up -p', "option '-p, --parallel <n>' argument missing"],
  ['up -p 0', 'invalid argument "0" for --parallel: it takes a whole number from 1'],
  ['up --parallel 01', 'invalid argument "01" for --parallel: it takes a whole number from 1'],
  ['up --yes=', '--yes takes true or false, not ""'],
  ['up -y=false', "unknown option '-=false'"],
  ['up --no-yes', "unknown option '--no-yes'"],
  ['up --message -x', 'up [] {"message":"-x"}'],
  ['up --message --yes', 'up [] {"message":"--yes"}'],
  ['up --message --help', 'up [] {"message":"--help"}'],
  ['up --message=', 'up [] {"message":""}'],
  ['up -m=a=b', 'up [] {"message":"a=b"}'],
  ['up -ma', 'up [] {"message":"a"}'],
  ['up --attach-debugger', 'up [] {"attach-debugger":"program"}'],
  ['up --attach-debugger=all', 'up [] {"attach-debugger":"all"}'],
  ['up --attach-debugger all', "too many arguments for 'up'. Expected 0 arguments but got 1."],
  ['up --target a -t b --target=c', 'up [] {"target":["a","b","c"]}'],
  ['up --stack a --stack b', 'up [] {"stack":"b"}'],
  ['up extra', "too many arguments for 'up'. Expected 0 arguments but got 1."],
  ['up --frob', "unknown option '--frob'"],
  ['up --skip-previw', "unknown option '--skip-previw': Did you mean --skip-preview?"],
  ['up -Z', "unknown option '-Z'"],
  ['up -yZ', "unknown option '-Z'"],
  ['up -out x', "unknown option '-out'"],
  ['up --=x', "unknown option '--=x'"],
  ['up --frob --parallel', "option '-p, --parallel <n>' argument missing"],
  ['-C /a up', 'up [] {"cwd":"/a"}'],
  ['-C /a up -C /b', 'up [] {"cwd":"/b"}'],
  ['-C /a', 'help 2: cairn <command> [options]'],
  ['--debug', 'help 2: cairn <command> [options]'],
  ['--frob', "unknown option '--frob'"],
  ['--frob stack ls', "unknown option '--frob'"],
  ['--frob up', "unknown option '--frob'"],
  ['--stack dev stack init', 'stack init [null] {"stack":"dev"}'],
  ['--stack=dev -C x --json stack output', 'stack output [null] {"stack":"dev","json":true,"cwd":"x"}'],
  ['-y up', 'up [] {"yes":true}'],
  ['--yes up', 'up [] {"yes":true}'],
  ['-yf up', "unknown option '-yf'"],
  ['-s output stack export', 'stack export [] {"stack":"output"}'],
  ['--none stack init', "unknown option '--none'"],
  ['stack ls', 'stack ls [] {}'],
  ['stack list -a', 'stack ls [] {"all":true}'],
  ['stack --json ls', 'stack ls [] {"json":true}'],
  ['stack --all ls', "unknown option '--all'"],
  ['stack --show-urns ls', 'stack ls [] {}'],
  ['stack foo --frob', "unknown option '--frob'"],
  ['stack --frob ls', "unknown option '--frob'"],
  ['stack -s a output -s b', 'stack output [null] {"stack":"b"}'],
  ['stack tag', 'help 2: cairn stack tag <command> [options]'],
  ['stack tag foo', "unknown command 'foo'"],
  ['stack tag --frob', "unknown option '--frob'"],
  ['stack history events', 'there is no `cairn stack history events`'],
  ['stack init x --no-select', 'stack init ["x"] {"no-select":true}'],
  ['stack init --select', "unknown option '--select'"],
  ['stack webhook', 'there is no `cairn stack webhook`'],
  ['state', 'help 2: cairn state <command> [options]'],
  ['state -C x', 'help 2: cairn state <command> [options]'],
  ['state foo', "unknown command 'foo'"],
  ['state delet', "unknown command 'delet': Did you mean delete?"],
  ['state --yes delete a', "unknown option '--yes'"],
  ['state taint a b', 'state taint ["a","b"] {}'],
  ['state foo --frob', "unknown command 'foo'"],
  ['state --frob foo', "unknown option '--frob'"],
  ['state -h', 'help 0: cairn state <command> [options]'],
  ['state foo --help', 'help 0: cairn state <command> [options]'],
  ['state --help', 'help 0: cairn state <command> [options]'],
  ['change', 'change [null] {}'],
  ['change 7', 'change ["7"] {}'],
  ['change resolve 7/3 --not-created', 'change resolve ["7/3"] {"not-created":true}'],
  ['change 7 resolve', "too many arguments for 'change'. Expected 1 argument but got 2."],
  ['config set', "missing required argument 'key'"],
  ['config set a -5', 'config set ["a","-5"] {}'],
  ['config set a -- -5', 'config set ["a","-5"] {}'],
  ['config set a -- --yes=false', 'config set ["a","--yes=false"] {}'],
  ['config set a -x', "unknown option '-x'"],
  ['config set -- a b', 'config set ["a","b"] {}'],
  ['config get a b', "too many arguments for 'get'. Expected 1 argument but got 2."],
  [
    'config set-all --secret=true --plaintext a=b',
    'config set-all [] {"plaintext":["a=b"],"secret":["true"]}',
  ],
  ['config set-all --json -', 'config set-all [] {"json":"-"}'],
  ['config set a -', 'config set ["a","-"] {}'],
  ['config --json get a', 'config get ["a"] {"json":true}'],
  ['stack rename -5', 'stack rename ["-5"] {}'],
  ['stack -5', "unknown option '-5'"],
  ['--help', 'help 0: cairn <command> [options]'],
  ['-h', 'help 0: cairn <command> [options]'],
  ['up -h', 'help 0: cairn up [options]'],
  ['up --help', 'help 0: cairn up [options]'],
  ['up extra -h', 'help 0: cairn up [options]'],
  ['up --help --frob', 'help 0: cairn up [options]'],
  ['frobnicate --help', 'help 0: cairn <command> [options]'],
  ['-h up', 'help 0: cairn <command> [options]'],
  ['help -x', 'help 0: cairn <command> [options]'],
  ['-v', "option '-v, --verbose <n>' argument missing"],
  ['-v 3 up', 'up [] {"verbose":3}'],
  ['up -v3', 'up [] {"verbose":3}'],
  ['whoami -v', 'whoami [] {"verbose":true}'],
  ['whoami -v 3', "too many arguments for 'whoami'. Expected 0 arguments but got 1."],
  ['upp', "unknown command 'upp': Did you mean up?"],
  ['xy', "unknown command 'xy'"],
  ['destory', "unknown command 'destory': Did you mean destroy?"],
  ['frobnicate', "unknown command 'frobnicate'"],
  ['logs', 'there is no `cairn logs`'],
  ['logs list', 'logs list [] {}'],
  ['logs -f', 'there is no `cairn logs`'],
  ['logs decrypt', 'there is no `cairn logs decrypt`'],
  ['logs foo', 'there is no `cairn logs`'],
  ['plan --help', 'there is no `cairn plan`'],
  ['new --ai x', '`cairn new` has no --ai'],
  ['new --remote-stack-config', '`cairn new` has no --remote-stack-config'],
  ['up --neo', '`cairn up` has no --neo'],
  ['up --neo=false', 'up [] {}'],
  ['up --override-env a=b', '`cairn up` has no --override-env'],
  ['import a b c d e', 'import ["a","b","c","d","e"] {"protect":true,"generate-code":true}'],
  ['plugin run x -- --all', 'plugin run ["x","--all"] {}'],
  ['plugin run x --all', "unknown option '--all'"],
  ['convert --from pcl a b', 'convert ["a","b"] {"from":"pcl"}'],
  ['policy analyze x', "too many arguments for 'analyze'. Expected 0 arguments but got 1."],
  ['gen-completion', "missing required argument 'shell'"],
  ['gen-completion bash zsh', "too many arguments for 'gen-completion'. Expected 1 argument but got 2."],
  ['package add', "missing required argument 'source'"],
  ['install --no-plugins', 'install [] {"no-plugins":true}'],
  ['stack ls --output json', 'stack ls [] {"json":true,"output":"json"}'],
  ['whoami --output default', 'whoami [] {"output":"default"}'],
  ['about env x', "too many arguments for 'env'. Expected 0 arguments but got 1."],
  ['about x', "unknown command 'x'"],
])('cairn %s', (line, result) => expect(read(line)).toBe(result));
