import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readWritten, runFiles } from './run-files.js';

const folder = mkdtempSync(path.join(tmpdir(), 'run-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the logs of a run are outside the folder in which its commands write', () => {
  const files = runFiles(folder, 'r1');
  const isExchanged = (file: string): boolean => file.startsWith(files.exchange + path.sep);
  expect([files.plan, files.events, files.log('preview'), files.temporary].map(isExchanged)).toEqual([
    ...[true, true, false, false],
  ]);
});

const onPosix = process.platform === 'win32' ? test.skip : test;

onPosix('only a file that a command has written is read', async () => {
  const [plan, link, pipe, place] = ['plan', 'link', 'pipe', 'place'].map((name) =>
    path.join(folder, name),
  ) as [...[string, string, string, string]];
  writeFileSync(plan, '{}');
  symlinkSync(plan, link);
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  mkdirSync(place);
  expect(await readWritten(plan)).toBe('{}');
  await expect(readWritten(link)).rejects.toMatchObject({ code: 'ELOOP' });
  await expect(readWritten(pipe)).rejects.toThrow(/is no file$/);
  await expect(readWritten(place)).rejects.toThrow(/is no file$/);
});
