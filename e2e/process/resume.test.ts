import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, written } from '../support/pipes.js';

/** Every create adds a line to a file, so that a repeated step shows. */
const program = (slow: string): string => `
import { LocalCommand } from '@cairn/provider-local';
const first = new LocalCommand('first', { create: 'echo first >> done.txt' });
const slow = new LocalCommand('slow', { create: ${JSON.stringify(slow)} }, { dependsOn: [first] });
new LocalCommand('last', { create: 'echo last >> done.txt' }, { dependsOn: [slow] });
`;

const UP = ['up', '--yes', '--skip-preview'];
const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

async function stackWith(source: string): Promise<Sandbox> {
  const box = sandbox({ 'index.ts': source });
  boxes.push(box);
  giveStack(box);
  return box;
}

const done = (box: Sandbox): string => readFileSync(path.join(box.directory, 'done.txt'), 'utf8');

describe('an update that is killed in the middle of a create', () => {
  let box: Sandbox;
  const slow = 'test -e go.txt || { echo ready > ready.pipe; exec cat never.pipe; }; echo slow >> done.txt';

  beforeAll(async () => {
    box = await stackWith(program(slow));
    makePipes(box, 'ready.pipe', 'never.pipe');
    const running = box.start(UP);
    await written(box, 'ready.pipe', running);
    running.process.kill('SIGKILL');
    await running.finished;
    box.write('go.txt', '');
  });

  test('is named by a preview, which changes nothing', async () => {
    const { stderr } = expectOk(await box.cairn(['preview']));
    expect(stderr).toMatch(/change 1 \(up\) ended early: \d+ done, 1 in doubt/);
    expect(stderr).toMatch(/`cairn resume 1` to continue it, `cairn rollback 1` to roll it back/);
  });

  test('is not gone on with while nobody knows what became of the step, by resuming or anew', async () => {
    for (const words of [['resume', '1'], UP]) {
      const end = await box.cairn(words);
      expect(end.code).toBe(10);
      expect(end.stdout).toMatch(/^ {4}cairn change resolve [0-9a-f]{8} --created ID/m);
      expect(end.stdout).toMatch(/^ {4}cairn change resolve [0-9a-f]{8} --not-created/m);
    }
    expect(done(box)).toBe('first\n');
  });

  test('goes on once somebody has said so, and does nothing twice', async () => {
    const { stderr } = await box.cairn(['change', 'resolve', '1/1', '--not-created']);
    const step = /Name one that is: ([0-9a-f]{8})/.exec(stderr)?.[1] ?? '';
    const resolved = expectOk(await box.cairn(['change', 'resolve', step, '--not-created']));
    expect(resolved.stdout).toContain(`Resolving ${step} slow`);
    const end = expectOk(await box.cairn(['resume']));
    expect(end.stdout).toMatch(/^Resuming change \d+ \(dev\):/);
    expect(done(box)).toBe('first\nslow\nlast\n');
    expect(expectOk(await box.cairn(['preview', '--expect-no-changes'])).stdout).toContain('4 unchanged');
    expect((await box.cairn(['resume'])).stderr).toContain('has no change to resume');
  });
});

test('what failed goes on with the options that it was begun with, where it stopped', async () => {
  const box = await stackWith(
    `${program('test -e fine.txt && echo slow >> done.txt')}new LocalCommand('other', { create: 'echo other >> done.txt' });`,
  );
  const target = 'urn:pulumi:dev::shop::cairn-local:index:Command::slow';
  const up = await box.cairn([
    ...UP,
    '--target',
    target,
    '--target',
    target.replace('slow', 'first'),
    '--message',
    'only two',
  ]);
  expect(up.code).toBe(4);
  expect(up.stdout).toMatch(/cairn resume 1 +# continue it\n +cairn rollback 1 +# roll it back/);
  expect((await box.cairn(['changes'])).stdout).toMatch(/Update dev: only two \(failed, unfinished\)/);
  box.write('fine.txt', '');
  const end = expectOk(await box.cairn(['resume']));
  expect(end.stdout).not.toMatch(/first creating/);
  expect(done(box)).toBe('first\nslow\n');
  expect((await box.cairn(['changes'])).stdout).toMatch(/^2 .*Update dev: only two \(resumes 1\)$/m);
});

test('an approval outlives the process that waited for it', async () => {
  const box = await stackWith(`
import { LocalFile } from '@cairn/provider-local';
const first = new LocalFile('first', { path: 'first.txt', content: 'x' });
new LocalFile('last', { path: 'last.txt', content: 'x' }, { dependsOn: [first], gate: 'Ada has looked at it' });
`);
  const waits = await box.cairn(UP);
  expect(waits.code).toBe(10);
  const task = /cairn approve (1\/\d+)/.exec(waits.stdout)?.[1] ?? '';
  const approved = expectOk(await box.cairn(['approve', task]));
  expect(approved.stderr).toContain('cairn resume 1');
  expect(existsSync(path.join(box.directory, 'last.txt'))).toBe(false);
  expectOk(await box.cairn(['resume']));
  expect(existsSync(path.join(box.directory, 'last.txt'))).toBe(true);
});

describe('an update that is held to a complete plan', () => {
  const marked = `import { appendFileSync } from 'node:fs';\nappendFileSync('runs.txt', 'run\\n');\n`;
  const slow = 'test -e go.txt || { echo ready > ready.pipe; exec cat never.pipe; }; echo slow >> done.txt';

  test('is killed, and goes on without its program, which is broken by now', async () => {
    const box = await stackWith(`${marked}${program(slow)}`);
    makePipes(box, 'ready.pipe', 'never.pipe');
    expectOk(await box.cairn(['preview', '--save-plan', 'plan.json']));
    const running = box.start([...UP, '--plan', 'plan.json']);
    await written(box, 'ready.pipe', running);
    running.process.kill('SIGKILL');
    await running.finished;
    for (const file of ['plan.json', 'runs.txt']) rmSync(path.join(box.directory, file));
    box.write('go.txt', '');
    box.write('index.ts', 'this is no program (');
    const waits = await box.cairn(['resume']);
    expect([waits.code, waits.stderr]).toEqual([
      10,
      expect.stringContaining('the plan of the operation is complete: it continues without the program'),
    ]);
    const step = /change resolve ([0-9a-f]{8}) --not-created/.exec(waits.stdout)?.[1] ?? '';
    expectOk(await box.cairn(['change', 'resolve', step, '--not-created']));
    expectOk(await box.cairn(['resume']));
    expect(done(box)).toBe('first\nslow\nlast\n');
    expect(existsSync(path.join(box.directory, 'runs.txt'))).toBe(false);
    box.write('index.ts', program(slow));
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
  });

  test('that leaves something unknown needs its program, and says why', async () => {
    const box = await stackWith(`${program('test -e fine.txt && echo slow >> done.txt')}
export const slowest = slow.stdout;
`);
    expectOk(await box.cairn(['preview', '--save-plan', 'plan.json']));
    expect((await box.cairn([...UP, '--plan', 'plan.json'])).code).toBe(4);
    box.write('fine.txt', '');
    const { stderr } = expectOk(await box.cairn(['resume']));
    expect(stderr).toContain('running the program: the plan of the operation is not complete');
    expect(stderr).toMatch(/the outputs of \S+::shop-dev were not all known/);
    expect(done(box)).toBe('first\nslow\nlast\n');
  });
});

test('what a program leaves out is found before anything is done, and history says what each change was', async () => {
  const small = (more: string): string => `
import { LocalCommand } from '@cairn/provider-local';
${more}
const broken = new LocalCommand('broken', { create: 'test -e fine.txt' });
new LocalCommand('last', { create: 'echo last >> done.txt' }, { dependsOn: [broken] });
`;
  const added = `new LocalCommand('added', { create: 'echo added >> done.txt' });`;
  const box = await stackWith(small(''));
  expect((await box.cairn(UP)).code).toBe(4);
  // The change does not know a resource that it had not reached: it is made, and belongs to the change from then on.
  box.write('index.ts', small(added));
  expect((await box.cairn(['resume'])).code).toBe(4);
  box.write('index.ts', small(''));
  box.write('fine.txt', '');
  const refused = await box.cairn(['resume']);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/CAIRN-PROGRAM-CHANGED.*it no longer registers \S+::added/);
  expect(done(box)).toBe('added\n');
  expect((await box.cairn(['changes'])).stdout).toMatch(/^2 .*\(failed, unfinished, resumes 1\)$/m);
  box.write('index.ts', small(added));
  expectOk(await box.cairn(['resume']));
  expect(done(box)).toBe('added\nlast\n');
  expectOk(await box.cairn(['rollback', '3', '--yes', '--skip-preview']));
  const history = expectOk(await box.cairn(['stack', 'history'])).stdout;
  expect(history.match(/^\d+: \w+ \S+(?=,)/gm)).toEqual([
    '4: rollback succeeded',
    '3: update succeeded',
    '2: update failed',
    '1: update failed',
  ]);
  const rows = JSON.parse(expectOk(await box.cairn(['stack', 'history', '--json'])).stdout) as unknown[];
  expect(rows[0]).toMatchObject({ kind: 'update', cairn: { change: '4', kind: 'rollback' } });
  expect(rows[1]).not.toHaveProperty('cairn');
});

test('what a program adds after it had registered everything is refused before anything is done', async () => {
  const kept = `
import { LocalCommand } from '@cairn/provider-local';
new LocalCommand('kept', { create: 'echo kept >> done.txt' });
`;
  const dropped = `new LocalCommand('dropped', { create: 'true', delete: 'test -e fine.txt && echo deleted >> done.txt' });`;
  const added = `new LocalCommand('added', { create: 'echo added >> done.txt' });`;
  const late = `new LocalCommand('late', { create: 'echo late >> done.txt' });`;
  const box = await stackWith(kept + dropped);
  expectOk(await box.cairn(UP));
  // All is made, and the delete at the end fails.
  box.write('index.ts', kept + added);
  expect((await box.cairn(UP)).code).toBe(4);
  box.write('index.ts', kept + added + late);
  box.write('fine.txt', '');
  const refused = await box.cairn(['resume']);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/CAIRN-PROGRAM-CHANGED.*it now registers \S+::late/),
  ]);
  expect(done(box)).toBe('kept\nadded\n');
  box.write('index.ts', kept + added);
  expectOk(await box.cairn(['resume']));
  expect(done(box)).toBe('kept\nadded\ndeleted\n');
});
