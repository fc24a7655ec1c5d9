import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cairnCommand } from '../support/cairn.js';

/** The command as another version of Node would run it. The real ones do in `npm run smoke:nodes`. */
let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'cairn-old-node-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function on(version: string, words: readonly string[]) {
  const pretend = path.join(folder, `${version}.cjs`);
  writeFileSync(
    pretend,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', pretend, cairnCommand, ...words], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.each(['8.17.0', '18.20.8', '20.18.3'])('Node %s gets one line that says what is needed', (version) => {
  const { status, stdout, stderr } = on(version, ['up', '--yes']);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^error\[CAIRN-NODE-VERSION\]: Cairn needs Node 20\.19\.0 or later; this is Node /);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toContain(version);
});

test.each(['20.19.0', '21.0.0', '22.1.0', '24.21.0'])('Node %s runs the command', (version) => {
  expect(on(version, ['--help'])).toMatchObject({ status: 0, stderr: '' });
});
