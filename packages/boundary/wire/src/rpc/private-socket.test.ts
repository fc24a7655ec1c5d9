import { createServer } from 'node:net';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { privateSocket } from './private-socket.js';

test('a folder for our user alone, in the first place that can be written to; elsewhere none', async () => {
  const base = mkdtempSync(path.join(tmpdir(), 'cairn-base-'));
  try {
    const socket = privateSocket('linux', [path.join(base, 'missing'), 'x'.repeat(200), base]);
    const folder = path.dirname((socket?.address as string).slice('unix:'.length));
    expect([path.dirname(folder), statSync(folder).mode & 0o777]).toEqual([base, 0o700]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path.join(folder, 'engine'), resolve));
    await new Promise((resolve) => server.close(resolve));
    await socket?.remove();
    expect(readdirSync(base)).toEqual([]);
    expect(privateSocket('linux', [path.join(base, 'missing')])).toBeUndefined();
    expect(privateSocket('win32', [base])).toBeUndefined();
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
