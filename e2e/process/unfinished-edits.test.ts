import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Edits, imports, renamings and removals of a stack whose operation died in the middle of a step. */

const program = `
import { LocalCommand } from '@cairn/provider-local';
const first = new LocalCommand('first', { create: 'echo first' });
new LocalCommand('slow', { create: 'test -e go.txt || kill -9 $PPID; echo slow' }, { dependsOn: [first] });
`;
const UP = ['up', '--yes', '--skip-preview'];
const FORGOTTEN = 'it stays unknown whether creating "slow" was done: the record of the step is gone';

let box: Sandbox;

beforeEach(async () => {
  box = sandbox({ 'index.ts': program });
  giveStack(box);
  expect((await box.process(UP)).signal).toBe('SIGKILL');
});
afterEach(() => box.remove());

interface Exported {
  readonly deployment: {
    readonly resources: readonly { readonly urn: string }[];
    pending_operations?: readonly { readonly type: string }[];
  };
}

async function exported(): Promise<Exported> {
  return JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
}

async function pending(): Promise<readonly string[]> {
  return ((await exported()).deployment.pending_operations ?? []).map(({ type }) => type);
}

async function urnOf(name: string): Promise<string> {
  const found = (await exported()).deployment.resources.find(({ urn }) => urn.endsWith(`::${name}`));
  return found?.urn ?? '';
}

test.each([
  ['delete', ['--yes']],
  ['rename', ['third', '--yes']],
])('state %s says that the change cannot be continued, and keeps the step in doubt', async (edit, more) => {
  const edited = expectOk(await box.cairn(['state', edit, await urnOf('first'), ...more]));
  expect(edited.stderr).toContain('after this edit it can be neither resumed nor rolled back');
  expect(await pending()).toEqual(['creating']);
  expect((await box.cairn(['resume'])).stderr).toContain('has no change to resume');
  const next = await box.cairn(UP);
  expect([next.code, next.text]).toEqual([
    10,
    expect.stringContaining('slow waits: its provider cannot find'),
  ]);
  const step = /change resolve ([0-9a-f]{8}) --not-created/.exec(next.stdout)?.[1] ?? '';
  expectOk(await box.cairn(['change', 'resolve', step, '--not-created']));
  box.write('go.txt', '');
  expectOk(await box.cairn(['resume']));
  expect(await pending()).toEqual([]);
});

test('a stack with a step in doubt keeps its name, and its change is resumed', async () => {
  const renamed = await box.cairn(['stack', 'rename', 'other']);
  expect([renamed.code, renamed.stderr]).toEqual([
    1,
    expect.stringContaining('cannot rename stack "dev": a step is in doubt'),
  ]);
  expect(await pending()).toEqual(['creating']);
  const resumed = await box.cairn(['resume']);
  expect([resumed.code, resumed.stdout]).toEqual([10, expect.stringContaining('Resuming change 1')]);
});

test('an import of a resource names the change, and keeps the step in doubt', async () => {
  box.write('page.txt', 'x');
  const words = ['import', 'cairn-local:index:File', 'page', 'page.txt', '--yes'];
  expect((await box.cairn(words)).text).toContain('change 1 (up) ended early: 3 steps done, 1 in doubt');
  expect(await pending()).toEqual(['creating']);
});

test.each([
  ['with', "removing pending operation 'creating' on"],
  ['without', FORGOTTEN],
])('an import of a state %s the step in doubt names it', async (how, warning) => {
  const state = await exported();
  if (how === 'without') delete state.deployment.pending_operations;
  box.write('state.json', JSON.stringify(state));
  const file = path.join(box.directory, 'state.json');
  const { stderr } = expectOk(await box.cairn(['stack', 'import', '--file', file]));
  expect(stderr).toContain(warning);
  expect(stderr.includes(FORGOTTEN)).toBe(how === 'without');
  expect(await pending()).toEqual([]);
});

test('a stack with a step in doubt is removed by force only, which names the step', async () => {
  const refused = await box.cairn(['stack', 'rm', '--yes', 'dev']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('still has')]);
  expect(await pending()).toEqual(['creating']);
  expect(expectOk(await box.cairn(['stack', 'rm', '--yes', '--force', 'dev'])).stderr).toContain(FORGOTTEN);
});
