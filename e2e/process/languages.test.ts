import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { apart } from '../support/apart.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { processesOf, untilNoProcess } from '../support/processes.js';

/**
 * Programs and components in languages whose host is a plugin. The language `steps`
 * (packages/testing/testkit/src/language) represents them: a program is a JSON list of statements, its host a process
 * of its own. Python and Go run where their hosts are on the PATH.
 */

const bin = path.resolve(__dirname, '..', '..', 'packages', 'testing', 'testkit', 'bin');
const UP = ['up', '--yes', '--skip-preview'];

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

function project(statements: readonly object[], files: Record<string, string> = {}): Sandbox {
  const box = sandbox({
    'Pulumi.yaml': 'name: shop\nruntime: steps\n',
    'program.json': JSON.stringify(statements),
    ...files,
  });
  box.env['PATH'] = `${bin}:${process.env['PATH']}`;
  boxes.push(box);
  return box;
}

async function withStack(box: Sandbox): Promise<Sandbox> {
  giveStack(box);
  return box;
}

async function outputs(box: Sandbox): Promise<Record<string, unknown>> {
  const { stdout } = expectOk(await box.cairn(['stack', 'output', '--json', '--show-secrets']));
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('a program', () => {
  test('is told what every program is told, and what it writes is shown', async () => {
    const box = project(
      [
        { do: 'print', text: 'to stdout' },
        { do: 'complain', text: 'to stderr' },
        { do: 'log', severity: 'info', text: 'to the log' },
        { do: 'component', type: 'shop:index:Shelf', name: 'books' },
        { do: 'export-run', name: 'told' },
      ],
      {
        'Pulumi.yaml':
          'name: shop\nruntime:\n  name: steps\n  options: { colour: red, depth: [1, 2] }\nmain: program.json\n',
      },
    );
    await withStack(box);
    expectOk(await box.cairn(['config', 'set', 'plain', 'seen']));
    expectOk(await box.cairn(['config', 'set', 'hidden', '--secret'], { input: 'unseen' }));
    const up = expectOk(await box.cairn([...UP, '--parallel', '7']));
    for (const text of ['to stdout', 'to stderr', 'to the log']) expect(up.text).toContain(text);
    expect(await outputs(box)).toEqual({
      told: {
        ...{ project: 'shop', stack: 'dev', organization: 'organization' },
        ...{ dryRun: false, parallel: 7, args: [], entryPoint: 'program.json', loader: true },
        config: { 'shop:plain': 'seen', 'shop:hidden': 'unseen' },
        secretKeys: ['shop:hidden'],
        options: { colour: 'red', depth: [1, 2] },
      },
    });
    const { stdout } = expectOk(await box.cairn(['stack', 'export']));
    expect(stdout).toContain('"urn:pulumi:dev::shop::shop:index:Shelf::books"');
    expect(expectOk(await box.cairn(['preview', '--diff'])).stdout).toContain('dryRun');
    expect(await untilNoProcess(box)).toEqual([]);
  });

  const failures: [what: string, statements: object[], code: string, text: string][] = [
    [
      'that says why it failed',
      [{ do: 'fail', text: 'line 3: no shelf' }],
      'CAIRN-PROGRAM-FAILED',
      'line 3: no shelf',
    ],
    [
      'as if it had reported its failure',
      [{ do: 'log', severity: 'error', text: 'told already' }, { do: 'bail' }],
      'CAIRN-PROGRAM-LOG',
      'told already',
    ],
    [
      'that has written why it failed',
      [{ do: 'complain', text: 'line 8: no such type' }, { do: 'bail' }],
      'CAIRN-PROGRAM-FAILED',
      'Its output above tells why',
    ],
    [
      'whose host ends in the middle',
      [
        { do: 'complain', text: 'last words' },
        { do: 'die', code: 9 },
      ],
      'CAIRN-PLUGIN-DIED',
      'the language plugin steps ended with exit code 9 during Run',
    ],
  ];
  test.each(failures)('%s fails without a stack trace of ours', async (_, statements, code, text) => {
    const box = await withStack(project(statements));
    const up = await box.cairn(UP);
    expect([up.code === 0, up.text]).toEqual([false, expect.stringContaining(`error[${code}]`)]);
    expect(up.text).toContain(text);
    expect(up.text).not.toMatch(/^\s+at .*(?:\.ts|\.js):\d+/m);
    expect(await untilNoProcess(box)).toEqual([]);
  });

  test('that fails is told in one piece under the name `pulumi`, four blanks in, as scripts look for it', async () => {
    const box = await withStack(project([{ do: 'fail', text: 'no shelf\n\t* for books' }]));
    expectOk(await box.cairn(['alias', 'bin']));
    const up = spawnSync(path.join(box.directory, 'bin', 'pulumi'), UP, {
      encoding: 'utf8',
      cwd: box.directory,
      env: box.env as NodeJS.ProcessEnv,
    });
    expect(up.status).not.toBe(0);
    expect(up.stdout).toMatch(/^ {4}error: .*no shelf\n {4}\t\* for books$/m);
    expect((up.stdout + up.stderr).split('  error: ')).toHaveLength(2);
    expect((await box.cairn(UP)).text).toContain('error[CAIRN-PROGRAM-FAILED]:');
  });

  test('that does not end is ended with the command, however that ends', async () => {
    const box = await withStack(project([{ do: 'hang' }]));
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const running = box.start(UP);
      await running.shown('hanging');
      running.process.kill(signal);
      if (signal === 'SIGINT') {
        await running.shown('interrupted');
        await apart();
        running.process.kill(signal);
      }
      await running.finished;
      expect(await untilNoProcess(box)).toEqual([]);
    }
  });

  test('runs by a host that knows only the calls of early versions', async () => {
    const box = await withStack(project([{ do: 'component', type: 'a:b:C', name: 'c' }]));
    box.env['STEPS_HOST'] = 'old';
    expectOk(await box.cairn(UP));
  });

  test('whose environment is missing says how to install it', async () => {
    const box = project([], {
      'Pulumi.yaml': 'name: shop\nruntime: { name: steps, options: { environment: environment } }\n',
    });
    await withStack(box);
    const up = await box.cairn(UP);
    expect(up.code).toBe(1);
    expect(up.stderr + up.stdout).toMatch(
      /error\[CAIRN-PROGRAM-LOAD\]: cannot list the packages that the program needs\n.*the environment environment is not there\n.*it must be installed first\n.*`cairn install`/,
    );
  });
});

describe('a language plugin', () => {
  test.each([
    ['dies', /CAIRN-PLUGIN-START.*language plugin steps\n.*exit code 7.*\n.*steps: starting/],
    ['garbage', /CAIRN-PLUGIN-START.*language plugin steps\n.*wrote "Welcome to steps!"/],
  ])('that %s at its start is told as that, and nothing is left', async (how, text) => {
    const box = await withStack(project([]));
    box.env['STEPS_HOST'] = how;
    const up = await box.cairn(UP);
    expect([up.code === 0, up.text]).toEqual([false, expect.stringMatching(text)]);
    expect(await untilNoProcess(box)).toEqual([]);
  });

  test.each([
    ['python', 'comes with Pulumi'],
    ['cobol', 'put its pulumi-language-cobol on the PATH'],
  ])('for %s that is not there: what to install, and where it was looked for', async (runtime, how) => {
    const box = await withStack(project([], { 'Pulumi.yaml': `name: shop\nruntime: ${runtime}\n` }));
    box.env['PATH'] = path.dirname(process.execPath);
    const up = await box.cairn(UP);
    expect(up.code).toBe(2);
    expect(up.text).toContain(`error[CAIRN-RUNTIME-UNKNOWN]: no plugin runs the language "${runtime}"`);
    for (const place of ['on the PATH', path.join(box.home, '.cairn', 'plugins'), how])
      expect(up.text).toContain(place);
  });

  test('is taken from the project file, and from the plugin cache', async () => {
    const named = await withStack(
      project([{ do: 'print', text: 'here' }], {
        'Pulumi.yaml': `name: shop\nruntime: steps\nplugins:\n  languages:\n    - { name: steps, path: ${bin} }\n`,
      }),
    );
    named.env['PATH'] = process.env['PATH'];
    expect(expectOk(await named.cairn(UP)).text).toContain('here');
    const cached = await withStack(project([{ do: 'print', text: 'here too' }]));
    cached.env['PATH'] = process.env['PATH'];
    const folder = path.join(cached.home, '.cairn', 'plugins', 'language-steps-v1.2.3');
    execFileSync('mkdir', ['-p', folder]);
    const script = `#!/bin/sh\nexec ${path.join(bin, 'pulumi-language-steps')} "$@"\n`;
    cached.write(path.relative(cached.directory, path.join(folder, 'pulumi-language-steps')), script);
    execFileSync('chmod', ['+x', path.join(folder, 'pulumi-language-steps')]);
    expect(expectOk(await cached.cairn(UP)).text).toContain('here too');
  });
});

const PAIR = {
  'pair/PulumiPlugin.yaml': 'runtime: steps\n',
  'pair/components.json': JSON.stringify({ 'pair:index:Pair': ['left', 'right'] }),
};
const WITH_PAIR = 'name: shop\nruntime: steps\npackages:\n  pair: ./pair\n';

async function urns(box: Sandbox): Promise<readonly string[]> {
  const exported = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as {
    readonly deployment: { readonly resources: readonly { readonly urn: string }[] };
  };
  return exported.deployment.resources.map(({ urn }) => urn.slice('urn:pulumi:dev::shop::'.length));
}

describe('components in a folder with PulumiPlugin.yaml', () => {
  const made = [
    'pair:index:Pair::one',
    'pair:index:Pair$pair:index:PairPart::one-left',
    'pair:index:Pair$pair:index:PairPart::one-right',
  ];

  test('are used by a program in another language, and end with the operation', async () => {
    const use = [{ do: 'remote', type: 'pair:index:Pair', name: 'one', export: 'one' }];
    const box = await withStack(project(use, { ...PAIR, 'Pulumi.yaml': WITH_PAIR }));
    expectOk(await box.cairn(UP));
    expect(await urns(box)).toEqual(expect.arrayContaining(made));
    expect(await outputs(box)).toEqual({ one: { said: 'made left and right' } });
    expect(await untilNoProcess(box)).toEqual([]);
  });

  test('are used by a program on our SDK', async () => {
    const box = await withStack(
      project([], {
        ...PAIR,
        'Pulumi.yaml': WITH_PAIR.replace('steps', 'nodejs') + 'main: index.ts\n',
        'index.ts': `
import { ComponentResource } from '@cairn/sdk';
export const said = new ComponentResource('pair:index:Pair', 'one', {}, {}, true).outputOf('said');
`,
      }),
    );
    expectOk(await box.cairn(UP));
    expect(await urns(box)).toEqual(expect.arrayContaining(made));
    expect(await outputs(box)).toEqual({ said: 'made left and right' });
  });

  test('that refuse a property fail with what they say', async () => {
    const use = [{ do: 'remote', type: 'pair:index:Pair', name: 'one', inputs: { refuse: 'too blue' } }];
    const box = await withStack(project(use, { ...PAIR, 'Pulumi.yaml': WITH_PAIR }));
    const up = await box.cairn(UP);
    expect([up.code === 0, up.text]).toEqual([
      false,
      expect.stringMatching(
        /CAIRN-RESOURCE-FAILED\]: pair:index:Pair resource 'one' has a problem: [^]*property refuse with value '\{too blue\}' has a problem: too blue/,
      ),
    ]);
    expect(up.text).not.toMatch(/^\s+at .*(?:\.ts|\.js):\d+/m);
    expect(await untilNoProcess(box)).toEqual([]);
    expectOk(await box.cairn(['alias', 'bin']));
    const { stdout } = spawnSync(path.join(box.directory, 'bin', 'pulumi'), UP, {
      encoding: 'utf8',
      cwd: box.directory,
      env: box.env as NodeJS.ProcessEnv,
    });
    const refused = "\n    \t\t- property refuse with value '{too blue}' has a problem: too blue\n";
    expect(stdout.split(refused)).toHaveLength(2);
    expect(stdout.split('has a problem: too blue')).toHaveLength(2);
    expect(stdout).toMatch(/^ {4}error: pair:index:Pair resource 'one' has a problem: it is not wanted$/m);
  });

  test('are added to a plugin in a folder too', async () => {
    const box = project([], { ...PAIR, 'other/PulumiPlugin.yaml': 'runtime: steps\n' });
    const cwd = path.join(box.directory, 'other');
    expectOk(await box.cairn(['package', 'add', '../pair'], { cwd }));
    const written = (file: string) => readFileSync(path.join(cwd, file), 'utf8');
    expect(written('PulumiPlugin.yaml')).toBe('runtime: steps\npackages:\n  pair: ../pair\n');
    expect(JSON.parse(written('linked.json'))).toEqual({ pair: 'sdks/pair' });
  });

  test('leave no process when the command is killed', async () => {
    const use = [{ do: 'remote', type: 'pair:index:Pair', name: 'one' }, { do: 'hang' }];
    const box = await withStack(project(use, { ...PAIR, 'Pulumi.yaml': WITH_PAIR }));
    const running = box.start(UP);
    await running.shown('hanging');
    expect(processesOf(box).some((words) => words.includes('steps-components.js'))).toBe(true);
    running.process.kill('SIGKILL');
    await running.finished;
    expect(await untilNoProcess(box)).toEqual([]);
  });

  test('whose language is nowhere, or runs no plugins, or lacks its environment: each says so', async () => {
    const use = [{ do: 'remote', type: 'pair:index:Pair', name: 'one' }];
    const box = await withStack(project(use, { ...PAIR, 'Pulumi.yaml': WITH_PAIR }));
    const says = async (text: RegExp): Promise<void> => {
      const up = await box.cairn(UP);
      expect([up.code === 0, up.text]).toEqual([false, expect.stringMatching(text)]);
    };
    box.write('pair/PulumiPlugin.yaml', 'runtime: cobol\n');
    await says(/cannot start the provider plugin pair: no plugin runs the language "cobol"/);
    box.write('pair/PulumiPlugin.yaml', 'runtime: { name: steps, options: { environment: environment } }\n');
    await says(/cannot start the provider plugin pair\n[^]*the environment environment is not there/);
    box.write('pair/PulumiPlugin.yaml', 'runtime: steps\n');
    box.env['STEPS_HOST'] = 'old';
    await says(/cannot start the provider plugin pair\n[^]*runs programs, but no plugins/);
  });

  test('are added with the code that the language of the program makes of them, and installed', async () => {
    const environment = 'runtime: { name: steps, options: { environment: environment } }\n';
    const box = project([{ do: 'remote', type: 'pair:index:Pair', name: 'one' }], {
      ...PAIR,
      'pair/PulumiPlugin.yaml': environment,
      'Pulumi.yaml': `name: shop\n${environment}`,
    });
    await withStack(box);
    const added = expectOk(await box.cairn(['package', 'add', './pair']));
    for (const text of [
      'Installing the dependencies of ./pair',
      'warning: steps has few words',
      'Generated pair 1.0.0 in sdks/pair: 1 resource',
      'environments made',
    ])
      expect(added.stderr).toContain(text);
    expect(added.stdout).toBe('say pair\n');
    const installed = expectOk(await box.cairn(['install']));
    expect([installed.stdout, installed.stderr]).toEqual([
      expect.stringContaining('making environments'),
      expect.stringContaining('environments made'),
    ]);
    const read = (file: string): string => readFileSync(path.join(box.directory, file), 'utf8');
    expect(JSON.parse(read('sdks/pair/words.json'))).toEqual(['pair:index:Pair']);
    expect(JSON.parse(read('linked.json'))).toEqual({ pair: path.join('sdks', 'pair') });
    expect(read('Pulumi.yaml')).toContain('pair: ./pair');
    expect(['environment', 'pair/environment'].map((at) => existsSync(path.join(box.directory, at)))).toEqual(
      [true, true],
    );
    expectOk(await box.cairn(UP));
    expect(await untilNoProcess(box)).toEqual([]);
  });

  test('of a program on the SDK of the other tool are written by the plugin of that SDK, where it is', async () => {
    const box = project([], {
      ...PAIR,
      'Pulumi.yaml': 'name: shop\nruntime: nodejs\n',
      'package.json': JSON.stringify({ name: 'shop', dependencies: { '@pulumi/pulumi': '*' } }),
    });
    const read = (file: string): string => readFileSync(path.join(box.directory, file), 'utf8');
    const ours = expectOk(await box.cairn(['package', 'add', './pair']));
    expect(ours.stderr).toContain(
      'warning: the package is made for @cairn/sdk, which a program on @pulumi/pulumi',
    );
    expect(read('package.json')).toContain('@cairn-sdks/pair');

    box.write('bin/pulumi-language-nodejs', `#!/bin/sh\nexec '${bin}/pulumi-language-steps' "$@"\n`);
    chmodSync(path.join(box.directory, 'bin/pulumi-language-nodejs'), 0o755);
    box.env['PATH'] = `${path.join(box.directory, 'bin')}:${box.env['PATH']}`;
    const theirs = expectOk(await box.cairn(['package', 'add', './pair']));
    expect(theirs.stdout).toContain('say pair');
    expect(JSON.parse(read('sdks/pair/words.json'))).toEqual(['pair:index:Pair']);
    expect(existsSync(path.join(box.directory, 'sdks/pair/package.json'))).toBe(false);
    expect(await untilNoProcess(box)).toEqual([]);
  });

  test('outside a project are added in the language that is named, and recorded nowhere', async () => {
    const box = sandbox({ ...PAIR, 'library/readme.md': '' }, { projectFile: false });
    boxes.push(box);
    box.env['PATH'] = `${bin}:${process.env['PATH']}`;
    const cwd = path.join(box.directory, 'library');
    const refused = await box.cairn(['package', 'add', '../pair'], { cwd });
    expect(refused.code).not.toBe(0);
    expect(refused.text).toMatch(
      /no project file found in .*\n *hint: Name the language of the code with --language/,
    );
    const added = expectOk(await box.cairn(['package', 'add', '../pair', '--language', 'steps'], { cwd }));
    expect(added.stdout).toBe('say pair\n');
    expect(readdirSync(cwd).sort()).toEqual(['environment', 'linked.json', 'readme.md', 'sdks']);
    box.write('library/Pulumi.yaml', 'name: shop\nruntime: steps\n');
    const inside = await box.cairn(['package', 'add', '../pair', '--language', 'steps'], { cwd });
    expect(inside.text).toMatch(
      /--language is for use outside a Pulumi project or plugin, and there is .*Pulumi.yaml/,
    );
  });

  test('become SDKs of other languages, in folders of theirs', async () => {
    const box = project([], PAIR);
    const read = (file: string): string => readFileSync(path.join(box.directory, file), 'utf8');
    const made = expectOk(
      await box.cairn(['package', 'gen-sdk', './pair', '--language', 'steps', '--local']),
    );
    expect(made.stderr).toContain('SDK of pair written to sdk/steps\n');
    expect(JSON.parse(read('sdk/steps/words.json'))).toEqual(['pair:index:Pair']);
    expectOk(await box.cairn(['package', 'gen-sdk', './pair', '--language', 'steps', '--out', 'made']));
    expect(JSON.parse(read('made/steps/words.json'))).toEqual(['pair:index:Pair']);
    const nowhere = await box.cairn(['package', 'gen-sdk', './pair', '--language', 'cobol']);
    expect([nowhere.code === 0, nowhere.text]).toEqual([
      false,
      expect.stringContaining('no plugin runs the language'),
    ]);
    const alone = await box.cairn(['package', 'gen-sdk', './pair', '--local']);
    expect([alone.code === 0, alone.text]).toEqual([
      false,
      expect.stringContaining('--local needs --language'),
    ]);
    expect(await untilNoProcess(box)).toEqual([]);
  });

  test('have a schema that `package get-schema` shows', async () => {
    const box = project([], PAIR);
    const { stdout } = expectOk(await box.cairn(['package', 'get-schema', './pair']));
    expect(JSON.parse(stdout)).toMatchObject({ name: 'pair', resources: { 'pair:index:Pair': {} } });
    expect(await untilNoProcess(box)).toEqual([]);
  });
});

const onPath = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((directory) => existsSync(path.join(directory, name)));

/** Python with the package pulumi, which a test cannot install for itself. */
function pythonWithPulumi(): boolean {
  try {
    execFileSync('python3', ['-c', 'import pulumi'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Where that Python is, as a virtual environment. */
const prefix = (): string =>
  execFileSync('python3', ['-c', 'import sys; print(sys.prefix, end="")'], { encoding: 'utf8' });

const python = onPath('pulumi-language-python') && pythonWithPulumi();
const whyNot = (there: boolean, what: string): string => (there ? '' : ` (skipped: ${what})`);

describe(`Python${whyNot(python, 'needs pulumi-language-python and python3 with the package pulumi on the PATH')}`, () => {
  (python ? test : test.skip)('runs a program, whose error has a line and no host', async () => {
    const program = (end: string): string => `import pulumi
print("hello from Python")
class Shelf(pulumi.ComponentResource):
    def __init__(self, name):
        super().__init__("shop:index:Shelf", name)
Shelf("books")
pulumi.export("stack", pulumi.get_stack())
${end}
`;
    const box = await withStack(
      project([], { 'Pulumi.yaml': 'name: shop\nruntime: python\n', '__main__.py': program('') }),
    );
    const up: Finished = expectOk(await box.cairn(UP));
    expect(up.text).toContain('hello from Python');
    expect(await outputs(box)).toEqual({ stack: 'dev' });
    box.write('__main__.py', program('raise pulumi.RunError("no more books")'));
    const failed = await box.cairn(UP);
    expect([failed.code === 0, failed.text]).toEqual([false, expect.stringContaining('no more books')]);
    expect(failed.text).not.toContain('Traceback');
    box.write('__main__.py', program('raise ValueError("wrong book")'));
    const thrown = await box.cairn(UP);
    expect(thrown.text).toMatch(/CAIRN-PROGRAM-FAILED[^]*__main__\.py", line 8[^]*wrong book/);
    expect(await untilNoProcess(box)).toEqual([]);
  });

  (python ? test : test.skip)('serves a component to a program in another language', async () => {
    const box = await withStack(
      project(
        [{ do: 'remote', type: 'greet:index:Greeter', name: 'g', inputs: { who: 'you' }, export: 'g' }],
        {
          'Pulumi.yaml': 'name: shop\nruntime: steps\npackages:\n  greet: ./greet\n',
          'greet/PulumiPlugin.yaml': `runtime: { name: python, options: { virtualenv: ${prefix()} } }\n`,
          'greet/__main__.py': `from typing import Optional, TypedDict
import pulumi
from pulumi.provider.experimental import component_provider_host

class GreeterArgs(TypedDict):
    who: pulumi.Input[str]

class Greeter(pulumi.ComponentResource):
    greeting: pulumi.Output[str]
    def __init__(self, name: str, args: GreeterArgs, opts: Optional[pulumi.ResourceOptions] = None):
        super().__init__("greet:index:Greeter", name, {}, opts)
        self.greeting = pulumi.Output.from_input(args["who"]).apply(lambda who: "hello " + who)
        self.register_outputs({"greeting": self.greeting})

component_provider_host(name="greet", components=[Greeter])
`,
        },
      ),
    );
    expectOk(await box.cairn(UP));
    expect(await outputs(box)).toMatchObject({ g: { greeting: 'hello you' } });
    expect(await untilNoProcess(box)).toEqual([]);
  });
});
