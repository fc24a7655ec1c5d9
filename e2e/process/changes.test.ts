import { existsSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, release, written } from '../support/pipes.js';

const program = `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const before = new LocalFile('before', { path: 'before.txt', content: 'x' });
const slow = new LocalCommand('slow', { create: 'echo ready > ready.pipe; cat go.pipe > /dev/null' }, { dependsOn: [before] });
new LocalFile('after', { path: 'after.txt', content: 'x' }, { dependsOn: [slow] });
`;

interface ListedChange {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly result?: string;
  readonly ready: boolean;
  readonly running: boolean;
  readonly spawnTime: string;
  readonly tasks: readonly { readonly id: string; readonly status: string; readonly urn?: string }[];
}

let box: Sandbox;
const isThere = (file: string): boolean => existsSync(path.join(box.directory, file));
const json = async <T>(...words: string[]): Promise<T> =>
  JSON.parse(expectOk(await box.cairn([...words, '--json'])).stdout) as T;

/** An update in the middle of its slow step. */
async function midway(): Promise<Running> {
  const running = box.start(['up', '--yes', '--skip-preview']);
  await written(box, 'ready.pipe', running);
  return running;
}

beforeAll(async () => {
  box = sandbox({ 'index.ts': program });
  makePipes(box, 'ready.pipe', 'go.pipe');
  giveStack(box);
});
afterAll(() => box.remove());

test('a stack without changes says so', async () => {
  const { stdout, stderr } = expectOk(await box.cairn(['changes']));
  expect([stdout, stderr]).toEqual(['', 'no changes found\n']);
  expect(await json('changes')).toEqual([]);
  expect(expectOk(await box.cairn(['follow', '--last', 'up?'])).stdout).toBe('');
  expect(expectOk(await box.cairn(['change', '--last', 'up?', '--json'])).stdout).toBe('null\n');
});

test('a running change is listed and watched; an interrupt stops watching and not the change', async () => {
  const running = await midway();
  expect(await json('changes')).toMatchObject([{ id: '1', kind: 'up', running: true, ready: false }]);
  const { tasks } = await json<ListedChange>('change', '1');
  expect(tasks.find(({ urn }) => urn?.endsWith('::slow'))).toMatchObject({ status: 'Doing' });
  const watching = box.start(['follow', '1']);
  await watching.shown(/Doing +create slow/);
  watching.process.kill('SIGINT');
  const watched = await watching.finished;
  expect(watched.code).toBe(8);
  expect(watched.text).toContain('change 1 continues');
  expect(running.process.exitCode).toBeNull();

  expect(expectOk(await box.cairn(['preview'])).stderr).toMatch(
    /change 1 \(up\) runs: \d+ done, 1 under way/,
  );

  const asked = expectOk(await box.cairn(['abort', '1']));
  expect(asked.text).toContain('to stop and to roll back');
  await running.shown(/asks to stop: no further step starts/);
  release(box, 'go.pipe');
  const end = await running.finished;
  expect(end.text).toMatch(/before undone: deleted/);
  expect([isThere('before.txt'), isThere('after.txt')]).toEqual([false, false]);
  const [change] = await json<ListedChange[]>('changes');
  expect(change).toMatchObject({ id: '1', running: false, ready: true, result: 'rolled-back' });
  expect(end.code).toBe(11);
  const again = await box.cairn(['abort', '1']);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('cannot abort change 1: it was rolled back');
});

test('abort --keep leaves what was done, and watch tells how it ends', async () => {
  const running = await midway();
  const watching = box.start(['follow', '--last=up', '--json']);
  await watching.shown(/"status":"Doing"/);
  expectOk(await box.cairn(['abort', '2', '--keep']));
  await running.shown(/asks to stop: no further step starts/);
  release(box, 'go.pipe');
  const end = await running.finished;
  expect(end.code).not.toBe(0);
  expect(end.text).toMatch(/cairn resume 2 .*\n *cairn rollback 2/);
  expect([isThere('before.txt'), isThere('after.txt')]).toEqual([true, false]);
  const watched = await watching.finished;
  expect(watched.code).not.toBe(0);
  const lines = watched.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ListedChange);
  expect(lines.at(-1)).toMatchObject({ id: '2', result: 'failed' });
});

test.each([
  [['change', '99'], 1, 'no record of change 99'],
  [['change', 'x'], 2, 'is not the id of a change'],
  [['change', '1', '--last', 'up'], 2, 'cannot use a change id and --last together'],
  [['change'], 2, 'no change was given'],
  [['changes', '7'], 2, 'cairn change 7'],
  [['follow', '--last', 'destroy'], 1, 'no changes of type "destroy" found'],
  [['approve', '1'], 2, 'is not the id of a task'],
  [['approve', '1/1'], 1, 'is not waiting for anything'],
  [['resume', '1'], 1, 'change 1 has nothing to resume'],
  [['change', 'resolve', '1/1'], 2, 'pass one of --created ID, --not-created, --done and --not-done'],
  [['change', 'resolve', '1/1', '--not-created'], 1, '1/1 is not in doubt'],
])('cairn %p is refused', async (words, code, text) => {
  const end = await box.cairn(words);
  expect([end.code, end.stdout]).toEqual([code, '']);
  expect(end.stderr).toContain(text);
});
