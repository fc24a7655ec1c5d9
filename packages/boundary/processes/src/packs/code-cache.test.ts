import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openCodeCache } from './code-cache.js';
import type { CodeCache } from './code-cache.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'cairn-code-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): CodeCache => openCodeCache('program', 'b', { CAIRN_CODE_CACHE: folder }) as CodeCache;

test('copies of a script have code of their own, as it contains their path', () => {
  open().write('main', '/one/main.cjs', Buffer.from('one'));
  expect(open().read('main', '/two/main.cjs')).toBeUndefined();
  open().write('main', '/two/main.cjs', Buffer.from('two'));
  expect(open().read('main', '/one/main.cjs')?.toString()).toBe('one');
  expect(open().read('main', '/two/main.cjs')?.toString()).toBe('two');
});

test('code of eight copies is kept, and that of other scripts beside them', () => {
  open().write('other', '/other.cjs', Buffer.from('other'));
  for (let copy = 0; copy < 10; copy += 1) open().write('main', `/${copy}/main.cjs`, Buffer.from('main'));
  const [own = ''] = readdirSync(folder);
  const names = readdirSync(path.join(folder, own)).map((name) => name.split('-')[0]);
  expect(names.filter((name) => name === 'main')).toHaveLength(8);
  expect(open().read('main', '/9/main.cjs')?.toString()).toBe('main');
  expect(open().read('other', '/other.cjs')?.toString()).toBe('other');
});
