import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, written } from '../support/pipes.js';

/** Files of which `page` fails in the given round. */
const program = (content: string, command: string): string => `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const index = new LocalFile('index', { path: 'index.txt', content: ${JSON.stringify(content)} });
const page = new LocalCommand('page', { create: ${JSON.stringify(command)}, delete: 'rm -f page.txt' }, { dependsOn: [index] });
new LocalFile('last', { path: 'last.txt', content: page.stdout }, { dependsOn: [page] });
export const shown = index.path;
`;

const UP = ['up', '--yes', '--skip-preview'];

interface Exported {
  readonly deployment: {
    readonly resources?: readonly { readonly urn: string; readonly outputs?: unknown }[];
  };
}

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

async function stackWith(source: string): Promise<Sandbox> {
  const box = sandbox({ 'index.ts': source });
  boxes.push(box);
  giveStack(box);
  return box;
}

/** Returns the files of the project on disk, by name. */
function world(box: Sandbox): Record<string, string> {
  const files = readdirSync(box.directory).filter((name) => name.endsWith('.txt'));
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(path.join(box.directory, name), 'utf8')]),
  );
}

async function state(box: Sandbox): Promise<readonly (readonly [string, unknown])[]> {
  const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
  return (deployment.resources ?? [])
    .map(({ urn, outputs }) => [urn, outputs] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

test('an update that fails with --on-error rollback leaves everything as it was, and says so with exit code 11', async () => {
  const box = await stackWith(program('one', 'echo one > page.txt; cat page.txt'));
  expectOk(await box.cairn(UP));
  const before = { files: world(box), resources: await state(box) };
  box.write(
    'index.ts',
    `${program('two', 'echo one > page.txt; cat page.txt')}new LocalCommand('bad', { create: 'exit 3' }, { dependsOn: [index] });`,
  );
  const end = await box.cairn([...UP, '--on-error', 'rollback']);
  expect(end.code).toBe(11);
  expect(end.stdout).toMatch(/index undone: updated/);
  expect(end.stdout).toContain('rolled back');
  expect({ files: world(box), resources: await state(box) }).toEqual(before);
});

describe('a completed update is rolled back', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = await stackWith(program('one', 'echo one > page.txt; cat page.txt'));
    expectOk(await box.cairn(UP));
    box.write('index.ts', program('two', 'echo one > page.txt; cat page.txt'));
  });

  test('only after a question, and its preview changes nothing', async () => {
    expectOk(await box.cairn(UP));
    const unasked = await box.cairn(['rollback']);
    expect([unasked.code, unasked.stdout]).toEqual([2, '']);
    expect(unasked.stderr).toContain('--yes');
    const preview = expectOk(await box.cairn(['rollback', '--preview-only']));
    expect(preview.stdout).toMatch(
      /Previewing rollback of change 2[\s\S]*index undo: update[\s\S]*1 to undo/,
    );
    expect(world(box)['index.txt']).toBe('two');
  });

  test('without its program', async () => {
    rmSync(path.join(box.directory, 'index.ts'));
    const end = expectOk(await box.cairn(['rollback', '2', '--yes']));
    expect(end.stdout).toMatch(/Rolling back change 2[\s\S]*index undone: updated[\s\S]*1 undone/);
    expect(world(box)['index.txt']).toBe('one');
    const changes = expectOk(await box.cairn(['changes', '--json'])).stdout;
    expect(JSON.parse(changes)).toMatchObject([
      { id: '1' },
      { id: '2' },
      { id: '3', kind: 'rollback', continues: { change: '2', how: 'rollback' } },
    ]);
  });

  test('and no older change can be', async () => {
    const end = await box.cairn(['rollback', '1', '--yes']);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain('CAIRN-CHANGE-SUPERSEDED');
  });
});

test('an update that was killed is rolled back, whoever is left to say what became of its step', async () => {
  const box = await stackWith(program('one', 'echo ready > ready.pipe; exec cat never.pipe'));
  makePipes(box, 'ready.pipe', 'never.pipe');
  const running = box.start(UP);
  await written(box, 'ready.pipe', running);
  running.process.kill('SIGKILL');
  await running.finished;
  expect(existsSync(path.join(box.directory, 'index.txt'))).toBe(true);

  const asked = await box.cairn(['rollback', '--yes']);
  expect(asked.code).toBe(10);
  const resolve = /cairn change resolve (\S+) --not-created/.exec(asked.stdout)?.[1] ?? '';
  expect(resolve).toMatch(/^[0-9a-f]{8}$/);
  expectOk(await box.cairn(['change', 'resolve', resolve, '--not-created']));
  expectOk(await box.cairn(['resume']));
  expect(world(box)).toEqual({});
  expect(await state(box)).toEqual([]);
});

test('what a look has found gone or altered stays so, and nothing that comes back refers to what is gone', async () => {
  const round = (version: number): string => `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
new LocalFile('other', { path: 'other.txt', content: 'one' });
const file = new LocalFile('file', { path: 'file.txt', content: 'one' });
new LocalCommand('job', { create: 'echo create ${version} >> log', delete: 'echo delete ${version} >> log', triggers: [${version}] }, { dependsOn: file });
`;
  const box = await stackWith(round(1));
  expectOk(await box.cairn(UP));
  rmSync(path.join(box.directory, 'file.txt'));
  box.write('other.txt', 'two');
  expectOk(await box.cairn(['refresh', '--yes', '--skip-preview']));
  const refreshed = expectOk(await box.cairn(['rollback', '2', '--yes', '--skip-preview']));
  expect(refreshed.stdout).toContain('nothing to do');
  expect(world(box)).toEqual({ 'other.txt': 'two' });

  expectOk(await box.cairn(UP));
  rmSync(path.join(box.directory, 'file.txt'));
  box.write('other.txt', 'two');
  box.write('index.ts', round(2));
  expectOk(await box.cairn([...UP, '--refresh']));
  expect(world(box)).toEqual({ 'file.txt': 'one', 'other.txt': 'one' });
  const end = await box.cairn(['rollback', '5', '--yes', '--skip-preview']);
  expect([end.code, end.stderr]).toEqual([0, '']);
  expect(world(box)).toEqual({ 'other.txt': 'two' });
  expect(readFileSync(path.join(box.directory, 'log'), 'utf8').trim().split('\n')).toEqual([
    'create 1',
    'create 2',
    'delete 1',
    'create 1',
    'delete 2',
  ]);
  expect((await state(box)).map(([urn]) => urn.split('::').at(-1))).toEqual([
    'job',
    'other',
    'default_0_1_0',
    'shop-dev',
  ]);
  expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
});
