import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { continueFile } from '../src/continue-file.js';
import { editTextFile, writeTextFile } from '../src/index.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'cairn-files-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);
const MODE = { mode: 0o644, keepMode: true };

test('edits at the same time each see what the others have written', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}`);
  const file = at('list.txt');
  await Promise.all(names.map((name) => editTextFile(file, MODE, (text = '') => `${text}${name}\n`)));
  expect(readFileSync(file, 'utf8').trim().split('\n').sort()).toEqual([...names].sort());
  expect(readdirSync(folder)).toEqual(['list.txt']);
});

test('an edit through a symbolic link and one of its target are edits of one file', async () => {
  writeFileSync(at('real.txt'), '');
  symlinkSync('real.txt', at('link.txt'));
  const files = Array.from({ length: 10 }, (_, index) => at(index % 2 === 0 ? 'real.txt' : 'link.txt'));
  await Promise.all(files.map((file) => editTextFile(file, MODE, (text = '') => `${text}x`)));
  expect(readFileSync(at('real.txt'), 'utf8')).toBe('x'.repeat(10));
  expect(readdirSync(folder).sort()).toEqual(['link.txt', 'real.txt']);
});

test('undefined leaves the file, the empty text deletes it, and an error of the edit changes nothing', async () => {
  writeFileSync(at('a'), 'old');
  const { mtimeMs } = statSync(at('a'));
  expect(await editTextFile(at('a'), MODE, () => undefined)).toBeUndefined();
  await editTextFile(at('a'), MODE, (text) => text);
  const broken = editTextFile(at('a'), MODE, () => {
    throw new Error('no');
  });
  await expect(broken).rejects.toThrow('no');
  expect([readFileSync(at('a'), 'utf8'), statSync(at('a')).mtimeMs]).toEqual(['old', mtimeMs]);
  await editTextFile(at('a'), MODE, () => '');
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of a process that has died on this machine is removed', async () => {
  const dead = { pid: 2 ** 22 + 1, host: (await import('node:os')).hostname(), run: 'gone' };
  writeFileSync(at('a.lock.tmp'), JSON.stringify(dead));
  await editTextFile(at('a'), MODE, () => 'new');
  expect(readdirSync(folder)).toEqual(['a']);
});

test.each([
  ['a write', () => writeTextFile(at('a.ts'), 'new', MODE)],
  ['an edit', () => editTextFile(at('a.ts'), MODE, () => 'new')],
])(
  '%s removes the drafts of its file that killed processes have left, and no other file',
  async (_how, write) => {
    const others = ['a.ts.tmp', 'a.ts.0123.tmp', 'b.ts.0123456789abcdef.tmp', 'xa.ts.0123456789abcdef.tmp'];
    for (const name of ['a.ts', 'a.ts.0123456789abcdef.tmp', 'a.ts.fedcba9876543210.tmp', ...others])
      writeFileSync(at(name), 'old');
    await write();
    expect(readdirSync(folder).sort()).toEqual(['a.ts', ...others].sort());
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('new');
  },
);

test('writes at the same time each write a whole file', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(1000));
  await Promise.all(texts.map((text) => writeTextFile(at('a'), text, MODE)));
  expect(texts).toContain(readFileSync(at('a'), 'utf8'));
  expect(readdirSync(folder)).toEqual(['a']);
});

test('a file keeps its mode, whatever the umask', async () => {
  writeFileSync(at('a'), 'old');
  chmodSync(at('a'), 0o626);
  await writeTextFile(at('a'), 'new', MODE);
  await editTextFile(at('a'), MODE, () => 'newer');
  expect((statSync(at('a')).mode & 0o777).toString(8)).toBe('626');
});

test('a failed system call has a code and names the file', async () => {
  writeFileSync(at('a'), '');
  const failed: unknown = await editTextFile(path.join(at('a'), 'b'), MODE, () => 'x').catch(
    (error: unknown) => error,
  );
  expect(isCairnError(failed) && failed.diagnostics[0]).toMatchObject({ code: 'CAIRN-STORE-FAILED' });
  expect(String(failed)).toContain(`cannot write ${path.join(at('a'), 'b')}`);
});

test.each<[string, string | undefined, boolean, string | undefined]>([
  ['at its end', 'abc', true, 'abcxyz'],
  ['in place of a longer end', 'abcdefghijk', true, 'abcxyz'],
  ['not where it is shorter', 'ab', false, 'ab'],
  ['not where there is none', undefined, false, undefined],
])('a file is continued %s', async (_title, before, expected, after) => {
  if (before !== undefined) writeFileSync(at('a'), before);
  expect(await continueFile(at('a'), Buffer.from('xyz'), 3)).toBe(expected);
  expect(existsSync(at('a')) ? readFileSync(at('a'), 'utf8') : undefined).toBe(after);
});

test('a failure to continue a file has a code and names it', async () => {
  await expect(continueFile(folder, Buffer.from('x'), 0)).rejects.toMatchObject({
    diagnostics: [{ code: 'CAIRN-STORE-FAILED', summary: `cannot write ${folder}` }],
  });
});
