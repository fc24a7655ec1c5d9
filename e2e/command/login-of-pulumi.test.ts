import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** A user of Pulumi continues with Cairn in the backend that Pulumi is logged in to [CFG-13]. */

let box: Sandbox;
const store = (): string => path.join(box.home, 'store');
const url = (): string => `file://${store()}`;
/** The variables of a user who has set none. */
const env = { CAIRN_BACKEND_URL: undefined, PULUMI_BACKEND_URL: undefined, CAIRN_HOME: undefined };

beforeEach(() => {
  box = sandbox({ 'index.ts': '', 'Pulumi.yaml': 'name: shop\nruntime: nodejs\n' });
  mkdirSync(store());
  mkdirSync(path.join(box.home, '.pulumi'));
  writeFileSync(path.join(box.home, '.pulumi', 'credentials.json'), JSON.stringify({ current: url() }));
});
afterEach(() => box.remove());

test('stacks there are seen, and one line says why', async () => {
  expectOk(await box.cairn(['stack', 'init', 'dev'], { env: { ...env, CAIRN_BACKEND_URL: url() } }));
  const listed = expectOk(await box.cairn(['stack', 'ls'], { env }));
  expect(listed.stdout).toMatch(/dev/);
  expect(listed.stderr.trim().split('\n')).toEqual([
    `Backend ${url()}: Pulumi is logged in to it, and Cairn to none (\`cairn login\`)`,
  ]);
  const who = expectOk(await box.cairn(['whoami', '-v'], { env }));
  expect(who.stdout).toContain(`Backend URL: ${url()}\nChosen by: Pulumi's login in ~/.pulumi`);
});

test('after a login of Cairn nothing is said, and its backend is used', async () => {
  mkdirSync(path.join(box.home, 'own'));
  expectOk(await box.cairn(['login', `file://${path.join(box.home, 'own')}`], { env }));
  const listed = expectOk(await box.cairn(['stack', 'ls'], { env }));
  expect(listed.stderr).not.toContain('Pulumi is logged in');
});

test('a login to a service that cannot be used is an error, and nothing is made anew elsewhere', async () => {
  const file = path.join(box.home, '.pulumi', 'credentials.json');
  writeFileSync(file, JSON.stringify({ current: 'https://state.example.com' }));
  const refused = await box.cairn(['up', '--yes', '--stack', 'dev'], { env });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('https://state.example.com');
  expect(refused.stderr).toMatch(/cairn login/);
});
