import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { filesContaining } from '../support/search.js';

/** Taking a stack over from another backend [STORE-17]. */

const program = (text: string): string => `
import { Config } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'page.txt', content: '${text}' });
export const word = new Config().requireSecret('word');
`;

let box: Sandbox;
let other: string;

beforeEach(async () => {
  box = sandbox({ 'index.ts': program('first') });
  giveStack(box);
  other = path.join(box.home, 'other');
  mkdirSync(other, { recursive: true });
  expectOk(await box.cairn(['config', 'set', '--secret', 'word'], { input: 'planted-w0rd-73' }));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
});
afterEach(() => box.remove());

const there = (...words: readonly string[]) => box.cairn([...words, '--backend-url', `file://${other}`]);
const migrate = (...words: readonly string[]) =>
  there('stack', 'migrate', `file://${box.state}`, 'dev', ...words);
const stackFile = (): string => readFileSync(path.join(box.directory, 'Cairn.dev.yaml'), 'utf8');

test('a stack moves with history and secrets sealed anew; where it was, it is locked with the reason', async () => {
  box.write('index.ts', program('second'));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  const salt = /encryptionsalt: (.*)/.exec(stackFile())?.[1] ?? '';
  expect(filesContaining(box.state, salt)).not.toEqual([]);
  expect((await migrate()).stderr).toContain('--yes');
  expectOk(await migrate('--yes', '--secrets-provider', 'passphrase'));
  expect(filesContaining(other, salt)).toEqual([]);
  expect(stackFile()).not.toContain(salt);
  const history = JSON.parse(expectOk(await there('stack', 'history', '--json')).stdout) as unknown[];
  expect(history).toHaveLength(2);
  for (const words of [
    ['config', 'get', 'word'],
    ['stack', 'output', 'word', '--show-secrets'],
  ])
    expect(expectOk(await there(...words)).stdout.trim()).toBe('planted-w0rd-73');
  expect(expectOk(await there('stack', 'export', '--version', '1', '--show-secrets')).stdout).toContain(
    'planted-w0rd-73',
  );
  expectOk(await there('up', '--yes', '--skip-preview', '--expect-no-changes'));
  const left = await box.cairn(['up', '--yes']);
  expect([left.code, left.stderr]).toEqual([1, expect.stringContaining(`moved to file://${other}`)]);
  expect((await migrate('--yes')).stderr).toContain('moved to');
});

test('a run that was cut short is finished by doing it again, and another stack is not written over', async () => {
  expectOk(await migrate('--yes', '--journals'));
  expect(JSON.parse(expectOk(await there('changes', '--json')).stdout)).toHaveLength(1);
  const folder = path.join(box.state, '.pulumi', 'locks', 'organization', 'shop', 'dev');
  const file = path.join(folder, readdirSync(folder)[0] ?? '');
  const lock = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    lock.replace(/moved to ([^"]*)/, 'moving to $1: run `cairn stack migrate` again there'),
  );
  expectOk(await migrate('--yes'));
  expect(readFileSync(file, 'utf8')).toContain('moved to');
  expectOk(await box.cairn(['stack', 'unlock', '--yes']));
  const refused = await migrate('--yes');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('already exists')]);
  expect(existsSync(file)).toBe(false);
});

test('a failure leaves the stack as it was', async () => {
  mkdirSync(path.join(other, '.pulumi', 'history', 'shop'), { recursive: true });
  writeFileSync(path.join(other, '.pulumi', 'history', 'shop', 'dev'), 'no folder');
  expect((await migrate('--yes')).code).not.toBe(0);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-changes']));
  expect(expectOk(await there('stack', 'ls')).stdout).not.toContain('dev');
});
