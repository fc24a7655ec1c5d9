import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { makePipes, release, written } from '../support/pipes.js';
import { serveStore } from '../support/served.js';
import type { ServedProcess } from '../support/served.js';

/** Commands that wait, through the service, for those that lock the same bucket themselves. */

jest.setTimeout(300_000);

const program = `
import { LocalCommand } from '@cairn/provider-local';
const slow = new LocalCommand('slow', {
  create: 'echo ready > ready.pipe; read word < go.pipe; echo slow >> done.txt',
});
new LocalCommand('last', { create: 'echo last >> done.txt' }, { dependsOn: [slow] });
`;
const UP = ['up', '--yes', '--skip-preview'];

let box: Sandbox;
let service: ServedProcess;
beforeEach(async () => {
  box = sandbox({ 'index.ts': program });
  service = await serveStore(box, { words: ['--store', String(box.env['CAIRN_BACKEND_URL'])], env: {} });
  expectOk(await box.cairn(['stack', 'init', 'dev']));
  // Each backend has a selected stack of its own.
  expectOk(await box.cairn(['stack', 'select', 'dev'], { env: service.client }));
});
afterEach(() => {
  service?.running.process.kill('SIGKILL');
  box.remove();
});

test('an update of the bucket itself is waited for, and then nothing is left to do', async () => {
  makePipes(box, 'ready.pipe', 'go.pipe');
  const direct = box.start(UP);
  await written(box, 'ready.pipe', direct);
  const refused = await box.cairn(UP, { env: service.client });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('error[CAIRN-STATE-LOCKED]')]);
  const waiting = box.start([...UP, '--wait-for-lock', '10m'], { env: service.client });
  await waiting.shown(/waiting up to 10 min for stack "dev": .* has locked it/);
  release(box, 'go.pipe');
  expectOk(await direct.finished);
  expect(expectOk(await waiting.finished).stdout).toContain('3 unchanged');
  expect(readFileSync(path.join(box.directory, 'done.txt'), 'utf8')).toBe('slow\nlast\n');
});

test('the lock of another tool is waited for as long as the command may, and until it is gone', async () => {
  const folder = path.join(box.state, '.pulumi', 'locks', 'organization', 'shop', 'dev');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${randomUUID()}.json`);
  writeFileSync(file, '{"pid":1,"username":"bob","hostname":"laptop","timestamp":"2030-01-01T10:00:00Z"}');
  const early = await box.cairn(['destroy', '--yes', '--wait-for-lock', '300ms'], { env: service.client });
  expect(early.code).toBe(1);
  // The time may be over before the command can say that it waits.
  expect(early.stderr).toContain('error[CAIRN-STATE-LOCKED]: cannot lock stack "dev" in time');
  expect(early.stderr).toContain('bob@laptop has locked it');
  const waiting = box.start(['destroy', '--yes', '--wait-for-lock', '10m'], { env: service.client });
  await waiting.shown('waiting up to 10 min for stack "dev": bob@laptop has locked it');
  rmSync(file);
  expectOk(await waiting.finished);
});
