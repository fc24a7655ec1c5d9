import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { findProject, loadProject } from './find-project.js';
import { parseProject } from './parse-project.js';
import type { Project, ProjectLocation } from './project.js';

const location: ProjectLocation = {
  file: '/p/Pulumi.yaml',
  directory: '/p',
  base: 'Pulumi',
  extension: 'yaml',
};
const parse = (text: string): Project => parseProject(text, location);

/** Returns each problem as `line:column text`. */
function problems(text: string): string[] {
  try {
    parse(text);
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return thrown.diagnostics.map(({ code, source, summary }) => {
      expect([code, source?.file]).toEqual(['CAIRN-PROJECT-INVALID', '/p/Pulumi.yaml']);
      return `${source?.line}:${source?.column} ${summary.replace('invalid project file: ', '')}`;
    });
  }
  return [];
}

describe('project file [CFG-2]', () => {
  test('every key in its type', () => {
    const project = parse(`
name: shop
runtime:
  name: nodejs
  options: { typescript: false, nodeargs: --trace-warnings }
main: src/
description: A shop
author: Ann
website: https://x
license: MIT
stackConfigDir: config
backend: { url: "s3://bucket" }
options: { refresh: always }
packages:
  short: ./local@1.2.3@x
  plain: github.com/a/b
  full: { source: src, version: "2", parameters: [a, b], checksums: { linux-x64: AAA= }, pluginDownloadURL: https://d, extensions: [{ a: 1 }] }
plugins:
  providers: [{ name: aws, path: ../bin, version: 1.0.0 }]
  languages: [{ name: node, path: ./l }]
requiredPulumiVersion: ">=3.0.0"
other: { kept: [1, true, null] }
`);
    expect(project).toMatchObject({
      name: 'shop',
      runtime: { name: 'nodejs', options: { typescript: false, nodeargs: '--trace-warnings' } },
      main: 'src/',
      description: 'A shop',
      author: 'Ann',
      website: 'https://x',
      license: 'MIT',
      stackConfigDir: 'config',
      backendUrl: 's3://bucket',
      refresh: 'always',
      requiredPulumiVersion: '>=3.0.0',
      plugins: {
        providers: [{ name: 'aws', path: '../bin', version: '1.0.0' }],
        languages: [{ name: 'node', path: './l', version: undefined }],
        analyzers: [],
      },
    });
    expect(project.packages.get('short')).toMatchObject({
      text: './local@1.2.3@x',
      source: './local',
      version: '1.2.3@x',
    });
    expect(project.packages.get('plain')).toMatchObject({ source: 'github.com/a/b', version: undefined });
    expect(project.packages.get('full')).toMatchObject({
      text: undefined,
      version: '2',
      parameters: ['a', 'b'],
      pluginDownloadUrl: 'https://d',
    });
    expect(JSON.stringify([...project.extra])).toBe('[["other",{"kept":[1,true,null]}]]');
  });

  test.each([
    ['on', 'on'],
    ['true', 'on'],
    ['"on"', 'on'],
    ['off', 'off'],
    ['false', 'off'],
  ])('whole states are sealed or not: %s', (word, mode) => {
    expect(parse(`name: a\nencryption: { state: ${word} }`).stateEncryption).toBe(mode);
    expect(parse('name: a').stateEncryption).toBeUndefined();
  });

  test('what operations do is read', () => {
    const { operations } = parse(
      [
        'name: a',
        'onError: rollback',
        'isolate: component',
        'rollback: hold',
        'limits:',
        '  aws: 20',
        '  aws:ec2/rule:Rule: { maxInFlight: 4, exclusive: [group, port] }',
        '  gcp: { maxInFlight: 1 }',
      ].join('\n'),
    );
    expect(operations).toMatchObject({ onError: 'rollback', isolate: 'component', rollback: 'hold' });
    expect([...operations.limits]).toEqual([
      ['aws', { maxInFlight: 20, exclusive: undefined }],
      ['aws:ec2/rule:Rule', { maxInFlight: 4, exclusive: ['group', 'port'] }],
      ['gcp', { maxInFlight: 1, exclusive: undefined }],
    ]);
    expect(parse('name: a').operations).toEqual({
      onError: undefined,
      isolate: undefined,
      rollback: undefined,
      limits: new Map(),
    });
  });

  test.each([
    ['name: a\nruntime: nodejs', { name: 'nodejs', options: {} }],
    ['name: a', undefined],
    ['{"name": "a",\n\t"runtime": {"name": "nodejs"}}', { name: 'nodejs', options: {} }],
  ])('%j has its runtime', (text, runtime) => {
    expect(parse(text).runtime).toEqual(runtime);
  });

  test('absent and null keys are undefined', () => {
    expect(parse('name: a\ndescription: null\nauthor:\n')).toMatchObject({
      description: undefined,
      author: undefined,
    });
  });

  test('aliases and merge keys are written out', () => {
    const project = parse(
      'base: &b { a: 1, c: 3 }\nname: x\nruntime: { name: n, options: { <<: *b, a: 2 } }',
    );
    expect({ ...project.runtime?.options }).toEqual({ a: 2, c: 3 });
  });

  test.each([
    ['', ['1:1 it is empty']],
    ['# nothing\n', ['1:1 it is empty']],
    ['- a', ['1:1 it must be a map of keys']],
    ['runtime: nodejs', ['1:1 "name" is missing']],
    ['name: ""', ['1:1 "name" must not be empty']],
    ['name: 42', ['1:7 "name" must be a string, not a number']],
    ['name: a\nruntime: [x]', ['2:10 "runtime" must be a map, not a list']],
    ['name: a\nruntime: { options: {} }', ['2:10 "runtime.name" is missing']],
    [
      'name: a\nmain: { x: 1 }\nauthor: true',
      ['2:7 "main" must be a string, not a map', '3:9 "author" must be a string, not a boolean'],
    ],
    ['name: a\nbackend:\n  uri: x', ['3:3 unknown key "backend.uri"']],
    ['name: a\noptions: { refresh: never }', ['2:21 "options.refresh" cannot be "never"']],
    ['name: a\nplugins: { providers: [{ name: x }] }', ['2:24 "plugins.providers[0].path" is missing']],
    ['name: a\npackages: { p: { version: "1" } }', ['2:16 "packages.p.source" is missing']],
    [
      'name: a\nconfig: dir\nstackConfigDir: d',
      ['2:9 "config" as a directory and "stackConfigDir" exclude each other'],
    ],
    ['name: a\nonError: rolback', ['2:10 "onError" cannot be "rolback"']],
    ['name: a\nisolate: all', ['2:10 "isolate" cannot be "all"']],
    ['name: a\nencryption: { state: some }', ['2:22 "encryption.state" is not on or off']],
    ['name: a\nrollback: [auto]', ['2:11 "rollback" must be a string, not a list']],
    ['name: a\nlimits: 4', ['2:9 "limits" must be a map, not a number']],
    ['name: a\nlimits: { aws: 0 }', ['2:16 "limits.aws" must be a whole number of at least 1, not 0']],
    ['name: a\nlimits: { aws: 1.5 }', ['2:16 "limits.aws" must be a whole number of at least 1, not 1.5']],
    [
      'name: a\nlimits: { aws: many }',
      ['2:16 "limits.aws" must be a whole number of at least 1, not a string'],
    ],
    ['name: a\nlimits: { "a b": 1 }', ['2:18 "limits.a b" is neither a package nor a type']],
    ['name: a\nlimits: { aws: { exclusive: [x] } }', ['2:29 "limits.aws.exclusive" is for types only']],
    ['name: a\nlimits: { aws: { most: 1 } }', ['2:18 unknown key "limits.aws.most"']],
    ['name: a\nname: b', ['2:1 Map keys must be unique']],
    ['name: a\nconfig:\n\tx: 1', ['3:1 invalid YAML file: Tabs are not allowed as indentation']],
    ['name: a\n1: x', ['2:1 the key 1 must be a string']],
    ['name: *x', ['1:7 the alias *x has no anchor before it']],
    ['name: a\nx: &x [*x]', ['2:8 the alias *x contains itself']],
    ['name: a\n---\nname: b', ['2:1 invalid YAML file: it has more than one document']],
    [`name: a\nx: ${'['.repeat(20_000)}`, ['1:1 it is nested too deep']],
  ])('%.40j is refused', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test('aliases of aliases stop early', () => {
    const lines = ['name: a', 'l0: &l0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++)
      lines.push(
        `l${level}: &l${level} [${Array(10)
          .fill(`*l${level - 1}`)
          .join(', ')}]`,
      );
    expect(problems(lines.join('\n'))[0]).toContain('more than 100000 values');
  });

  test('an unknown key near a known one is suggested', () => {
    expect(() => parse('name: a\nbackend: { urll: x }')).toThrow(
      expect.objectContaining({ message: expect.stringContaining('"backend.urll"') as unknown }) as Error,
    );
    try {
      parse('name: a\nbackend: { urll: x }');
    } catch (thrown) {
      expect(isCairnError(thrown) && thrown.diagnostics[0]?.hint).toBe('Did you mean "url"?');
    }
  });

  test.each([
    ['mian: index.ts', [['2:1', 'Did you mean "main"?']]],
    ['runtme: nodejs', [['2:1', 'Did you mean "runtime"?']]],
    ['x-team: web', []],
  ])('an unknown key at the top is kept, with a warning if it is near a known one: %s', (line, expected) => {
    const { warnings = [], extra } = parse(`name: a\n${line}`);
    expect(extra.size).toBe(1);
    expect(warnings.map(({ source, hint }) => [`${source?.line}:${source?.column}`, hint])).toEqual(expected);
  });

  test('config as a string is the old spelling of stackConfigDir', () => {
    expect(parse('name: a\nconfig: dir')).toMatchObject({ stackConfigDir: 'dir', config: new Map() });
  });
});

describe('config declarations [CFG-3]', () => {
  const declared = (yaml: string): unknown => {
    const [declaration] = parse(`name: p\nconfig:\n  ${yaml}`).config.values();
    return declaration;
  };

  test.each([
    ['a: x', { key: 'p:a', own: true, default: 'x', value: undefined }],
    ['p:a: 3', { key: 'p:a', own: true, default: 3n }],
    ['a: [1, x]', { key: 'p:a', default: [1n, 'x'] }],
    ['aws:region: eu', { key: 'aws:region', own: false, default: undefined, value: 'eu' }],
    ['a:', { key: 'p:a', default: undefined, value: undefined }],
    [
      'a: { type: integer, default: "7", description: d, secret: true }',
      { type: 'integer', default: '7', description: 'd', secret: true },
    ],
    [
      'a: { type: array, items: { type: array, items: { type: string } }, default: [[x]] }',
      { type: 'array', items: { type: 'array', items: { type: 'string' } } },
    ],
    ['aws:region: { value: eu }', { key: 'aws:region', value: 'eu' }],
    ['a: { type: object, default: { x: 1 } }', { type: 'object' }],
    ['a: { type: integer, default: 2.0 }', { type: 'integer', default: 2 }],
  ])('%s', (yaml, expected) => {
    expect(declared(yaml)).toMatchObject(expected);
  });

  test.each([
    [
      'a: 1.5',
      ['3:6 "config.a" must be a string, an integer, a boolean, a list or a declaration, not a number'],
    ],
    ['a: { typ: string }', ['3:8 unknown key "config.a.typ"']],
    ['a: { type: text }', ['3:14 "config.a.type" cannot be "text"']],
    ['a: { type: array }', ['3:6 "config.a.items" is missing: an array needs the type of its items']],
    ['a: { type: string, items: { type: string } }', ['3:29 "config.a.items" belongs to type array only']],
    ['a: { type: array, items: {} }', ['3:28 "config.a.items.type" is missing']],
    ['a: { default: 1, value: 2 }', ['3:27 "config.a.value" and "default" exclude each other']],
    ['a: { type: integer, default: x }', ['3:32 "config.a.default" must be of type integer']],
    [
      'a: { type: array, items: { type: boolean }, default: [1] }',
      ['3:56 "config.a.default" must be of type array<boolean>'],
    ],
    ['aws:r: { type: string, value: x }', ['3:18 "config.aws:r.type" is for the keys of the project only']],
    [
      'aws:r: { description: x }',
      ['3:10 "config.aws:r.value" is missing: a key of another namespace needs one'],
    ],
    ['a:b:c: 1', ['3:3 "config.a:b:c" is not a config key: it has too many colons']],
  ])('%s is refused', (yaml, expected) => {
    expect(problems(`name: p\nconfig:\n  ${yaml}`)).toEqual(expected);
  });
});

describe('finding [CFG-1]', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'cairn-project-'));
    await mkdir(join(root, 'a/b'), { recursive: true });
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  test.each([
    [['Pulumi.yml', 'Pulumi.yaml', 'Pulumi.json', 'Cairn.yaml'], 'Cairn.yaml'],
    [['Pulumi.yml', 'Pulumi.yaml', 'Pulumi.json'], 'Pulumi.json'],
    [['Pulumi.yml', 'Pulumi.yaml'], 'Pulumi.yaml'],
    [['Pulumi.yml'], 'Pulumi.yml'],
    [['Cairn.yaml', 'a/Pulumi.yaml'], 'a/Pulumi.yaml'],
  ])('of %j it takes %s', async (files, expected) => {
    for (const file of files) await writeFile(join(root, file), 'name: x');
    expect((await findProject(join(root, 'a/b')))?.file).toBe(join(root, expected));
  });

  test('a directory of that name is none', async () => {
    await mkdir(join(root, 'a/Cairn.yaml'));
    await writeFile(join(root, 'Pulumi.yaml'), '\ufeffname: bom');
    expect((await loadProject(join(root, 'a'))).name).toBe('bom');
  });

  test('no project is an error that says what to do', async () => {
    await expect(loadProject(root)).rejects.toMatchObject({
      diagnostics: [
        { code: 'CAIRN-PROJECT-MISSING', hint: expect.stringContaining('Cairn.yaml') as unknown },
      ],
    });
  });
});
