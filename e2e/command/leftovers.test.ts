import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** `cancel` and `state repair` remove temporary files of killed commands from the folder of locks [STORE-5]. */

let box: Sandbox;
const locks = (): string => path.join(box.state, '.pulumi', 'locks', 'organization', 'shop', 'dev');
const left = (): string => path.join(locks(), '0b5c.json.lock.tmp');

beforeEach(() => {
  box = sandbox({ 'index.ts': '' });
  giveStack(box);
  mkdirSync(locks(), { recursive: true });
  writeFileSync(left(), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), run: 'gone' }));
});
afterEach(() => box.remove());

test.each([
  ['cancel', '--yes'],
  ['state', 'repair', '--yes'],
])('`%s %s` removes it', async (...words) => {
  expectOk(await box.cairn(words));
  expect(existsSync(left())).toBe(false);
});

test('a command leaves nothing beside locks, and nothing in the folder for temporary files', async () => {
  expectOk(await box.cairn(['cancel', '--yes']));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  expect(readdirSync(locks())).toEqual([]);
  expect(readdirSync(path.join(box.state, '.pulumi', 'tmp'))).toEqual([]);
});
