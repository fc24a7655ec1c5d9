import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * A provider that notes every check and diff in a file. It keeps its promise all the same: no answer follows from the
 * file.
 */
const provider = (version: string): string => `
import { appendFileSync } from 'node:fs';
import { defineProvider, defineResource, s, toProvider } from '@cairn/provider-sdk';

const note = (what) => appendFileSync(new URL('../../calls', import.meta.url), what + '\\n');
const inputs = { name: s.string(), key: s.string().secret().optional() };
const box = defineResource({
  inputs,
  outputs: inputs,
  compares: 'arguments',
  check: ({ name }) => (note('check ' + name), []),
  diff: (old, { name, key }) => (
    note('diff ' + name),
    { changed: ['name', 'key'].filter((each) => old.inputs[each] !== { name, key }[each]) }
  ),
  create: async (given) => ({ id: given.name, outputs: given }),
  read: async (id, known) => known && { id, ...known },
  update: async (_, given) => given,
});
export default () =>
  toProvider(defineProvider({ name: 'boxes', version: '${version}', config: { tone: s.string().optional() }, resources: { 'index:Box': box } }));
`;

const program = (names: readonly string[], key = 'hunter2'): string => `
import { CustomResource, secret } from '@cairn/sdk';
for (const name of ${JSON.stringify(names)}) new CustomResource('boxes:index:Box', name, { name, key: secret('${key}') });
`;

let box: Sandbox;
let calls: string;
let digests: string;
beforeEach(() => {
  box = sandbox({
    'index.ts': program(['a', 'b']),
    'package.json': JSON.stringify({
      ...{ name: 'shop', private: true, type: 'module' },
      dependencies: { '@cairn/sdk': '*', boxes: '*' },
    }),
  });
  install('1.0.0');
  giveStack(box);
  calls = path.join(box.directory, 'calls');
  digests = path.join(box.state, '.pulumi', 'digests', 'shop', 'dev.json');
});
afterEach(() => box.remove());

function install(version: string): void {
  const { name, module } = { name: 'boxes', module: './provider.js' };
  const manifest = { name, version, type: 'module', cairn: { provider: { name, module } } };
  box.write('node_modules/boxes/package.json', JSON.stringify(manifest));
  box.write('node_modules/boxes/provider.js', provider(version));
}

/** Runs a command. Returns the checks and diffs that it needed. */
async function asked(...words: readonly string[]): Promise<readonly string[]> {
  rmSync(calls, { force: true });
  expectOk(await box.cairn(words));
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n').sort() : [];
}

const up = (...words: readonly string[]): Promise<readonly string[]> => asked('up', '--yes', ...words);
const ALL = ['check a', 'check b', 'diff a', 'diff b'];
/** Checks and diffs of the preview and of the run after it. */
const twice = (...each: readonly string[]): readonly string[] => [...each, ...each].sort();

test('an up without changes and its preview ask nothing; what changes is asked about [DIFF-14]', async () => {
  await up();
  expect(await up()).toEqual([]);
  expect(await asked('preview')).toEqual([]);
  box.write('index.ts', program(['a', 'b', 'c']));
  expect(await up()).toEqual(twice('check c'));
  box.write('index.ts', program(['a', 'b', 'c'], 'hunter3'));
  expect(await up('--skip-preview')).toEqual([...ALL, 'check c', 'diff c'].sort());
  expect(await up()).toEqual([]);
});

test('everything is asked when the user, the version or the configuration says so', async () => {
  await up();
  expect(await up('--skip-preview', '--no-digests')).toEqual(ALL);
  expect(await up('--skip-preview', '--refresh')).toEqual(expect.arrayContaining(ALL));
  expectOk(await box.cairn(['config', 'set', 'boxes:tone', 'loud']));
  expect(await up('--skip-preview')).toEqual(ALL);
  expect(await up()).toEqual([]);
  install('1.1.0');
  // The run need not ask what the preview has asked.
  expect(await up()).toEqual(ALL);
  expect(await up()).toEqual([]);
});

test('an entry that another tool has edited is asked about', async () => {
  await up();
  const file = path.join(box.directory, 'state.json');
  const state = expectOk(await box.cairn(['stack', 'export'])).stdout;
  writeFileSync(file, state.replace('"id": "a"', '"id": "other"'));
  expectOk(await box.cairn(['stack', 'import', '--file', file]));
  expect(await up('--skip-preview')).toEqual(['check a', 'diff a']);
});

test('digests are a file beside the state, which shows nothing and may be lost or damaged', async () => {
  await up();
  const text = readFileSync(digests, 'utf8');
  expect(text).not.toMatch(/hunter2|boxes|urn:/);
  const { key, digests: stored } = JSON.parse(text) as { key: string; digests: string };
  expect(key).toMatch(/^v1:/);
  expect(Buffer.from(stored, 'base64')).toHaveLength(32);
  await up();
  expect(readFileSync(digests, 'utf8')).toBe(text);
  for (const damaged of ['{', JSON.stringify({ version: 1, key: 'v1:x:y', digests: stored })]) {
    writeFileSync(digests, damaged);
    expect(await up('--skip-preview')).toEqual(ALL);
    expect(await up()).toEqual([]);
  }
  rmSync(digests);
  expect(await asked('preview')).toEqual(ALL);
  expect(existsSync(digests)).toBe(false);
  expectOk(await box.cairn(['destroy', '--yes', '--remove']));
  expect(existsSync(digests)).toBe(false);
});
