import { chmodSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Typed packages: from a provider's plugin to a program that runs on the generated code. */

let box: Sandbox;
afterEach(() => box.remove());

const up = ['up', '--yes', '--skip-preview'] as const;
const outputs = async () =>
  JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout) as Record<string, unknown>;
const file = (name: string) => readFileSync(path.join(box.directory, name), 'utf8');

/** Every file of a folder with its content and the time it was written. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(path.join(box.directory, folder), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((full) => [full, `${statSync(full).mtimeMs} ${readFileSync(full, 'utf8')}`]),
  );
}

/** A plugin that draws lots, and becomes another package when it receives a word. */
const SHED = `#!/usr/bin/env node
import { main } from '@cairn/provider-sdk/plugin';
import { defineFunction, defineProvider, defineResource, s } from '@cairn/provider-sdk';
const tool = (word) => defineResource({
  description: 'A tool.',
  inputs: { kind: s.string().default('saw'), tags: s.map(s.string()).optional(), secret: s.string().secret().optional() },
  outputs: { kind: s.string(), label: s.string() },
  create: async ({ kind }) => {
    if (kind === 'blunt') throw new Error('it does not cut');
    return { id: kind, outputs: { kind, label: word + ' ' + kind } };
  },
  read: async (id) => { throw new Error(id + ' is locked away'); },
  update: async (old, { kind }) => ({ kind, label: word + ' ' + kind }),
  delete: async () => {},
});
const count = defineFunction({
  inputs: { of: s.string() }, outputs: { count: s.integer() },
  invoke: async ({ of }) => ({ count: of.length }),
});
const made = (name, word) => ({ name, version: '1.2.0', resources: { 'index:Tool': tool(word) }, functions: { 'index:count': count } });
await main(defineProvider({
  ...made('shed', 'plain'),
  parameterize: async (given) => {
    const word = given.kind === 'args' ? given.args[0] : new TextDecoder().decode(given.value);
    return { definition: defineProvider(made(word + '-shed', word)), value: new TextEncoder().encode(word) };
  },
}));
`;

function withShed(files: Record<string, string>): Sandbox {
  const made = sandbox({ ...files, 'plugin/pulumi-resource-shed': SHED });
  chmodSync(path.join(made.directory, 'plugin', 'pulumi-resource-shed'), 0o755);
  return made;
}

test('a provider of the program becomes a typed package; nothing is written twice', async () => {
  box = sandbox({
    'Cairn.yaml': 'name: shop # of mine\nruntime: nodejs\nmain: index.ts\n',
    'index.ts': `
import * as random from '@cairn-sdks/cairn-random';
import { Password, type PetArgs } from '@cairn-sdks/cairn-random';
const args: PetArgs = { length: 3 };
const pet = new random.Pet('pet', args);
export const words = pet.result.apply((text) => text.split('-').length);
export const password = new Password('password', { length: 12 }).result;
`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        module: 'NodeNext',
        moduleResolution: 'NodeNext',
        target: 'ES2023',
        types: ['node'],
      },
      include: ['index.ts'],
    }),
  });
  const added = expectOk(await box.cairn(['package', 'add', 'cairn-random']));
  expect(added.text).toContain('Generated @cairn-sdks/cairn-random 0.1.0 in sdks/cairn-random: 8 resources');
  expect(file('Cairn.yaml')).toContain('name: shop # of mine');
  expect(file('Cairn.yaml')).toContain('packages:\n  cairn-random: cairn-random@0.1.0\n');
  expect(JSON.parse(file('package.json'))).toMatchObject({
    dependencies: { '@cairn-sdks/cairn-random': 'file:sdks/cairn-random' },
  });
  giveStack(box);
  expectOk(await box.cairn(up));
  expect(await outputs()).toMatchObject({ words: 3, password: '[secret]' });
  expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));

  const before = contents('.');
  const again = expectOk(await box.cairn(['package', 'add', 'cairn-random']));
  expect(again.text).toContain('nothing has changed');
  expect(contents('.')).toEqual(before);
});

test('a plugin becomes another package by a parameter, and the program runs on both', async () => {
  box = withShed({
    'index.ts': `
import { Tool, count, countOutput } from '@cairn-sdks/shed';
import * as garden from '@cairn-sdks/garden-shed';
const plain = new Tool('plain', {});
const mine = new garden.Provider('mine');
const other = new garden.Tool('other', { kind: 'rake' });
const third = new garden.Tool('third', { kind: 'hoe' }, { provider: mine });
export const labels = [plain.label, other.label, third.label];
export const counted = (await count({ of: 'four' })).count;
export const later = countOutput({ of: other.label }).count;
export const theirs = garden.countOutput({ of: 'ab' }).count;
`,
  });
  expectOk(await box.cairn(['package', 'add', './plugin']));
  const added = expectOk(await box.cairn(['package', 'add', './plugin/pulumi-resource-shed', 'garden']));
  expect(added.text).toContain('Generated @cairn-sdks/garden-shed 1.2.0');
  expect(file('Cairn.yaml')).toContain('  shed: ./plugin\n');
  expect(file('Cairn.yaml')).toMatch(/garden-shed:\n\s+source: \.\/plugin\n\s+parameters:\n\s+- garden\n/);
  giveStack(box);
  expectOk(await box.cairn(up));
  expect(await outputs()).toEqual({
    labels: ['plain saw', 'garden rake', 'garden hoe'],
    counted: 4,
    later: 11,
    theirs: 2,
  });
  expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
});

test.each([
  ['a class', 'it does not cut', "new Tool('mine', { kind: 'blunt' })", 4],
  ['a subclass', 'it does not cut', "class Mine extends Tool {}\nnew Mine('mine', { kind: 'blunt' })", 5],
  ['get', 'gone is locked away', "Tool.get('mine', 'gone')", 4],
  ['a class', '"kind" is required', "new (Strict as never as new (name: string) => object)('mine')", 4],
  ['a function', 'strict', "ask({ of: 'it' })", 4],
  ['a lifted function', 'strict', "const told = askOutput({ of: 'it' });\ntold.apply(() => 1)", 4],
])(
  'an error of %s of a typed package (%s) names the line of the program',
  async (_, said, declared, line) => {
    box = withShed({
      'index.ts': `import { Tool } from '@cairn-sdks/shed';\nimport { Strict, ask, askOutput } from '@cairn-sdks/strict';\n// A comment.\n${declared};\n`,
      'strict.json': JSON.stringify({
        name: 'strict',
        resources: {
          'strict:index:Strict': { inputProperties: { kind: { type: 'string' } }, requiredInputs: ['kind'] },
        },
        functions: {
          'strict:index:ask': {
            inputs: { properties: { of: { type: 'string' } } },
            outputs: { properties: { told: { type: 'string' } } },
          },
        },
      }),
    });
    expectOk(await box.cairn(['package', 'add', './plugin']));
    expectOk(await box.cairn(['package', 'add', './strict.json']));
    giveStack(box);
    const failed = await box.cairn(up);
    expect(failed.code).not.toBe(0);
    expect(failed.text).toContain(said);
    expect(failed.text).toMatch(new RegExp(`index\\.ts:${line}:`));
    expect(failed.text).not.toContain('sdk/dist');
  },
);

test('reads that fail are counted as failed, in a preview too', async () => {
  box = withShed({
    'index.ts': `import { Tool } from '@cairn-sdks/shed';
new Tool('mine', {});
Tool.get('first', 'one');
Tool.get('second', 'two');`,
  });
  expectOk(await box.cairn(['package', 'add', './plugin']));
  giveStack(box);
  const summary = 'preview.md';
  const preview = await box.cairn(['preview', '--summary', summary]);
  expect(preview.stdout).toContain('\nResources:\n    + 2 to create\n    2 failed\n');
  expect(file(summary)).toContain('+ 2 to create   2 failed');
  const ran = await box.cairn([...up, '--continue-on-error']);
  expect(ran.stdout).toContain('\nResources:\n    + 2 created\n    2 failed\n');
  expect([preview.code === 0, ran.code === 0]).toEqual([false, false]);
});

test('names of a schema that are no names of code or of files become some', async () => {
  const long = 'L'.repeat(300);
  const schema = {
    ...{ name: 'odd', version: '1.0.0' },
    resources: {
      'odd:index:R': { methods: { 'do-it': 'odd:index:R/do-it' } },
      [`odd:${long.toLowerCase()}:${long}`]: {},
      [`odd:${long.toLowerCase()}:${long}2`]: {},
    },
    functions: {
      'odd:index:R/do-it': {
        inputs: { properties: { __self__: { $ref: '#/resources/odd:index:R' }, by: { type: 'string' } } },
        outputs: { properties: { a: { type: 'string' }, b: { type: 'string' } } },
      },
      'odd:index:f': {
        inputs: {
          properties: { '1st': { type: 'string' }, '': { type: 'string' }, 'a-b': { type: 'string' } },
        },
        multiArgumentInputs: ['1st', '', 'a-b'],
        outputs: {},
      },
    },
  };
  const module = `odd.${long.toLowerCase().slice(0, 100)}`;
  const names = `{ Odd: ${module}.${long}, Other: ${module}.${long}2 }`;
  box = withShed({
    'odd.json': JSON.stringify(schema),
    'index.ts': `import * as odd from '@cairn-sdks/odd';
const { Odd, Other } = ${names};
export type Args = odd.RDoItArgs;
const doIt = (r: odd.R) => r.doIt({ by: 'x' });
const f = () => odd.f('a', 'b', 'c');
export const kinds = [Odd.name.length, Other.name.length, typeof doIt, typeof f, typeof odd.f];`,
  });
  expectOk(await box.cairn(['package', 'add', './odd.json']));
  giveStack(box);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--typecheck']));
  const { stdout } = expectOk(await box.cairn(['stack', 'output', 'kinds', '--json']));
  expect(JSON.parse(stdout)).toEqual([300, 301, 'function', 'function', 'function']);
});

test('a format of modules that would never end is refused, and no regular expression is run', async () => {
  const schema = { name: 'slow', version: '1.0.0', meta: { moduleFormat: '(x|xx|x+)+y' } };
  box = withShed({
    'index.ts': '',
    'slow.json': JSON.stringify({ ...schema, resources: { [`slow:${'x'.repeat(2_000)}:A`]: {} } }),
  });
  for (const words of [
    ['schema', 'check', 'slow.json'],
    ['package', 'add', './slow.json'],
  ]) {
    const refused = await box.cairn(words);
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain('is not a module format that Cairn supports');
  }
});

test('schemas are printed, looked at and generated from; a folder of others is left alone', async () => {
  box = withShed({ 'index.ts': '', 'mine/notes.txt': 'keep' });
  expectOk(await box.cairn(['package', 'get-schema', './plugin', '--out', 'shed.json']));
  const info = expectOk(await box.cairn(['package', 'info', './shed.json']));
  expect(info.stdout).toContain('shed 1.2.0\n1 resource, 1 function\n\nResources\n  shed:index:Tool\n');
  const one = expectOk(await box.cairn(['package', 'info', './shed.json', '--resource', 'shed:index:Tool']));
  expect(one.stdout).toContain('  secret (secret)\n');
  expect(expectOk(await box.cairn(['schema', 'check', 'shed.json'])).stdout).toBe(
    'shed 1.2.0: 1 resource, 1 function, no errors\n',
  );
  expect(expectOk(await box.cairn(['schema', 'check', './plugin'])).stdout).toContain('no errors');
  const counted = ['package', 'info', './shed.json', '--module', 'index', '--function', 'count'];
  expect(expectOk(await box.cairn(counted)).stdout).toContain(
    'shed:index:count\n\nInputs\n  of (required)\n',
  );
  const elsewhere = await box.cairn(['package', 'info', './shed.json', '--module', 'garden']);
  expect(elsewhere.text).toContain('shed has no module garden');
  const server = ['--server', 'https://plugins.example.com'];
  const missing = await box.cairn(['package', 'get-schema', 'no-such', ...server]);
  expect(missing.text).toContain('--server https://plugins.example.com');
  expect((await box.cairn(['package', 'info', './shed.json', ...server])).text).toContain(
    'cannot be used with a schema in a file',
  );
  expectOk(await box.cairn(['package', 'gen-sdk', './shed.json', '--out', 'build/shed']));
  expect(file('build/shed/tool.d.ts')).toContain('export declare class Tool extends CustomResource {');
  const refused = await box.cairn(['package', 'gen-sdk', './shed.json', '--out', 'mine']);
  expect([refused.code, refused.text]).toEqual([
    2,
    expect.stringContaining('has files that were not generated'),
  ]);
  expect(readdirSync(path.join(box.directory, 'mine'))).toEqual(['notes.txt']);
  const none = await box.cairn(['package', 'get-mapping', 'terraform', './plugin']);
  expect([none.code, none.text]).toEqual([
    2,
    expect.stringContaining('./plugin has no mapping for terraform'),
  ]);
});

/** Maps one provider of another ecosystem, and refuses the others. */
const MAPPED = `#!/usr/bin/env node
(async () => {
  const { providerService } = await import('@cairn/wire/provider-server');
  const { startServer } = await import('@cairn/wire/server');
  const provider = {
    handshake: async () => ({}),
    getPluginInfo: async () => ({ version: '1.0.0' }),
    getMappings: async () => ['shed'],
    getMapping: async ({ provider: name }) => {
      if (name !== 'shed') throw new Error('unknown provider ' + JSON.stringify(name));
      return { provider: name, data: Buffer.from('tool is shed_tool') };
    },
    cancel: async () => undefined,
    close: async () => undefined,
  };
  const server = await startServer({ services: [providerService(provider)] });
  console.log(server.address.split(':').pop());
})();
`;

test('a mapping is printed as the provider gives it; what the provider refuses is no fault of ours', async () => {
  box = sandbox({ 'plugin/pulumi-resource-shed': MAPPED });
  chmodSync(path.join(box.directory, 'plugin', 'pulumi-resource-shed'), 0o755);
  const mapping = (...more: string[]) =>
    box.cairn(['package', 'get-mapping', 'terraform', './plugin', ...more]);
  expect(expectOk(await mapping()).stdout).toBe('tool is shed_tool');
  expect(expectOk(await mapping('shed')).stdout).toBe('tool is shed_tool');
  const refused = await mapping('barn');
  expect(refused.code).toBe(4);
  expect(refused.text).toContain('error[CAIRN-PROVIDER-ANSWER]: the plugin shed failed');
  expect(refused.text).toContain('unknown provider "barn"');
});

test.each([
  ['{', 'is not JSON'],
  ['{"name":"a b"}', '/name: "a b" is not a valid name of a package.'],
  [
    '{"name":"p","types":{"p:a/b:E":{"type":"string","enum":[{"value":1}]}}}',
    '/types/p:a~1b:E/enum/0/value: must be a string, like the enum. Give a value of the type of the enum.',
  ],
])('a bad schema %s names the place, the cause and what to do', async (schema, text) => {
  box = sandbox({ 'index.ts': '', 'schema.json': schema });
  for (const words of [
    ['schema', 'check', 'schema.json'],
    ['package', 'add', './schema.json'],
  ]) {
    const checked = await box.cairn(words);
    expect([checked.code, checked.text]).toEqual([1, expect.stringContaining(text)]);
    expect(checked.text).toContain('CAIRN-SCHEMA-INVALID');
  }
  expect(readdirSync(box.directory)).not.toContain('sdks');
});

test('what a schema refers to and has not is an error of its author, and any type for those who use it', async () => {
  const schema =
    '{"name":"p","resources":{"p:index:A":{"properties":{"x":{"$ref":"#/types/p:index:Gone"}}}}}';
  box = sandbox({ 'index.ts': '', 'schema.json': schema });
  const gone = '/resources/p:index:A/properties/x/$ref: #/types/p:index:Gone is not in this schema';
  const checked = await box.cairn(['schema', 'check', 'schema.json']);
  expect([checked.code, checked.text]).toEqual([
    1,
    expect.stringContaining(`${gone}. Add the type that it names, or correct the reference.`),
  ]);
  const made = expectOk(await box.cairn(['package', 'gen-sdk', './schema.json', '--out', 'gen']));
  expect(made.text).toContain(`warning: ${gone}; it is treated as any type`);
  expect(readFileSync(path.join(box.directory, 'gen', 'a.d.ts'), 'utf8')).toContain('x: Output<unknown');
  const allowed = expectOk(
    await box.cairn(['schema', 'check', 'schema.json', '--allow-dangling-references']),
  );
  expect(allowed.stdout).toContain(`warning: ${gone}`);
  expect(allowed.stdout).toContain('1 resource, 0 functions, no errors');
});

test.each([
  [['package', 'add', 'no-such'], 'cannot find the provider plugin no-such'],
  [['package', 'add', './nowhere'], 'there is no ./nowhere'],
  [['package', 'add', 'cairn-random', 'word'], 'the plugin cairn-random does not take word'],
  [['package', 'add', './plugin', '?'], 'is not a valid name of a package'],
  [['package', 'add', './index.ts'], 'does not have the name of a plugin'],
])('%j is refused', async (words, text) => {
  box = withShed({ 'index.ts': '' });
  const refused = await box.cairn(words);
  expect(refused.code).not.toBe(0);
  expect(refused.text).toContain(text);
  expect(refused.text).not.toContain('CAIRN-INTERNAL');
});
