import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { bucket } from '../support/bucket.js';
import type { Bucket } from '../support/bucket.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, RunOptions, Sandbox } from '../support/cairn.js';

/**
 * Commands that are killed when all is done, before their change is closed: the store keeps the answer to a write back
 * until then, mostly to the one that closes it, when the state is stored.
 */

const program = (text: string): string => `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'page.txt', content: ${JSON.stringify(text)} });
`;
const FAILING = `${program('four')}
import { LocalCommand } from '@cairn/provider-local';
new LocalCommand('check', { create: 'exit 3' });
`;
const UP = ['up', '--yes', '--skip-preview'];
const CLOSED = 'sealed\\.json';
const STATE = 'dev\\.json(?!\\.bak)';

let at: Bucket;
let box: Sandbox;
beforeAll(async () => {
  at = await bucket();
  box = sandbox({ 'index.ts': program('one') });
  Object.assign(box.env, at.env, { CAIRN_BACKEND_URL: at.url });
  expectOk(await box.cairn(['stack', 'init', 'dev']));
  expectOk(await box.cairn(UP));
});
afterAll(async () => {
  box.remove();
  await at.close();
});

const writesOf = async (file: string): Promise<number> =>
  Object.entries(await at.requests())
    .filter(([kind]) => new RegExp(`^PUT .*${file}`).test(kind))
    .reduce((sum, [, count]) => sum + count, 0);

/** The command, killed while it waits for the store to write a file: mostly the one that closes its change. */
async function killedLate(words: readonly string[], file = CLOSED, options?: RunOptions): Promise<void> {
  await at.fail({ match: `PUT .*${file}`, delay: 2 ** 30 });
  const before = await writesOf(file);
  const running = box.start(words, options);
  let over = false;
  void running.finished.then(() => (over = true));
  while (!over && (await writesOf(file)) === before) await new Promise((resolve) => setTimeout(resolve, 10));
  running.process.kill('SIGKILL');
  expect((await running.finished).signal).toBe('SIGKILL');
}

const page = (): string | undefined => {
  const file = path.join(box.directory, 'page.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};
const changes = async (): Promise<readonly string[]> =>
  expectOk(await box.cairn(['changes']))
    .stdout.trim()
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^(\d+) +(\S+) .*? (\w+ (?:back )?dev.*)$/, '$1 $2 $3'));
const ends = ({ code, stdout, stderr }: Finished): readonly unknown[] => [code, stdout, stderr];
const said = (text: string): unknown => expect.stringContaining(text);

test('an update: resume says that it is done, and does nothing', async () => {
  box.write('index.ts', program('two'));
  await killedLate(UP);
  expect((await changes()).at(-1)).toBe('2 Done Update dev (ended, not stored yet)');
  const listed = JSON.parse(expectOk(await box.cairn(['changes', '--json'])).stdout) as readonly unknown[];
  expect(listed.at(-1)).toMatchObject({ ready: true, result: 'succeeded', stored: false });
  const resumed = await box.cairn(['resume']);
  expect(ends(resumed)).toEqual([
    0,
    expect.stringMatching(/^Resuming change 2 \(dev\):\n\nResources:\n {4}nothing to do\n/),
    said('finished storing change 2 (up): it succeeded, and its process died while it stored that'),
  ]);
  expect([page(), (await changes()).at(-1)]).toEqual(['two', '2 Done Update dev']);
  expect(ends(await box.cairn(['resume']))).toEqual([1, '', said('stack dev has no change to resume')]);
  expect(expectOk(await box.cairn([...UP, '--expect-no-changes'])).stdout).toContain('2 unchanged');
});

test('an update: a rollback that does not name it leaves it, and says how it is rolled back', async () => {
  box.write('index.ts', program('three'));
  await killedLate(UP);
  const refused = await box.cairn(['rollback', '--yes']);
  expect(ends(refused)).toEqual([
    2,
    '',
    said('change 4 (up) was done, and is now stored: it must be named to be rolled back'),
  ]);
  expect(refused.stderr).toContain('`cairn rollback 4 --yes` to roll back change 4');
  expect([page(), (await changes()).at(-1)]).toEqual(['three', '4 Done Update dev']);
});

test('a rollback: resume and the same rollback say that it is done', async () => {
  await killedLate(['rollback', '4', '--yes', '--skip-preview']);
  expect(page()).toBe('two');
  expect(ends(await box.cairn(['rollback', '4', '--yes']))).toEqual([
    0,
    expect.stringMatching(/^Rolling back change 4 \(dev\):\n\nResources:\n {4}nothing to do\n/),
    said('finished storing change 5 (rollback): it succeeded'),
  ]);
  expect([page(), (await changes()).at(-1)]).toEqual(['two', '5 Undone Roll back dev (rolls back 4)']);
  box.write('index.ts', program('three'));
  expectOk(await box.cairn(UP));
  await killedLate(['rollback', '6', '--yes', '--skip-preview']);
  expect(ends(await box.cairn(['resume']))).toEqual([
    0,
    expect.stringMatching(/^Resuming change 6: rolling back \(dev\):\n\nResources:\n {4}nothing to do\n/),
    said('finished storing change 7 (rollback): it succeeded'),
  ]);
  expect(page()).toBe('two');
});

test('an update that failed and was rolled back: both say so', async () => {
  box.write('index.ts', FAILING);
  await killedLate([...UP, '--on-error', 'rollback']);
  expect(page()).toBe('two');
  const resumed = await box.cairn(['resume', '8']);
  expect(ends(resumed)).toEqual([
    11,
    said('It failed and was rolled back: everything is as it was before.'),
    said('finished storing change 8 (up): it was rolled back'),
  ]);
  await killedLate([...UP, '--on-error', 'rollback']);
  expect(ends(await box.cairn(['rollback', '--yes']))).toEqual([
    0,
    said('nothing to do'),
    said('finished storing change 9 (up): it was rolled back'),
  ]);
});

test('an update that failed is gone on with, and rolled back without being named', async () => {
  await killedLate(UP);
  expect(page()).toBe('four');
  expect(ends(await box.cairn(['resume']))).toEqual([
    4,
    said('Resuming change 10 (dev):\n +    cairn-local:index:Command check creating'),
    said('finished storing change 10 (up): it failed'),
  ]);
  await killedLate(['resume']);
  const { stdout, stderr } = expectOk(await box.cairn(['rollback', '--yes', '--skip-preview']));
  expect([stdout, stderr]).toEqual([said('page undone: updated'), said('finished storing change 12 (up)')]);
  expect(page()).toBe('two');
});

test('an update whose state is not stored yet has ended all the same', async () => {
  box.write('index.ts', program('three'));
  await killedLate(UP, STATE, { env: { CAIRN_CHECKPOINT: 'end' } });
  const last = (await changes()).at(-1) as string;
  expect(last).toMatch(/^\d+ Done Update dev \(ended, not stored yet\)$/);
  expect(ends(await box.cairn(['resume']))).toEqual([
    0,
    said('nothing to do'),
    said(`finished storing change ${Number.parseInt(last, 10)} (up): it succeeded`),
  ]);
  expect([page(), (await changes()).at(-1)]).toEqual(['three', last.replace(' (ended, not stored yet)', '')]);
  expect(expectOk(await box.cairn([...UP, '--expect-no-changes'])).stdout).toContain('2 unchanged');
  box.write('index.ts', program('two'));
  expectOk(await box.cairn(UP));
});

test('a destroy: resume does what was to follow it, and answers scripts in their form', async () => {
  await killedLate(['destroy', '--yes', '--skip-preview', '--remove']);
  const { stdout, stderr } = expectOk(await box.cairn(['resume', '--output', 'json']));
  expect(JSON.parse(stdout)).toEqual({ result: 'succeeded', duration: 0 });
  expect(stderr).toContain('Removed stack dev');
  expect([page(), expectOk(await box.cairn(['stack', 'ls', '--json'])).stdout.trim()]).toEqual([
    undefined,
    '[]',
  ]);
});
