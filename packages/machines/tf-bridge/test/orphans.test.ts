import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { METHOD, SCRIPTED, certificate } from './start-scripted.js';

let box: string;

beforeAll(async () => {
  box = await mkdtemp(path.join(tmpdir(), 'orphans-'));
  const contents = `
    import { startProvider } from '../src/index.ts';
    const options = {
      name: 'acme/scripted', executable: process.execPath, args: [${JSON.stringify(SCRIPTED)}],
      cwd: '/', env: process.env, onLog: () => {},
    };
    const { caller } = await startProvider(options);
    await Promise.all(Array.from({ length: 8 }, () => caller.unary(${JSON.stringify(METHOD)}, new Uint8Array())));`;
  await build({
    stdin: { contents, resolveDir: __dirname },
    ...{ outfile: path.join(box, 'host.mjs'), bundle: true, platform: 'node', format: 'esm' },
    conditions: ['cairn-src'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  });
});

afterAll(() => rm(box, { recursive: true, force: true }));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Returns the content of a file as soon as it matches. */
async function written(file: string, wanted: RegExp): Promise<string> {
  for (;;) {
    const text = await sleep(10).then(() => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return '';
      }
    });
    if (wanted.test(text)) return text;
  }
}

test.each([
  ['before it says where it listens', { silent: true }, /^\d+\n/],
  ['at the first call', { methods: { '/grpc.health.v1.Health/Check': { hang: true } } }, /Health/],
  ['with calls under way', { methods: { [METHOD]: { hang: true } } }, new RegExp(`(?:${METHOD}\n){8}`)],
])('no process is left when the command is killed %s [TFP-1]', async (title, script, reached) => {
  const calls = path.join(box, title);
  const SCRIPT = JSON.stringify({ ...script, certificate: await certificate(), callsTo: calls });
  const host = spawn(process.execPath, [path.join(box, 'host.mjs')], { env: { ...process.env, SCRIPT } });
  const exit = once(host, 'exit');
  const pid = Number.parseInt(await written(calls, reached), 10);
  expect(isAlive(pid)).toBe(true);
  host.kill('SIGKILL');
  await exit;
  // There is no event for the end of a process that is not a child of this one.
  while (isAlive(pid)) await sleep(10);
  expect(isAlive(pid)).toBe(false);
});
