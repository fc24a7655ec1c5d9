import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import type { LanguageHost, RunRequest, RunResult } from '@cairn/wire';
import { createNodeLanguageHost } from './index.js';
import { createTransform } from './loader/transform.js';
import { programCompiler } from './tsconfig/program-compiler.js';
import type { NodeLanguageHost, NodeLanguageHostOptions, TypecheckCause } from './index.js';
import { builtLoader, modules } from './testdata/built-loader.js';
import { FakeEngine } from './testdata/fake-engine.js';

/** Result of a program on an SDK that has ended well. */
const OK: RunResult = { t: 'ok' };

let loader: string;
let root: string;

beforeAll(() => (loader = builtLoader()));
afterAll(() => rm(loader, { recursive: true, force: true }));

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-program-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** Puts the real SDK where the program finds it. */
async function installPulumi(): Promise<void> {
  await mkdir(join(root, 'node_modules', '@pulumi'), { recursive: true });
  await symlink(join(modules, '@pulumi', 'pulumi'), join(root, 'node_modules', '@pulumi', 'pulumi'));
}

/** Runner in place of our SDK's. It prints its variables and arguments and runs the program. */
const RUNNER = `
const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('CAIRN_')));
console.log(JSON.stringify({ given, args: process.argv.slice(2), cwd: process.cwd() }));
const { pathToFileURL } = await import('node:url');
const program = await import(pathToFileURL(process.env.CAIRN_PROGRAM).href);
console.log('exports ' + JSON.stringify(program));
`;

const installCairn = (): Promise<void> =>
  write({
    'node_modules/@cairn/sdk/package.json':
      '{"name":"@cairn/sdk","version":"1.0.0","type":"module","exports":{"./run":"./run.js"}}',
    'node_modules/@cairn/sdk/run.js': RUNNER,
  });

interface Run {
  readonly result: RunResult;
  readonly stdout: string;
  readonly stderr: string;
}

function hostWith(options: Partial<NodeLanguageHostOptions> = {}): NodeLanguageHost {
  return createNodeLanguageHost({
    loader: join(loader, 'register.js'),
    environment: { PATH: process.env['PATH'], CAIRN_HOME: join(root, '.home') },
    ...options,
  });
}

function requestFor(changes: Partial<RunRequest> = {}, info: Partial<RunRequest['info']> = {}): RunRequest {
  return {
    info: { rootDirectory: root, programDirectory: root, entryPoint: '.', options: {}, ...info },
    monitorAddress: '127.0.0.1:1',
    engineAddress: '127.0.0.1:1',
    project: 'proj',
    stack: 'dev',
    organization: 'org',
    config: { 'proj:name': 'value', 'proj:secret': 's3' },
    configSecretKeys: ['proj:secret'],
    dryRun: false,
    parallel: 4,
    args: [],
    onOutput: () => undefined,
    ...changes,
  };
}

async function run(
  host: LanguageHost,
  changes: Partial<RunRequest> = {},
  info: Partial<RunRequest['info']> = {},
): Promise<Run> {
  const output = { stdout: '', stderr: '' };
  const result = await host.run(
    requestFor({ ...changes, onOutput: (stream, text) => (output[stream] += text) }, info),
  );
  return { result, ...output };
}

describe('programs on @pulumi/pulumi', () => {
  let engine: FakeEngine;
  beforeEach(async () => {
    engine = new FakeEngine();
    await engine.start();
    await installPulumi();
  });
  afterEach(() => engine.stop());

  const runPulumi = (
    changes: Partial<RunRequest> = {},
    info: Partial<RunRequest['info']> = {},
    options: Partial<NodeLanguageHostOptions> = {},
  ) =>
    run(
      hostWith(options),
      { monitorAddress: engine.address, engineAddress: engine.address, ...changes },
      info,
    );

  const PROGRAM = `
    import * as pulumi from '@pulumi/pulumi';
    const config = new pulumi.Config();
    class Thing extends pulumi.CustomResource {}
    const thing = new Thing('test:index:Thing', 'a', { size: 3 as number });
    export const name: string = config.require('name');
    export const secret = config.requireSecret('secret');
    export const where = { project: pulumi.getProject(), stack: pulumi.getStack(), organization: pulumi.getOrganization(), preview: pulumi.runtime.isDryRun() };
  `;

  test.each([
    ['CommonJS', '{"dependencies":{"@pulumi/pulumi":"*"},"main":"index.ts"}', 'index.ts'],
    ['CommonJS without main', '{"dependencies":{"@pulumi/pulumi":"*"}}', 'index.ts'],
    ['ES modules', '{"dependencies":{"@pulumi/pulumi":"*"},"type":"module","main":"index.ts"}', 'index.ts'],
    ['a directory of sources', '{"dependencies":{"@pulumi/pulumi":"*"},"main":"src"}', 'src/index.ts'],
  ])('TypeScript as %s registers its resources and outputs', async (_, manifest, file) => {
    const source = PROGRAM.replace(
      "new Thing('test",
      "// @ts-expect-error nothing checks types here\n    new Thing('test",
    );
    await write({ 'package.json': manifest, [file]: source.replace(', opts', '') });
    const { result, stderr } = await runPulumi({ dryRun: true });
    expect({ result, errors: engine.errors(), stderr }).toEqual({
      result: OK,
      errors: '',
      stderr: '',
    });
    expect(engine.registered.map(({ type, name }) => [type, name])).toEqual([
      ['pulumi:pulumi:Stack', 'proj-dev'],
      ['test:index:Thing', 'a'],
    ]);
    expect(engine.outputs).toMatchObject({
      name: 'value',
      where: { project: 'proj', stack: 'dev', organization: 'org', preview: true },
    });
    expect(engine.shutdowns).toBe(1);
  });

  test('a JavaScript program runs without the loader', async () => {
    await write({
      'package.json': '{"dependencies":{"@pulumi/pulumi":"*"}}',
      'index.js': 'exports.answer = 42;',
    });
    const { result } = await runPulumi({}, { options: { typescript: false } });
    expect(result).toEqual(OK);
    expect(engine.outputs).toMatchObject({ answer: 42 });
  });

  test('a named entry file, program arguments and nodeargs are passed on', async () => {
    await write({
      'package.json': '{"dependencies":{"@pulumi/pulumi":"*"}}',
      'other.ts': 'export const args = process.argv.slice(2); export const title = process.title;',
    });
    const { result } = await runPulumi(
      { args: ['one', '--two'] },
      { entryPoint: 'other.ts', options: { nodeargs: '--title="a b"' } },
    );
    expect(result).toEqual(OK);
    expect(engine.outputs).toMatchObject({ args: ['one', '--two'], title: 'a b' });
  });

  test.each([
    ['throws', 'const x: number = 1;\n\n\nthrow new Error("boom");', /boom[^]*index\.ts:4:7/],
    [
      'rejects',
      'interface A { b: string }\nvoid (async () => { throw new Error("boom"); })();',
      /boom[^]*index\.ts:2:27/,
    ],
    [
      'does not parse',
      'const a = 1;\nconst = 2;',
      /index\.ts:2:7: Expected identifier but found "="\n {2}2 \| const = 2;\n {4}\| {7}\^/,
    ],
  ])('a program that %s has said so itself, with the place', async (_, source, message) => {
    await write({ 'package.json': '{"dependencies":{"@pulumi/pulumi":"*"}}', 'index.ts': source });
    const { result } = await runPulumi();
    expect(result).toEqual({ t: 'bail' });
    expect(engine.errors()).toMatch(message);
  });

  test('process.exit is reported by its code, and what the program wrote is relayed', async () => {
    await write({
      'package.json': '{"dependencies":{"@pulumi/pulumi":"*"}}',
      'index.ts': 'console.log("to stdout"); console.error("to stderr"); process.exit(7);',
    });
    expect(await runPulumi()).toEqual({
      result: { t: 'failed', message: 'Program exited with non-zero exit code: 7' },
      stdout: 'to stdout\n',
      stderr: expect.stringMatching(
        /^to stderr\nprocess\.exit\(7\) was called\n {4}at .*index\.ts:1:\d+\)?\n$/,
      ) as string,
    });
    expect(engine.shutdowns).toBe(0);
  });

  test('functions of a dynamic provider are serialised with references to the modules they use', async () => {
    await write({
      'package.json': '{"dependencies":{"@pulumi/pulumi":"*"}}',
      'index.ts': `
        import * as pulumi from '@pulumi/pulumi';
        import * as fs from 'fs';
        import path from 'path';
        import { tmpdir } from 'os';
        const provider: pulumi.dynamic.ResourceProvider = {
          async create() {
            pulumi.log.info(path.basename(tmpdir()));
            return { id: String(fs.existsSync('/')), outs: {} };
          },
        };
        class Thing extends pulumi.dynamic.Resource {}
        new Thing(provider, 'dynamic', {});
      `,
    });
    const { result } = await runPulumi();
    expect({ result, errors: engine.errors() }).toEqual({ result: OK, errors: '' });
    const code = String(engine.registered.find(({ name }) => name === 'dynamic')?.inputs['__provider']);
    expect(code).toContain('require("fs")');
    expect(code).toMatch(/require\("path(?:\/posix)?"\)/);
    expect(code).not.toMatch(/ import_path = require/);
    expect(code).toContain('require("os")');
    expect(code).toContain('require("@pulumi/pulumi/log/index.js")');
    expect(code.length).toBeLessThan(8_000);
  });

  test("functions of a dynamic provider have the text that the SDK's own loader would give, and take only what they use", async () => {
    await write({
      'package.json': '{"dependencies":{"@pulumi/pulumi":"*"}}',
      'index.ts': `
        import * as pulumi from '@pulumi/pulumi';
        import { helper } from './helper';
        class Thing extends pulumi.dynamic.Resource {}
        new Thing({
          async create(inputs: object) {
            // what it does
            return { id: helper('x' as string), outs: {} };
          },
        }, 'dynamic', {});
      `,
      'helper.ts': `
        export const helper = (text: string): string => 'of ' + text;
        export const other = setTimeout(() => undefined, 0);
      `,
    });
    const { result } = await runPulumi();
    expect({ result, errors: engine.errors() }).toEqual({ result: OK, errors: '' });
    const code = String(engine.registered.find(({ name }) => name === 'dynamic')?.inputs['__provider']);
    expect(code).toContain('// what it does\n');
    expect(code).toContain("return { id: (0, helper_1.helper)('x'), outs: {} };");
    expect(code).toContain('var __helper_1 = {helper: ');
    expect(code).not.toMatch(/other|setTimeout/);
  });

  test('a source that the compiler of the SDK does not understand is still run', async () => {
    const vendored = join(modules, '@pulumi/pulumi/vendor/typescript@3.8.3/typescript.js');
    await mkdir(join(root, 'old', 'cmd', 'run'), { recursive: true });
    await mkdir(join(root, 'old', 'vendor', 'typescript@3.8.3'), { recursive: true });
    await symlink(vendored, join(root, 'old/vendor/typescript@3.8.3/typescript.js'));
    const compiler = programCompiler({ programDirectory: root, rootDirectory: root }, undefined, {
      name: '@pulumi/pulumi',
      runner: join(root, 'old/cmd/run/index.js'),
    });
    expect(compiler.typescript).toMatchObject({
      sources: 'all',
      version: expect.stringContaining('3.8.3') as string,
    });
    await write({
      'new.ts': 'export const a = { b: 1 } satisfies object;',
      'old.ts': 'export const c = <number>1;',
    });
    const transform = createTransform({ transpile: true, compiler });
    expect(transform(join(root, 'new.ts'))).toContain('b: 1');
    expect(transform(join(root, 'old.ts'))).toContain('exports.c = 1;');
  });

  describe('types', () => {
    beforeEach(() => symlink(join(modules, 'typescript'), join(root, 'node_modules', 'typescript')));

    const types = (cause: TypecheckCause, options: RunRequest['info']['options'] = {}) =>
      hostWith().checkTypes(requestFor({}, { options }).info, cause);
    const MANIFEST = '{"dependencies":{"@pulumi/pulumi":"*"}}';
    const TSCONFIG = '{"compilerOptions":{"lib":["es5"],"types":[]}}';
    const WRONG = 'export const a: number = "text";';
    const said = (name: string) => ({
      t: 'failed',
      message: `Running program '${join(root, 'index.ts')}' failed with an unhandled exception:\nTSError: ⨯ Unable to compile TypeScript:\n${name}(1,14): error TS2322: Type 'string' is not assignable to type 'number'.`,
    });

    test('a mistake is told as the SDK tells of it, each time anew, until it is corrected', async () => {
      await write({
        'package.json': MANIFEST,
        'tsconfig.json': TSCONFIG,
        'index.ts': 'import { a } from "./a"; export const b = a;',
        'a.ts': WRONG,
      });
      expect(await types('on-demand')).toBeUndefined();
      expect(await types('usual', { typecheck: false })).toBeUndefined();
      expect(await types('usual')).toEqual(said('a.ts'));
      expect(await types('asked')).toEqual(said('a.ts'));
      await write({ 'a.ts': 'export const a: number = 1;' });
      expect(await types('usual')).toBeUndefined();
      await write({ 'a.d.ts': '', 'index.ts': WRONG });
      expect(await types('on-demand', { typecheck: true })).toEqual(said('index.ts'));
    }, 60_000);

    test('what was checked is not checked again: the compiler is not even loaded', async () => {
      await write({ 'package.json': MANIFEST, 'tsconfig.json': TSCONFIG, 'index.ts': 'export {};' });
      expect(await types('usual')).toBeUndefined();
      const never = hostWith({ node: join(root, 'no-node') });
      expect(await never.checkTypes(requestFor().info, 'usual')).toBeUndefined();
      await write({ 'index.ts': 'export const b = 1;' });
      await expect(never.checkTypes(requestFor().info, 'usual')).rejects.toThrow('no-node');
    }, 60_000);

    test('a check that comes to no end ends with the host', async () => {
      await write({
        'package.json': MANIFEST,
        'index.ts': '',
        'slow/register.js': '',
        'slow/typecheck.js': 'console.log("checking"); setInterval(() => 0, 1000);',
      });
      const host = hostWith({ loader: join(root, 'slow/register.js'), interruptGraceMs: 10 });
      const checking = host.checkTypes(requestFor().info, 'usual');
      await host.cancel();
      expect(await checking).toMatchObject({
        t: 'failed',
        message: expect.stringContaining('cancelled') as string,
      });
    });

    test('a check that fails says how', async () => {
      await write({
        'package.json': MANIFEST,
        'index.ts': '',
        'broken/register.js': '',
        'broken/typecheck.js': 'console.error("no room"); process.exit(5);',
      });
      const host = hostWith({ loader: join(root, 'broken/register.js') });
      const error: unknown = await host
        .checkTypes(requestFor().info, 'usual')
        .catch((thrown: unknown) => thrown);
      expect(isCairnError(error) && error.diagnostics[0]).toMatchObject({
        code: 'CAIRN-PROGRAM-LOAD',
        causes: [expect.stringContaining('exit code 5') as string, 'no room'],
      });
    });
  });

  test('a program that never ends ends when it is cancelled', async () => {
    await write({
      'package.json': '{"dependencies":{"@pulumi/pulumi":"*"}}',
      'index.ts': 'console.log("up " + process.pid); setInterval(() => 0, 1000);',
    });
    const host = hostWith({ interruptGraceMs: 2_000 });
    let pid = 0;
    const result = await host.run(
      requestFor({
        monitorAddress: engine.address,
        engineAddress: engine.address,
        onOutput: (_, text) => {
          pid = Number(/up (\d+)/.exec(text)?.[1]);
          void host.cancel();
        },
      }),
    );
    expect(result).toEqual({ t: 'failed', message: 'The program was cancelled' });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('a program that ignores the interrupt is killed', async () => {
    await write({
      'package.json': '{"dependencies":{"@pulumi/pulumi":"*"}}',
      'index.ts': 'process.on("SIGINT", () => 0); setInterval(() => 0, 1000); console.log("up");',
    });
    const host = hostWith({ interruptGraceMs: 10 });
    const result = await host.run(
      requestFor({
        monitorAddress: engine.address,
        engineAddress: engine.address,
        onOutput: () => void host.cancel(),
      }),
    );
    expect(result).toEqual({ t: 'failed', message: 'The program was cancelled' });
  });
});

describe('programs on our own SDK', () => {
  beforeEach(installCairn);

  test('get everything in variables', async () => {
    await write({
      'package.json': '{"type":"module","main":"index.ts","dependencies":{"@cairn/sdk":"*"}}',
      'index.ts': 'export const a: number = 1;',
    });
    const { result, stdout } = await run(hostWith(), { dryRun: true, args: ['x'] });
    expect(result).toEqual(OK);
    const [first, second] = stdout.split('\n');
    expect(JSON.parse(first as string)).toEqual({
      cwd: root,
      args: ['x'],
      given: {
        CAIRN_HOME: join(root, '.home'),
        CAIRN_MONITOR: '127.0.0.1:1',
        CAIRN_ENGINE: '127.0.0.1:1',
        CAIRN_PROJECT: 'proj',
        CAIRN_STACK: 'dev',
        CAIRN_ORGANIZATION: 'org',
        CAIRN_ROOT_DIRECTORY: root,
        CAIRN_DRY_RUN: 'true',
        CAIRN_PARALLEL: '4',
        CAIRN_CONFIG: '{"proj:name":"value","proj:secret":"s3"}',
        CAIRN_CONFIG_SECRET_KEYS: '["proj:secret"]',
        CAIRN_PROGRAM: join(root, 'index.ts'),
      },
    });
    expect(second).toBe('exports {"a":1}');
  });

  test.each<[string, Record<string, string>, string]>([
    [
      './b.js means ./b.ts in ES modules',
      {
        'package.json': '{"type":"module","dependencies":{"@cairn/sdk":"*"}}',
        'index.ts': 'export { b } from "./b.js";',
        'b.ts': 'export const b: number = 2;',
      },
      '{"b":2}',
    ],
    [
      './b.mjs means ./b.mts',
      {
        'package.json': '{"type":"module","dependencies":{"@cairn/sdk":"*"}}',
        'index.ts': 'export { b } from "./b.mjs";',
        'b.mts': 'export const b: number = 2;',
      },
      '{"b":2}',
    ],
    [
      'an .mts program in a CommonJS package',
      {
        'package.json': '{"main":"index.mts","dependencies":{"@cairn/sdk":"*"}}',
        'index.mts': 'const b: number = await Promise.resolve(2); export { b };',
      },
      '{"b":2}',
    ],
    [
      'imports without extension and of directories in CommonJS',
      {
        'package.json': '{"dependencies":{"@cairn/sdk":"*"}}',
        'index.ts':
          'import { b } from "./b"; import { c } from "./c"; import { d } from "./d.js"; export const all = [b, c, d];',
        'b.ts': 'export const b: number = 2;',
        'c/index.ts': 'export const c: number = 3;',
        'd.ts': 'export const d: number = 4;',
      },
      '"all":[2,3,4]',
    ],
    [
      'a CommonJS source in an ES module program',
      {
        'package.json': '{"type":"module","dependencies":{"@cairn/sdk":"*"}}',
        'index.ts': 'import b from "./b.cjs"; export const c = b.b;',
        'b.cts': 'import path = require("path"); export const b: string = path.basename("/x/y");',
      },
      '{"c":"y"}',
    ],
    [
      'decorators and class fields as tsconfig says',
      {
        'package.json': '{"type":"module","dependencies":{"@cairn/sdk":"*"}}',
        'tsconfig.json': '{"compilerOptions":{"experimentalDecorators":true}}',
        'index.ts':
          'const seen: string[] = []; const note = (_: object, key: string) => void seen.push(key); class A { @note b() {} } void A; export { seen };',
      },
      '{"seen":["b"]}',
    ],
  ])('%s', async (_, files, expected) => {
    await write(files);
    const { result, stdout, stderr } = await run(hostWith());
    expect({ result, stderr }).toEqual({ result: OK, stderr: '' });
    expect(stdout).toContain(expected);
  });

  test('stack traces name the place in the source', async () => {
    await write({
      'package.json': '{"type":"module","dependencies":{"@cairn/sdk":"*"}}',
      'index.ts': 'interface A { a: string }\n\nthrow new Error("boom");',
    });
    const { result, stderr } = await run(hostWith());
    expect(result).toEqual({ t: 'failed', message: 'Program exited with non-zero exit code: 1' });
    expect(stderr).toMatch(/boom[^]*index\.ts:3:7/);
  });

  test('a type error is found by the check and by nothing else', async () => {
    await symlink(join(modules, 'typescript'), join(root, 'node_modules', 'typescript'));
    await write({
      'package.json': '{"type":"module","dependencies":{"@cairn/sdk":"*"}}',
      'tsconfig.json': '{"compilerOptions":{"types":[],"lib":["es5"]}}',
      'index.ts': 'export const a: number = "text";',
    });
    expect((await run(hostWith())).result).toEqual(OK);
    const checked = await run(hostWith({ checksOnRun: true }), {}, { options: { typecheck: true } });
    expect(checked.result).toEqual({
      t: 'failed',
      message: expect.stringMatching(/^index\.ts\(1,14\): error TS2322/) as unknown,
    });
  }, 60_000);

  test('the check goes by the same tsconfig as the program; without TypeScript none is read', async () => {
    await symlink(join(modules, 'typescript'), join(root, 'node_modules', 'typescript'));
    await write({
      'package.json': '{"type":"module","dependencies":{"@cairn/sdk":"*"}}',
      'tsconfig.json': '{"compilerOptions":{"types":[],"lib":["es5"],"noUnusedLocals":true}}',
      'src/index.ts': 'const unused = 1; export {};',
      'damaged.json': '{',
      'plain.js': '',
    });
    const inSource = { programDirectory: join(root, 'src'), entryPoint: 'index.ts' };
    const checked = await run(
      hostWith({ checksOnRun: true }),
      {},
      { ...inSource, options: { typecheck: true } },
    );
    expect(checked.result).toMatchObject({
      t: 'failed',
      message: expect.stringContaining('TS6133') as unknown,
    });
    const plain = { entryPoint: 'plain.js', options: { typescript: false, tsconfig: 'damaged.json' } };
    expect((await run(hostWith(), {}, plain)).result).toEqual(OK);
    await expect(
      hostWith().run(requestFor({}, { ...plain, options: { tsconfig: 'damaged.json' } })),
    ).rejects.toThrow('cannot use the tsconfig file');
  }, 60_000);

  test('of two SDKs the one the entry imports runs it', async () => {
    await installPulumi();
    await write({
      'package.json': '{"type":"module","dependencies":{"@pulumi/pulumi":"*","@cairn/sdk":"*"}}',
      'index.ts': 'import type { Output } from "@cairn/sdk"; export type A = Output;',
    });
    expect((await run(hostWith())).stdout).toContain('CAIRN_PROGRAM');
  });

  test('the SDK that the entry imports runs it, whatever its package.json names', async () => {
    await installPulumi();
    await write({
      'package.json': '{"type":"module","dependencies":{"@pulumi/pulumi":"*"}}',
      'index.ts': 'import type { Output } from "@cairn/sdk"; export type A = Output;',
    });
    expect((await run(hostWith())).stdout).toContain('CAIRN_PROGRAM');
  });
});

test.each([
  ['no SDK at all', '{}', 'Run `npm install @cairn/sdk` in'],
  ['a named SDK that is not installed', '{"dependencies":{"@pulumi/pulumi":"*"}}', 'Run `npm install` in'],
])('a program with %s is refused with what to do', async (_, manifest, hint) => {
  await write({ 'package.json': manifest, 'index.ts': '' });
  const error: unknown = await hostWith()
    .run(requestFor())
    .catch((thrown: unknown) => thrown);
  expect(isCairnError(error) && error.diagnostics[0]).toMatchObject({
    code: 'CAIRN-PROGRAM-LOAD',
    hint: expect.stringContaining(hint) as unknown,
  });
});

test("the version is the package's", async () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  expect(await hostWith().getPluginInfo()).toEqual({ version });
});
