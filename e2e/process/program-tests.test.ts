import { execFile } from 'node:child_process';
import path from 'node:path';
import { sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** A program as its author has it, in JavaScript so that no compiler is in the way. */
const SITE = `
import { ComponentResource, interpolate } from '@cairn/sdk';
import { LocalDirectory, LocalFile } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';

export class Site extends ComponentResource {
  constructor(name, args) {
    super('shop:index:Site', name);
    const folder = new LocalDirectory('folder', { path: args.folder }, { parent: this });
    const page = new LocalFile('page', { path: interpolate\`\${folder.path}/index.html\`, content: args.title }, { parent: this });
    this.page = page.path;
  }
}
export default () => ({ page: new Site('site', { folder: 'out', title: interpolate\`<h1>\${new RandomPet('pet').result}</h1>\` }).page });
`;

const BODY = `
  const tested = await testProgram(program, {
    mocks: { resource: ({ type, inputs }) => (type.endsWith(':Pet') ? { outputs: { ...inputs, result: 'calm-otter' } } : undefined) },
  });
`;

const RUNNERS = [
  {
    name: 'node:test',
    file: 'site.test.mjs',
    source: `
import assert from 'node:assert/strict';
import test from 'node:test';
import { testProgram } from '@cairn/sdk/testing';
import program from './site.mjs';
test('the site', async () => {${BODY}
  assert.equal(tested.resource('page').inputs.content, '<h1>calm-otter</h1>');
  assert.deepEqual(tested.outputs, { page: 'out/index.html' });
});`,
    command: ['--test', 'site.test.mjs'],
    passed: /^# pass 1$/m,
  },
  {
    name: 'jest',
    file: 'site.test.mjs',
    source: `
import { expect, test } from '@jest/globals';
import { testProgram } from '@cairn/sdk/testing';
import program from './site.mjs';
test('the site', async () => {${BODY}
  expect(tested.tree()).toMatchInlineSnapshot(\`
"project-stack
├─ cairn-random:index:Pet pet
└─ shop:index:Site site
   ├─ cairn-local:index:Directory folder
   └─ cairn-local:index:File page"
\`);
  expect(tested.outputs).toEqual({ page: 'out/index.html' });
});`,
    command: [
      '--experimental-vm-modules',
      path.join(__dirname, '..', '..', 'node_modules', 'jest', 'bin', 'jest.js'),
      ...['--ci', '--rootDir', '.', '--testMatch', '**/*.test.mjs', '--moduleFileExtensions', 'mjs', 'js'],
    ],
    passed: /^Tests: +1 passed, 1 total$/m,
  },
];

describe('a program is tested without an engine', () => {
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({ 'site.mjs': SITE });
  });
  afterAll(() => box.remove());

  test.each(RUNNERS)('with $name', async ({ file, source, command, passed }) => {
    box.write(file, source);
    const { code, text } = await node(command, box.directory);
    expect(text).toMatch(passed);
    expect(code).toBe(0);
  });
});

function node(words: readonly string[], cwd: string): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], NO_COLOR: '1', NODE_NO_WARNINGS: '1' };
    const child = execFile(process.execPath, words, { cwd, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, text: stdout + stderr }),
    );
  });
}
