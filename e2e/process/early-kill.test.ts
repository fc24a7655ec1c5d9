import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, written } from '../support/pipes.js';

/** A change whose process dies before it has done anything. */

const program = (text: string): string => `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { LocalFile } from '@cairn/provider-local';
if (existsSync('hang.txt')) {
  writeFileSync('ready.pipe', 'ready');
  readFileSync('never.pipe');
}
new LocalFile('page', { path: 'page.txt', content: ${JSON.stringify(text)} });
`;
const UP = ['up', '--yes', '--skip-preview'];

let box: Sandbox;
beforeAll(async () => {
  box = sandbox({ 'index.ts': program('one') });
  makePipes(box, 'ready.pipe', 'never.pipe');
  giveStack(box);
  expectOk(await box.cairn(UP));
});
afterAll(() => box.remove());

const page = (): boolean => existsSync(path.join(box.directory, 'page.txt'));

/** The command, killed while its program starts. */
async function killedEarly(words: readonly string[]): Promise<void> {
  box.write('hang.txt', '');
  const running = box.start(words);
  await written(box, 'ready.pipe', running);
  running.process.kill('SIGKILL');
  await running.finished;
  rmSync(path.join(box.directory, 'hang.txt'));
}

const list = async (): Promise<string> => expectOk(await box.cairn(['changes'])).stdout;
const summaries = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^(\d+) +(\S+) .* (Update dev.*)$/, '$1 $2 $3'));

test('is what rollback speaks of, and the finished change before it stays', async () => {
  await killedEarly(UP);
  expect(summaries(await list())).toEqual(['1 Done Update dev', '2 Hold Update dev']);
  const said: Finished[] = [];
  for (const words of [
    ['rollback', '--yes'],
    ['rollback', '2', '--yes'],
    ['rollback', '--yes', '--json'],
  ])
    said.push(expectOk(await box.cairn(words)));
  for (const { stderr } of said)
    expect(stderr).toMatch(
      /change 2 did nothing: there is nothing to roll back\n.*`cairn rollback 1` to roll back/,
    );
  expect(said[0]?.stderr).toContain('change 2 (up) ended before it did anything: everything is as it was');
  expect(said[0]?.stdout).toMatch(/^Rolling back change 2 \(dev\):\n\nResources:\n {4}nothing to do/);
  expect(page()).toBe(true);
  expect(summaries(await list())).toEqual(['1 Done Update dev', '2 Hold Update dev (did nothing)']);
  const watched = await box.cairn(['follow', '2']);
  expect([watched.code === 0, watched.stderr]).toEqual([false, expect.stringContaining('did anything')]);
});

test('is not what resume means once it was rolled back, unless it is named', async () => {
  const { code, stderr } = await box.cairn(['resume']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('has no change to resume')]);
  expect(expectOk(await box.cairn(['resume', '2'])).stdout).toMatch(/^Starting change 2 again \(dev\):/);
  expect(summaries(await list()).at(-1)).toBe('3 Done Update dev');
});

test('is what resume begins again', async () => {
  box.write('index.ts', program('two'));
  await killedEarly([...UP, '--message', 'two']);
  const { stdout } = expectOk(await box.cairn(['resume']));
  expect(stdout).toMatch(/^Starting change 4 again \(dev\):\n.*File page updat/s);
  expect(summaries(await list()).slice(-2)).toEqual([
    '4 Hold Update dev: two (did nothing)',
    '5 Done Update dev: two',
  ]);
  expect((await box.cairn(['resume'])).stderr).toContain('has no change to resume');
  expect((await box.cairn(['rollback', '4', '--yes'])).stderr).toContain('change 5 began after it');
});

test('a finished change is rolled back when it is named', async () => {
  await killedEarly(UP);
  const { stdout } = expectOk(await box.cairn(['rollback', '5', '--yes', '--skip-preview']));
  expect(stdout).toContain('page undone: updated');
});
