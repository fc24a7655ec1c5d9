import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync, readdirSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describeExit, startProcess } from './index.js';
import type { ProcessGroup } from './index.js';

/** Runs a node process with `script`, collects its output, and offers a way to wait for a text in it. */
async function run(
  script: string,
): Promise<{ group: ProcessGroup; output: () => string; until: (text: string) => Promise<void> }> {
  let output = '';
  let wake: () => void = () => undefined;
  const group = await startProcess({
    command: process.execPath,
    args: ['-e', script],
    cwd: tmpdir(),
    env: process.env,
    onOutput: (stream, text) => {
      output += stream === 'stderr' ? `[${text}]` : text;
      wake();
    },
  });
  const until = async (text: string) => {
    while (!output.includes(text)) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { group, output: () => output, until };
}

/** Tells whether a process runs. A process that only waits for its parent to notice its end does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}

test('output of both streams and the exit code arrive', async () => {
  const { group, output } = await run(
    'process.stdout.write("ö"); process.stderr.write("no"); process.exitCode = 3',
  );
  expect(await group.exit).toEqual({ kind: 'code', code: 3 });
  expect(group.ended).toEqual({ kind: 'code', code: 3 });
  expect(output()).toContain('ö');
  expect(output()).toContain('[no]');
});

test('a character split between two chunks arrives whole', async () => {
  const { group, output } = await run(
    'const b = Buffer.from("€"); process.stdout.write(b.subarray(0, 1), () => setImmediate(() => process.stdout.write(b.subarray(1))))',
  );
  await group.exit;
  expect(output()).toBe('€');
});

test.each([
  [{ kind: 'code', code: 3 } as const, 'exit code 3'],
  [{ kind: 'signal', signal: 'SIGKILL' } as const, 'signal SIGKILL'],
])('%j reads %s', (status, text) => expect(describeExit(status)).toBe(text));

test('a command that does not exist rejects with the reason', async () => {
  const start = startProcess({
    command: '/nowhere/x',
    args: [],
    cwd: '/',
    env: {},
    onOutput: () => undefined,
  });
  await expect(start).rejects.toMatchObject({ code: 'ENOENT' });
});

test('stop interrupts first, and an obedient process ends by itself', async () => {
  const { group, until } = await run(
    'process.on("SIGINT", () => process.exit(7)); setInterval(() => 0, 1000); console.log("ready")',
  );
  await until('ready');
  expect(await group.stop(60_000)).toEqual({ kind: 'code', code: 7 });
});

test('stop kills a process that ignores the interrupt', async () => {
  const { group, until } = await run(
    'process.on("SIGINT", () => 0); setInterval(() => 0, 1000); console.log("ready")',
  );
  await until('ready');
  expect(await group.stop(1)).toEqual({ kind: 'signal', signal: 'SIGKILL' });
});

const GRANDCHILD = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
console.log('child ' + child.pid + ' ready');
`;

test.each([
  ['when it is killed', `${GRANDCHILD}; setInterval(() => 0, 1000)`, true],
  ['when it ends by itself', `${GRANDCHILD}; process.exit(0)`, false],
])('what a process started dies with it %s', async (_, script, kill) => {
  const { group, output, until } = await run(script);
  await until('ready');
  if (kill) group.kill();
  await group.exit;
  const pid = Number(/child (\d+)/.exec(output())?.[1]);
  await gone(pid);
  expect(isAlive(pid)).toBe(false);
});

/** Waits for the end of a process. Polls the process table: only children have an event for their death. */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('when we are killed without a chance to act', () => {
  let directory: string;
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'cairn-processes-'))));
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test('our groups are ended, also those that ignore the interrupt', async () => {
    const parent = join(directory, 'parent.mjs');
    const pidFile = join(directory, 'pid');
    const child = `process.on("SIGINT", () => 0); require("fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => 0, 1000)`;
    buildSync({
      stdin: {
        contents: `import { startProcess } from './index.js';
          await startProcess({ command: process.execPath, args: ['-e', ${JSON.stringify(child)}], cwd: '/', env: process.env, onOutput: () => 0 });
          setInterval(() => 0, 1000);`,
        resolveDir: __dirname,
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: parent,
    });
    await writeFile(pidFile, '');
    const written = new Promise<void>((resolve) => {
      const watcher = watch(pidFile, () => {
        watcher.close();
        resolve();
      });
    });
    const us = spawn(process.execPath, [parent], { stdio: 'ignore' });
    await written;
    let pid = '';
    while (pid === '') pid = await readFile(pidFile, 'utf8');
    us.kill('SIGKILL');
    await gone(Number(pid));
    expect(isAlive(Number(pid))).toBe(false);
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  const why = process.platform === 'linux' ? '' : ' (skipped: it needs Linux)';
  onLinux(`in the moment in which a group starts, it is ended as well${why}`, async () => {
    const parent = join(directory, 'parent.mjs');
    buildSync({
      stdin: {
        contents: `import { startProcess } from './index.js';
          void startProcess({ command: process.execPath, args: ['-e', 'setInterval(() => 0, 1000)'], cwd: '/', env: process.env, onOutput: () => 0 });
          process.kill(process.pid, 'SIGKILL');`,
        resolveDir: __dirname,
      },
      ...{ bundle: true, platform: 'node', format: 'esm', outfile: parent },
    });
    const mark = `CAIRN_TEST=${directory};`;
    const us = spawn(process.execPath, [parent], {
      stdio: 'ignore',
      env: { ...process.env, CAIRN_TEST: `${directory};` },
    });
    await new Promise((resolve) => us.once('exit', resolve));
    while (carrying(mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(carrying(mark)).toEqual([]);
  });
});

/** Returns running processes with a text in their environment. Works on Linux. */
function carrying(mark: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark) && isAlive(pid);
      } catch {
        return false; // It has ended meanwhile.
      }
    });
}
