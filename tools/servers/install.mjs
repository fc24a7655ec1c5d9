// Installs the Debian packages of servers, shells and a browser that tests use, if they are missing and if that is
// possible (root, apt-get): `node tools/servers/install.mjs`. Names those that are not available; tests that need them
// report the skip.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { whyNoPostgres } from '../../packages/testing/testkit/dist/servers/index.js';
import { PACKAGES as CEPH, whyNoRadosgw } from './radosgw.mjs';

const isOnPath = (program) =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));

const WANTED = [
  { packages: CEPH, isThere: () => whyNoRadosgw() === undefined },
  { packages: ['postgresql'], isThere: () => whyNoPostgres() === undefined },
  { packages: ['chromium'], isThere: () => isOnPath('chromium') },
  { packages: ['zsh', 'fish'], isThere: () => isOnPath('zsh') && isOnPath('fish') },
];

const missing = () => WANTED.filter(({ isThere }) => !isThere());
if (missing().length > 0 && process.getuid?.() === 0 && isOnPath('apt-get')) {
  apt('update', '-q');
  for (const { packages } of missing()) apt('install', '-qy', '--no-install-recommends', ...packages);
}
for (const { packages, isThere } of WANTED)
  process.stdout.write(`${packages.join(', ')}: ${isThere() ? 'there' : 'cannot be had'}\n`);

function apt(...words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stderr } = spawnSync('apt-get', words, { env, encoding: 'utf8' });
  if (status !== 0)
    process.stdout.write(`apt-get ${words.join(' ')}: ${stderr?.trim().split('\n').at(-1) ?? ''}\n`);
}
