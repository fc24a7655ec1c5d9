import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, release, written } from '../support/pipes.js';

/** Several processes on one stack: beside each other if their parts do not overlap, one after the other if they do. */

const urn = (name: string): string => `urn:pulumi:dev::shop::cairn-local:index:Command::${name}`;
const UP = ['up', '--yes', '--skip-preview'];
const boxes: Sandbox[] = [];
/** Commands that wait in the background; one is left over only when a test fails. */
const waiting: Running[] = [];
afterAll(() => {
  for (const each of waiting) each.process.kill('SIGKILL');
  for (const box of boxes) box.remove();
});

function background(box: Sandbox, words: readonly string[], env: Record<string, string> = {}): Running {
  const running = box.start(words, { env });
  waiting.push(running);
  return running;
}

const program = `
import { LocalCommand } from '@cairn/provider-local';
const of = (name: string, update: string) =>
  new LocalCommand(name, { create: 'true', update, environment: { V: process.env[name.toUpperCase()] ?? '1' } });
of('a', 'echo ready > ready.pipe; cat go.pipe; echo a >> done.txt');
of('b', 'echo b >> done.txt');
`;

const done = (box: Sandbox): string => readFileSync(path.join(box.directory, 'done.txt'), 'utf8');

async function versions(box: Sandbox): Promise<Record<string, unknown>> {
  const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as {
    deployment: { resources: { urn: string; inputs?: { environment?: { V?: string } } }[] };
  };
  const found = deployment.resources.map((each) => [
    each.urn.split('::').at(-1),
    each.inputs?.environment?.V,
  ]);
  return Object.fromEntries(found.filter(([, version]) => version !== undefined)) as Record<string, unknown>;
}

async function twoCommands(): Promise<Sandbox> {
  const box = sandbox({ 'index.ts': program });
  boxes.push(box);
  makePipes(box, 'ready.pipe', 'go.pipe');
  giveStack(box);
  expectOk(await box.cairn(UP));
  return box;
}

describe('two updates with targets that do not overlap', () => {
  test('run at the same time; who overlaps is refused, and the last one stores what both did', async () => {
    const box = await twoCommands();
    const slow = background(box, [...UP, '--target', urn('a')], { A: '2' });
    await written(box, 'ready.pipe', slow);

    const beside = expectOk(await box.cairn([...UP, '--target', urn('b')], { env: { B: '2' } }));
    expect(beside.text).toContain(
      'they become part of the stored state when the parallel operations have ended',
    );
    expect(done(box)).toBe('b\n');
    expect(await versions(box)).toEqual({ a: '1', b: '2' });

    const same = await box.cairn([...UP, '--target', urn('a')]);
    expect(same.code).toBe(12);
    expect(same.stderr).toContain('CAIRN-CHANGE-CONFLICT');
    expect(same.stderr).toContain(`change 2 (up), which works on ${urn('a')} of stack "dev"`);
    const whole = await box.cairn(UP);
    expect([whole.code, whole.stderr]).toEqual([12, expect.stringContaining('works on stack "dev"')]);

    release(box, 'go.pipe');
    expectOk(await slow.finished);
    expect(done(box)).toBe('b\na\n');
    expect(await versions(box)).toEqual({ a: '2', b: '2' });
    const rows = JSON.parse(expectOk(await box.cairn(['changes', '--json'])).stdout) as {
      changes?: { id: string }[];
    };
    expect(JSON.stringify(rows)).toContain('"3"');
    expectOk(await box.cairn(['preview', '--expect-no-changes'], { env: { A: '2', B: '2' } }));

    // Each is rolled back on its own.
    expectOk(await box.cairn(['rollback', '3', '--yes']));
    expect(await versions(box)).toEqual({ a: '2', b: '1' });
  });

  test('one that is killed loses nothing of the other', async () => {
    const box = await twoCommands();
    const slow = background(box, [...UP, '--target', urn('a')], { A: '2' });
    await written(box, 'ready.pipe', slow);
    expectOk(await box.cairn([...UP, '--target', urn('b')], { env: { B: '2' } }));
    slow.process.kill('SIGKILL');
    await slow.finished;
    const next = await box.cairn(['refresh', '--yes', '--skip-preview']);
    expect(next.text).toMatch(/2 \(up\) ended early/);
    expect((await versions(box))['b']).toBe('2');
    expect(done(box)).toBe('b\n');
  });
});

test('of two who resume at once one goes on; the other is told who does, and which change', async () => {
  const box = sandbox({
    'index.ts': `
import { LocalCommand } from '@cairn/provider-local';
new LocalCommand('slow', { create: 'test -e fine.txt || exit 1; echo ready > ready.pipe; cat go.pipe; echo slow >> done.txt' });
`,
  });
  boxes.push(box);
  makePipes(box, 'ready.pipe', 'go.pipe');
  giveStack(box);
  expect((await box.cairn(UP)).code).not.toBe(0);
  box.write('fine.txt', '');
  const first = background(box, ['resume']);
  await written(box, 'ready.pipe', first);
  const second = await box.cairn(['resume']);
  expect(second.code).not.toBe(0);
  expect(second.stderr).toContain('CAIRN-STATE-LOCKED');
  expect(second.stderr).toMatch(/process \d+\) since .*, it is running change 2 \(up\)/);
  release(box, 'go.pipe');
  expectOk(await first.finished);
  expect(done(box)).toBe('slow\n');
});
