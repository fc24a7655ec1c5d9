import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { archive, terraformPlatform } from '../support/archives.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** Only its user can open the home of Cairn, whichever command creates it and whatever the umask [CFG-11]. */

const repository = path.resolve(__dirname, '..', '..');
const boxes = path.join(repository, 'packages/testing/testkit/bin/terraform-provider-boxes');
const isRoot = process.getuid?.() === 0;

// Of this process and of the commands that it starts.
const umask = process.umask(0);
afterAll(() => void process.umask(umask));

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
  const mirror = path.join(box.home, '.terraform.d/plugins/registry.terraform.io/acme/boxes');
  mkdirSync(mirror, { recursive: true });
  const packed = archive({ 'terraform-provider-boxes': `#!/bin/sh\nexec "${boxes}" "$@"\n` });
  writeFileSync(path.join(mirror, `terraform-provider-boxes_1.0.0_${terraformPlatform()}.zip`), packed);
});
afterEach(() => box.remove());

const home = (): string => path.join(box.home, '.cairn');
const modeOf = (file: string): string => (statSync(file).mode & 0o7777).toString(8);

const FIRST: readonly (readonly [string, string, Record<string, string | undefined>])[] = [
  ['alias', 'bin', {}],
  ['package get-schema terraform-provider acme/boxes', 'terraform', {}],
  ['login', 'credentials.json', {}],
  ['stack init dev', 'workspaces', {}],
  ['stack init dev', 'passphrase', { CAIRN_CONFIG_PASSPHRASE: undefined, CAIRN_GENERATE_PASSPHRASE: 'true' }],
];

test.each(FIRST)('`%s` as the first command', async (words, written, env) => {
  expectOk(await box.cairn(words.split(' '), { env }));
  expect(readdirSync(home())).toContain(written);
  expect(modeOf(home())).toBe('700');
});

test('a home that is open is closed, which is reported once', async () => {
  mkdirSync(home());
  chmodSync(home(), 0o755);
  const first = expectOk(await box.cairn(['stack', 'ls']));
  expect(first.stderr).toContain('warning[CAIRN-HOME-OPEN]');
  expect(first.stderr).toContain(`other users could open ${home()} (mode 0755); its mode is now 0700`);
  expect(modeOf(home())).toBe('700');
  expect(expectOk(await box.cairn(['stack', 'ls'])).stderr).toBe('');
});

test.each<readonly [string, string, () => void]>([
  ['where everybody may write', '1777', () => chmodSync(home(), 0o1777)],
  ...(isRoot
    ? ([
        ["another user's", '755', () => (chmodSync(home(), 0o755), chownSync(home(), 12345, 12345))],
      ] as const)
    : []),
])('a home that is %s keeps its mode and is reported each time', async (_how, mode, change) => {
  mkdirSync(home());
  change();
  for (const _time of [1, 2])
    expect(expectOk(await box.cairn(['stack', 'ls'])).stderr).toContain(`other users can open ${home()}`);
  expect(modeOf(home())).toBe(mode);
});

test("the user's own home directory keeps its mode", async () => {
  chmodSync(box.home, 0o755);
  const listed = expectOk(await box.cairn(['stack', 'ls'], { env: { CAIRN_HOME: box.home } }));
  expect(listed.stderr).toContain(`other users can open ${box.home} (mode 0755)`);
  expect(modeOf(box.home)).toBe('755');
});
