import { existsSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const program = `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('free', { path: 'free.txt', content: 'x' });
const gated = new LocalFile('gated', { path: 'gated.txt', content: 'x' }, { gate: 'the data team agrees' });
new LocalFile('after', { path: 'after.txt', content: 'x' }, { dependsOn: [gated] });
`;

let box: Sandbox;
const files = (): readonly string[] =>
  ['free.txt', 'gated.txt', 'after.txt'].filter((file) => existsSync(path.join(box.directory, file)));

beforeEach(async () => {
  box = sandbox({ 'index.ts': program });
  giveStack(box);
});
afterEach(() => box.remove());

/** An update that ends because it waits; gives the task that is to be approved. */
async function waiting(): Promise<string> {
  const ended = await box.cairn(['up', '--yes', '--skip-preview']);
  expect([ended.code, files()]).toEqual([10, ['free.txt']]);
  const task = /cairn approve (?<task>1\/\d+)/.exec(ended.stdout + ended.stderr)?.groups?.['task'];
  return task ?? '';
}

test('a preview says that approval will be asked', async () => {
  const { stdout } = expectOk(await box.cairn(['preview']));
  expect(stdout).toContain('will wait for approval: the data team agrees');
});

test('an update waits for approval, ends, and goes on when it was given', async () => {
  const task = await waiting();
  expect(task).not.toBe('');
  const asked = await box.cairn(['resume']);
  expect([asked.code, files()]).toEqual([10, ['free.txt']]);
  const again = /cairn approve (?<task>2\/\d+)/.exec(asked.stdout + asked.stderr)?.groups?.['task'] ?? '';
  expectOk(await box.cairn(['approve', again]));
  expectOk(await box.cairn(['resume']));
  expect(files()).toEqual(['free.txt', 'gated.txt', 'after.txt']);
});

test('a resume that only waits prints no resources', async () => {
  box.write('index.ts', program.replace(/^new LocalFile\('free'.*$/m, ''));
  const begun = await box.cairn(['up', '--yes', '--skip-preview']);
  expect([begun.code, begun.stdout]).toEqual([
    10,
    expect.stringContaining('\nResources:\n    + 1 created\n'),
  ]);
  const { code, stdout } = await box.cairn(['resume']);
  expect(code).toBe(10);
  expect(stdout).toContain('\n\nIt is waiting, and continues later.\n');
  expect(stdout).not.toContain('Resources:');
});

test('an update that waits can be rolled back', async () => {
  await waiting();
  expectOk(await box.cairn(['rollback', '--yes']));
  expect(files()).toEqual([]);
});
