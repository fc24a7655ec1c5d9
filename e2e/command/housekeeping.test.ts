import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** Commands around projects and packages. */

let box: Sandbox;
beforeEach(() => {
  box = sandbox({});
});
afterEach(() => box.remove());

test('`package new` and `project new` make what `new` makes, and nothing else', async () => {
  expectOk(await box.cairn(['package', 'new', '--dir', 'notes', '--yes']));
  expect(readFileSync(path.join(box.directory, 'notes', 'package.json'), 'utf8')).toContain(
    '@cairn/provider-sdk',
  );
  expectOk(await box.cairn(['project', 'new', 'javascript', '--dir', 'shop', '--generate-only', '--yes']));
  expect(existsSync(path.join(box.directory, 'shop', 'index.js'))).toBe(true);
  const other = await box.cairn(['package', 'new', 'javascript', '--dir', 'more', '--yes']);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('Take one of provider, component')]);
  const refused = await box.cairn(['project', 'ls']);
  expect(refused.stderr).toContain('error[CAIRN-NOT-OFFERED]');
});
