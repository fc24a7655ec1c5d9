import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mergeOptions } from '../resource/options.js';
import type { ResourceOptions } from '../resource/options.js';
import { entryFile } from './entry.js';
import { readEnvironment } from './environment.js';
import { moduleOutputs } from './stack-outputs.js';

const required = {
  CAIRN_MONITOR: 'm:1',
  CAIRN_ENGINE: 'e:1',
  CAIRN_PROJECT: 'p',
  CAIRN_STACK: 's',
  CAIRN_PROGRAM: '/x',
};

describe('readEnvironment', () => {
  test('reads our variables', () => {
    const env = {
      ...required,
      CAIRN_ORGANIZATION: 'org',
      CAIRN_ROOT_DIRECTORY: '/root',
      CAIRN_DRY_RUN: 'true',
      CAIRN_PARALLEL: '7',
      CAIRN_CONFIG: '{"p:a":"1","p:config:b":"2"}',
      CAIRN_CONFIG_SECRET_KEYS: '["p:a"]',
    };
    expect(readEnvironment(env)).toEqual({
      monitorAddress: 'm:1',
      engineAddress: 'e:1',
      program: '/x',
      settings: {
        project: 'p',
        stack: 's',
        organization: 'org',
        rootDirectory: '/root',
        dryRun: true,
        parallel: 7,
        config: { 'p:a': '1', 'p:b': '2' },
        configSecretKeys: ['p:a'],
      },
    });
  });

  test('falls back to the names of the Node host; ours win [PRG-3]', () => {
    const host = {
      CAIRN_PROGRAM: '/x',
      PULUMI_NODEJS_MONITOR: 'h:1',
      PULUMI_NODEJS_ENGINE: 'h:2',
      PULUMI_NODEJS_PROJECT: 'hp',
      PULUMI_NODEJS_STACK: 'hs',
    };
    expect(readEnvironment(host)).toMatchObject({
      monitorAddress: 'h:1',
      engineAddress: 'h:2',
      settings: { project: 'hp', stack: 'hs', dryRun: false, organization: 'organization' },
    });
    expect(readEnvironment({ ...host, ...required }).monitorAddress).toBe('m:1');
  });

  test.each([
    [{ ...required, CAIRN_STACK: '' }, /CAIRN_STACK is not set/],
    [{ ...required, CAIRN_CONFIG: '{"a":' }, /CAIRN_CONFIG does not contain/],
    [{ ...required, CAIRN_CONFIG: '{"a":1}' }, /CAIRN_CONFIG does not contain/],
    [{ ...required, CAIRN_CONFIG_SECRET_KEYS: '{}' }, /CAIRN_CONFIG_SECRET_KEYS does not contain/],
  ])('refuses %j', (env, message) => {
    expect(() => readEnvironment(env)).toThrow(message);
  });
});

describe('the entry file [PRG-4]', () => {
  let directory: string;
  beforeEach(() => {
    directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-entry-')));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  test.each<[string, Record<string, string>, string, string]>([
    ['a file as it is', { 'any.ts': '' }, 'any.ts', 'any.ts'],
    ['the index file', { 'index.ts': '', 'index.js': '' }, '.', 'index.ts'],
    ['main of package.json', { 'package.json': '{"main":"./src/go.ts"}', 'src/go.ts': '' }, '.', 'src/go.ts'],
    ['main without extension', { 'package.json': '{"main":"go"}', 'go.ts': '' }, '.', 'go.ts'],
    [
      'main that is a directory',
      { 'package.json': '{"main":"src"}', 'src/index.js': '' },
      '.',
      'src/index.js',
    ],
    [
      'exports before main',
      { 'package.json': '{"main":"a.js","exports":{".":{"import":"./b.js"}}}', 'a.js': '', 'b.js': '' },
      '.',
      'b.js',
    ],
    ['a package.json without either', { 'package.json': '{}', 'index.js': '' }, '.', 'index.js'],
    [
      'package.json further up',
      { 'package.json': '{"main":"a.js"}', 'a.js': '', 'sub/x': '' },
      'sub',
      'a.js',
    ],
  ])('is %s', (_what, files, program, expected) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
      writeFileSync(path.join(directory, file), text);
    }
    expect(path.relative(directory, entryFile(path.join(directory, program)))).toBe(expected);
  });

  test('says what is missing', () => {
    expect(() => entryFile(path.join(directory, 'nowhere'))).toThrow(/nowhere does not exist; check "main"/);
    writeFileSync(path.join(directory, 'package.json'), '{"main":"gone.js"}');
    expect(() => entryFile(directory)).toThrow(/gone\.js that package\.json names does not exist/);
    writeFileSync(path.join(directory, 'package.json'), '{}');
    expect(() => entryFile(directory)).toThrow(/expected index\.ts or index\.js/);
  });
});

describe('stack outputs of a module [PRG-4]', () => {
  const compiled = { __esModule: true, a: 1, default: () => ({ b: 2 }) };
  test.each<[string, object, object]>([
    ['named exports', { a: 1, b: 2 }, { a: 1, b: 2 }],
    ['what the default function returns', { default: async () => ({ a: 1 }) }, { a: 1 }],
    ['both, the default over the named', { a: 1, b: 1, default: () => ({ b: 2 }) }, { a: 1, b: 2 }],
    ['a default object', { default: { a: 1 } }, { a: 1 }],
    ['a compiled CommonJS module', { default: compiled, 'module.exports': compiled, a: 1 }, { a: 1, b: 2 }],
    ['a default class: none', { default: class Program {} }, {}],
    ['a function that returns nothing: none', { default: () => undefined }, {}],
  ])('%s', async (_what, module, expected) => {
    expect(await moduleOutputs(module)).toEqual(expected);
  });
});

test('merged options: the second wins, lists are joined, what it leaves open stays', () => {
  const merged = mergeOptions<ResourceOptions>(
    { protect: true, ignoreChanges: ['a'], version: '1.0.0' },
    { protect: false, ignoreChanges: ['b'], version: undefined },
  );
  expect(merged).toEqual({ protect: false, ignoreChanges: ['a', 'b'], version: '1.0.0' });
});
