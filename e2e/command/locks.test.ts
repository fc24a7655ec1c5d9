import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Shows the locks that a person sees. */

let box: Sandbox;
const locks = (): string => path.join(box.state, '.pulumi', 'locks', 'organization', 'shop', 'dev');

beforeEach(() => {
  box = sandbox({ 'index.ts': '' });
  giveStack(box);
});
afterEach(() => box.remove());

/** The lock of another tool on another machine, which is never taken over. */
function lockByOther(): string {
  mkdirSync(locks(), { recursive: true });
  const file = path.join(locks(), '5e1f0000-0000-4000-8000-000000000000.json');
  writeFileSync(file, '{"pid":1,"username":"bob","hostname":"laptop","timestamp":"2030-01-01T10:00:00Z"}');
  return file;
}

function turns(): readonly string[] {
  const folder = path.join(box.state, '.pulumi', 'queue', 'organization', 'shop', 'dev');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
}

test('up waits for the lock as long as it may, and preview too; both say for whom [STORE-15]', async () => {
  const file = lockByOther();
  for (const words of [['up', '--yes'], ['preview']]) {
    const refused = await box.cairn([...words, '--wait-for-lock', '300ms']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'waiting up to 0.3 s for the lock of stack "dev": bob@laptop (process 1)',
    );
    expect(refused.stderr).toContain('error[CAIRN-STATE-LOCKED]');
    expect(refused.stderr).toContain('waited 0.3 s for the lock');
  }
  const waiting = box.cairn(['up', '--yes', '--skip-preview', '--wait-for-lock=5m']);
  let ended = false;
  void waiting.finally(() => (ended = true));
  // Its turn in the queue shows that it waits.
  while (!ended && turns().length === 0) await new Promise((resolve) => setImmediate(resolve));
  rmSync(file);
  const { stderr } = expectOk(await waiting);
  expect(stderr).toContain('waiting up to 5 min');
  expect(turns()).toEqual([]);
});

test('a time to wait that is no duration is refused', async () => {
  const { code, stderr } = await box.cairn(['up', '--yes', '--wait-for-lock', '60']);
  expect(code).toBe(2);
  expect(stderr).toContain('--wait-for-lock takes a duration such as 90s, 10m or 1h30m, not "60"');
});

test('a person locks a stack: refusals give the reason, cancel leaves the lock, its id allows work [STORE-16]', async () => {
  const unnamed = await box.cairn(['stack', 'lock']);
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('--reason TEXT')]);
  const locked = expectOk(await box.cairn(['stack', 'lock', '--reason', 'repairing by hand']));
  const CAIRN_STACK_LOCK = locked.stdout.trim();
  expect(readdirSync(locks())).toEqual([`${CAIRN_STACK_LOCK}.json`]);
  for (const words of [
    ['up', '--yes'],
    ['stack', 'rm', '--yes', '--force'],
    ['stack', 'lock', '--reason', 'me too'],
  ]) {
    const { code, stderr } = await box.cairn(words);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/CAIRN-STATE-LOCKED[^]*@.* since .*: repairing by hand/),
    ]);
  }
  const cancelled = await box.cairn(['cancel', '--yes']);
  expect([cancelled.code, cancelled.stderr]).toEqual([1, expect.stringContaining('cairn stack unlock')]);
  expectOk(await box.cairn(['preview']));
  expect(expectOk(await box.cairn(['stack'])).stdout).toMatch(/Locked by .*: repairing by hand/);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { env: { CAIRN_STACK_LOCK } }));
  const asked = await box.cairn(['stack', 'unlock']);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  expectOk(await box.cairn(['stack', 'unlock', '--yes']));
  expect(readdirSync(locks())).toEqual([]);
  const late = await box.cairn(['up', '--yes'], { env: { CAIRN_STACK_LOCK } });
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('CAIRN-LEASE-LOST')]);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
});
