import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isCairnError } from '@cairn/diagnostics';
import { LOADER_VARIABLE } from '../loader/loader-settings.js';
import { builtLoader, modules } from '../testdata/built-loader.js';
import { pluginCompiler, programCompiler } from './program-compiler.js';

/** The folder of the loader, with a module of each kind that loads a program. */
let loader: string;
let root: string;

beforeAll(() => {
  loader = builtLoader();
  writeFileSync(join(loader, 'commonjs.cjs'), 'require(process.argv[2]);');
  writeFileSync(join(loader, 'module.mjs'), 'await import(process.argv[2]);');
});
afterAll(() => rmSync(loader, { recursive: true, force: true }));

/** Program on the SDK whose loader this is. */
const CAIRN = { name: '@cairn/sdk', runner: '' } as const;

beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-tsconfig-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Returns the output of a program that runs with its tsconfig, as the language host starts it. */
function run(format: 'commonjs' | 'module', option?: string, directory = root): unknown {
  const compiler = programCompiler({ programDirectory: directory, rootDirectory: root }, option, CAIRN);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      pathToFileURL(join(loader, 'register.js')).href,
      join(loader, format === 'module' ? 'module.mjs' : 'commonjs.cjs'),
      join(directory, 'index.ts'),
    ],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        [LOADER_VARIABLE]: JSON.stringify({ transpile: true, esm: format === 'module', compiler }),
      },
    },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const config = (compilerOptions: object, rest: object = {}): string =>
  JSON.stringify({ ...rest, compilerOptions });

/** Behaves like component resources: the base class sets fields that the class only declares. */
const FIELDS = `
class Base { constructor(props: object) { Object.assign(this, props); } }
class Component extends Base {
  public readonly declared!: string;
  public optional?: string;
  public given = 'given';
  static shared = 'shared';
  constructor(public readonly size: number) { super({ declared: 'set by super', optional: 'too' }); }
}
const made = new Component(3);
console.log(JSON.stringify([made.declared ?? null, made.optional ?? null, made.given, Component.shared, made.size]));
`;
const kept = ['set by super', 'too', 'given', 'shared', 3];
const reset = [null, null, 'given', 'shared', 3];

describe.each(['commonjs', 'module'] as const)('class fields that are only declared, %s', (format) => {
  const cases: readonly [string, Record<string, string>, readonly unknown[]][] = [
    ['no tsconfig', {}, kept],
    ['an empty one', { 'tsconfig.json': '' }, kept],
    ['no compilerOptions', { 'tsconfig.json': '{}' }, kept],
    ['no target', { 'tsconfig.json': config({ strict: true }) }, kept],
    ['target ES2016', { 'tsconfig.json': config({ target: 'ES2016' }) }, kept],
    ['target es2021', { 'tsconfig.json': config({ target: 'es2021' }) }, kept],
    ['target ES2022', { 'tsconfig.json': config({ target: 'ES2022' }) }, reset],
    ['target ESNext', { 'tsconfig.json': config({ target: 'ESNext' }) }, reset],
    [
      'target ES2022, useDefineForClassFields false',
      { 'tsconfig.json': config({ target: 'ES2022', useDefineForClassFields: false }) },
      kept,
    ],
    ['useDefineForClassFields true', { 'tsconfig.json': config({ useDefineForClassFields: true }) }, reset],
    [
      'inherited by path, with comments and trailing commas',
      {
        'tsconfig.json': '\uFEFF{ // ours\n "extends": "./base", "compilerOptions": { "strict": true, }, }',
        'base.json': config({ target: 'ES2022' }),
      },
      reset,
    ],
    [
      'the file overrides what it inherits, the later of two parents the earlier',
      {
        'tsconfig.json': config({ target: 'ES2020' }, { extends: ['./a.json', './b.json'] }),
        'a.json': config({ target: 'ES2022', useDefineForClassFields: true }),
        'b.json': config({ useDefineForClassFields: false }),
      },
      kept,
    ],
    [
      'inherited from a package',
      {
        'tsconfig.json': config({}, { extends: '@tsconfig/strictest' }),
        'node_modules/@tsconfig/strictest/package.json': '{"name":"@tsconfig/strictest"}',
        'node_modules/@tsconfig/strictest/tsconfig.json': config({ useDefineForClassFields: true }),
      },
      reset,
    ],
  ];
  test.each(cases)('%s', (_, files, expected) => {
    write({ ...files, 'index.ts': FIELDS, 'package.json': `{"type":"${format}"}` });
    expect(run(format)).toEqual(expected);
  });
});

describe('which file counts', () => {
  const asks = config({ useDefineForClassFields: true });

  test('the one that the runtime option names', () => {
    write({ 'index.ts': FIELDS, 'tsconfig.json': '{}', 'config/other.json': asks });
    expect(run('commonjs', 'config/other.json')).toEqual(reset);
  });

  test('the nearest, up to the root of the project', () => {
    write({ 'src/index.ts': FIELDS, 'tsconfig.json': asks });
    expect(run('commonjs', undefined, join(root, 'src'))).toEqual(reset);
  });

  test('none above the root of the project', () => {
    write({ 'project/index.ts': FIELDS, 'tsconfig.json': asks });
    const found = programCompiler(
      { programDirectory: join(root, 'project'), rootDirectory: join(root, 'project') },
      undefined,
      CAIRN,
    );
    expect(found.options['useDefineForClassFields']).toBe(false);
  });

  test('for a program on @pulumi/pulumi that of its own directory, as with its own loader', () => {
    const PULUMI = { name: '@pulumi/pulumi', runner: join(root, 'noop.js') } as const;
    const compiledIn = (directory: string): unknown =>
      programCompiler({ programDirectory: join(root, directory), rootDirectory: root }, undefined, PULUMI)
        .options['useDefineForClassFields'];
    write({ 'src/index.ts': FIELDS, 'tsconfig.json': asks });
    expect(compiledIn('src')).toBe(false);
    write({ 'src/tsconfig.json': asks });
    expect(compiledIn('src')).toBe(true);
  });

  test('none for a plugin, neither its own nor one above', () => {
    write({ 'tsconfig.json': asks, 'plugin/tsconfig.json': asks });
    const settings = pluginCompiler(join(root, 'plugin', 'noop.js'));
    expect(settings.options['useDefineForClassFields']).toBe(false);
  });

  test('one for all sources of the program, also for those beside other tsconfig files', () => {
    write({
      'index.ts': `import './part/index.js';`,
      'part/index.ts': FIELDS,
      'part/tsconfig.json': asks,
    });
    expect(run('commonjs')).toEqual(kept);
  });
});

describe.each(['commonjs', 'module'] as const)('other settings, %s', (format) => {
  const cases: readonly [string, Record<string, string>, unknown][] = [
    [
      'paths: exact names, patterns, files without ending, directories; what node finds comes first',
      {
        'tsconfig.json': config({
          paths: {
            settings: ['./src/settings.ts'],
            '@lib/*': ['./missing/*', './src/lib/*'],
            '@lib/deep/*': ['./src/deep/*'],
            installed: ['./src/settings.ts'],
            types: ['./types.d.ts'],
          },
        }),
        'index.ts': `
import { settings } from 'settings';
import { a } from '@lib/a';
import { b } from '@lib/b.js';
import { d } from '@lib/deep/d';
import { folder } from '@lib/folder';
import installed from 'installed';
console.log(JSON.stringify([settings, a, b, d, folder, installed]));`,
        'src/settings.ts': `export const settings: string = 'settings';`,
        'src/lib/a.ts': `export const a: string = 'a';`,
        'src/lib/b.ts': `export const b: string = 'b';`,
        'src/deep/d.ts': `export const d: string = 'd';`,
        'src/lib/folder/index.ts': `export const folder: string = 'folder';`,
        'node_modules/installed/index.js': `module.exports = 'installed';`,
      },
      ['settings', 'a', 'b', 'd', 'folder', 'installed'],
    ],
    [
      'paths of a file that is extended are relative to it, baseUrl counts',
      {
        'tsconfig.json': config({}, { extends: './config/base.json' }),
        'config/base.json': config({ baseUrl: '../src', paths: { '~/*': ['./lib/*'] } }),
        'index.ts': `import { a } from '~/a'; import { b } from 'other/b'; console.log(JSON.stringify([a, b]));`,
        'src/lib/a.ts': `export const a = 'a';`,
        'src/other/b.ts': `export const b = 'b';`,
      },
      ['a', 'b'],
    ],
    [
      'jsx with a factory, and what asks to leave it in place',
      {
        'tsconfig.json': config({ jsx: 'preserve', jsxFactory: 'make' }),
        'index.ts': `import { tree } from './tree.js'; console.log(JSON.stringify(tree));`,
        'tree.tsx': `const make = (...all: unknown[]) => all; export const tree = <a b="c">d</a>;`,
      },
      ['a', { b: 'c' }, 'd'],
    ],
    [
      'the decorators of the language, without a setting',
      {
        'index.ts': `
const seen: unknown[] = [];
const note = (_: unknown, context: { kind: string; name: unknown }) => void seen.push([context.kind, context.name]);
class A { @note method() {} }
new A(); console.log(JSON.stringify(seen));`,
      },
      [['method', 'method']],
    ],
    [
      'experimentalDecorators',
      {
        'tsconfig.json': config({ experimentalDecorators: true }),
        'index.ts': `
const seen: unknown[] = [];
const note = (_: object, name: string) => void seen.push(name);
class A { @note field!: string; @note method() {} }
new A(); console.log(JSON.stringify(seen));`,
      },
      ['field', 'method'],
    ],
    [
      'emitDecoratorMetadata: by the compiler that the project installed; fields as elsewhere',
      {
        'tsconfig.json': config({ experimentalDecorators: true, emitDecoratorMetadata: true }),
        'index.ts': `
import { Part } from './part.js';
console.log(JSON.stringify([Part.types, new Part('x').name]));`,
        'part.ts': `
import { Other } from './other.js';
const types: Record<string, string> = {};
(Reflect as any).metadata = (key: string, value: any) => (_: object, name: string) => {
  if (key === 'design:type') types[name] = value.name;
};
const typed = (_: object, __: string) => undefined;
class Base { constructor(name: string) { (this as any).name = name; } }
export class Part extends Base {
  static types = types;
  @typed name!: string;
  @typed size!: number;
  @typed other!: Other;
}`,
        'other.ts': `export class Other {}`,
      },
      [{ name: 'String', size: 'Number', other: 'Other' }, 'x'],
    ],
  ];
  test.each(cases)('%s', (_, files, expected) => {
    write({ 'package.json': `{"type":"${format}"}`, ...files });
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    symlinkSync(join(modules, 'typescript'), join(root, 'node_modules', 'typescript'));
    expect(run(format)).toEqual(expected);
  });
});

test.each<[string, Record<string, string>, string | undefined, RegExp]>([
  ['the named file is missing', {}, 'other.json', /cannot read the tsconfig file .*other\.json/],
  ['it is not JSON', { 'tsconfig.json': '{\n "a": ]' }, undefined, /line 2: ValueExpected/],
  ['it is no object', { 'tsconfig.json': '[]' }, undefined, /it is not an object/],
  [
    'what it extends is missing',
    { 'tsconfig.json': '{"extends":"./gone"}' },
    undefined,
    /gone.*, which .*tsconfig\.json extends/,
  ],
  [
    'a package is not installed',
    { 'tsconfig.json': '{"extends":"@x/y"}' },
    undefined,
    /extends "@x\/y", which is not installed/,
  ],
  ['it extends itself', { 'tsconfig.json': '{"extends":"./tsconfig.json"}' }, undefined, /it extends itself/],
  [
    'the compiler is not installed',
    { 'tsconfig.json': config({ experimentalDecorators: true, emitDecoratorMetadata: true }) },
    undefined,
    /emitDecoratorMetadata, which needs the TypeScript compiler/,
  ],
])('refused before the program starts: %s', (_, files, option, said) => {
  write(files);
  try {
    programCompiler({ programDirectory: root, rootDirectory: root }, option, CAIRN);
  } catch (error) {
    const [diagnostic] = isCairnError(error) ? error.diagnostics : [];
    expect(diagnostic).toMatchObject({ code: 'CAIRN-PROGRAM-LOAD', hint: expect.any(String) as string });
    expect([diagnostic?.summary, ...(diagnostic?.causes ?? [])].join(' ')).toMatch(said);
    return;
  }
  throw new Error('it was accepted');
});
