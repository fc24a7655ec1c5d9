import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProcessExecutor } from '../src/executors/process.js';
import type { ProcessEnd, ProcessRequest } from '../src/executors/process.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agent-process-'));
afterAll(() => rmSync(folder, { recursive: true }));
let logs = 0;

/** Runs a shell script. Returns its end and its log. */
async function run(
  script: string,
  more: Partial<ProcessRequest> = {},
  executor = new ProcessExecutor(),
): Promise<ProcessEnd & { readonly log: string }> {
  const log = path.join(folder, `${(logs += 1)}.log`);
  const end = await executor.run({
    command: 'sh',
    args: ['-c', script],
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    limits: { timeMs: 60_000, outputBytes: 1 << 20 },
    log,
    ...more,
  });
  return { ...end, log: readFileSync(log, 'utf8') };
}

/** Tells if a process runs. One that has ended and that its parent has not asked for is dead. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

test('an end by itself, with its output in the log', async () => {
  const end = await run('echo out; echo err >&2; exit 3');
  expect(end).toMatchObject({ code: 3, words: 'exit code 3', isStopped: false, stdout: '' });
  expect(end.log.split('\n').sort()).toEqual(['', 'err', 'out']);
});

test('only the given variables reach it', async () => {
  process.env['AGENT_TEST_PLANTED'] = 'planted';
  const end = await run('env', { isRead: true, env: { PATH: process.env['PATH'], GIVEN: '1' } });
  delete process.env['AGENT_TEST_PLANTED'];
  expect(end.stdout).toContain('GIVEN=1');
  expect(end.stdout).not.toContain('PLANTED');
});

test('a secret that is printed in pieces is in no log', async () => {
  const secret = 'hunter2-planted';
  const end = await run('printf hunter2; sleep 0.05; echo -planted; echo hunter2-planted >&2', {
    env: { PATH: process.env['PATH'], API_TOKEN: secret },
  });
  expect(end.log).not.toContain(secret);
  expect(end.log).toContain('[secret]');
  expect(end.tail).not.toContain(secret);
});

test('a program that never ends is killed as a tree at its time limit', async () => {
  const end = await run("trap '' TERM INT; sleep 600 & echo $! > child.pid; while :; do sleep 600; done", {
    limits: { timeMs: 300, outputBytes: 1 << 20 },
  });
  expect(end).toMatchObject({ code: undefined, words: 'ended at its time limit of 0.3 s', isStopped: false });
  expect(isAlive(Number(readFileSync(path.join(folder, 'child.pid'), 'utf8')))).toBe(false);
});

test('a program that prints without end is killed at its output limit', async () => {
  const end = await run('yes', { limits: { timeMs: 60_000, outputBytes: 100_000 } });
  expect(end.words).toBe('ended at its output limit of 100000 bytes');
  expect(end.log.length).toBeLessThanOrEqual(100_000);
});

test('a program that fills the disk is killed at its disk limit', async () => {
  const scratch = mkdtempSync(path.join(folder, 'scratch-'));
  const limits = { timeMs: 60_000, outputBytes: 1 << 20, diskBytes: 1 << 20 };
  const fill = `while :; do head -c 65536 /dev/zero >> ${scratch}/file; sleep 0.01; done`;
  expect((await run(fill, { limits, folders: [scratch] })).words).toBe(
    'ended at its disk limit of 1048576 bytes',
  );
  // It is over the limit at the next look as well, however short the command.
  expect(await run('true', { limits, folders: [scratch] })).toMatchObject({ code: undefined, isDead: true });
  rmSync(path.join(scratch, 'file'));
  expect((await run(`echo x > ${scratch}/small`, { limits, folders: [scratch] })).code).toBe(0);
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a process that leaves the group is killed at the end', async () => {
  await run(
    'setsid sh -c "echo \\$\\$ > stray.pid; sleep 600" & while [ ! -s stray.pid ]; do sleep 0.02; done',
  );
  expect(isAlive(Number(readFileSync(path.join(folder, 'stray.pid'), 'utf8')))).toBe(false);
});

onLinux('memory and processor time are limited without systemd', async () => {
  const limits = { timeMs: 1_000, outputBytes: 1 << 20, memoryBytes: 64 << 20, processors: 1 };
  const executor = new ProcessExecutor('ulimit');
  const big = `${process.execPath} -e 'const all = []; for (;;) all.push(Buffer.alloc(1 << 20, 1))'`;
  const end = await run(big, { limits: { ...limits, timeMs: 60_000 } }, executor);
  expect(end.code).not.toBe(0);
  expect(end.words).not.toContain('time limit');
  expect((await run('ulimit -d; ulimit -t', { limits, isRead: true }, executor)).stdout).toBe('65536\n1\n');
  expect((await run('ulimit -d', { isRead: true }, executor)).stdout).not.toBe('65536\n');
});

test('a program that kills its parent has died, and says so', async () => {
  const end = await run('sh -c "kill -9 $$"; sleep 600');
  expect(end).toMatchObject({ code: undefined, words: 'signal SIGKILL', isStopped: false, isDead: true });
});

test('a stop interrupts what runs, and nothing begins after it', async () => {
  const executor = new ProcessExecutor();
  const ready = path.join(folder, 'ready');
  const running = run(
    `trap 'echo ended its step; exit 8' INT; : > ${ready}; while :; do sleep 0.05; done`,
    {},
    executor,
  );
  await new Promise<void>((resolve) => {
    const watcher = watch(folder, () => existsSync(ready) && (watcher.close(), resolve()));
    if (existsSync(ready)) resolve();
  });
  await executor.stop();
  const end = await running;
  expect([end.code, end.log]).toEqual([8, 'ended its step\n']);
  expect(
    await executor.run({
      command: 'sh',
      args: [],
      cwd: folder,
      env: {},
      limits: { timeMs: 1, outputBytes: 1 },
      log: path.join(folder, 'none.log'),
    }),
  ).toMatchObject({ isStopped: true });
});

test('a command or a folder that does not exist is the reason', async () => {
  const executor = new ProcessExecutor();
  const run = (command: string, cwd: string) =>
    executor.run({
      ...{ command, args: ['-e', ''], cwd, env: {} },
      limits: { timeMs: 1000, outputBytes: 1000 },
      log: path.join(folder, 'no.log'),
    });
  const end = await run('./nothing-here', folder);
  expect([end.code, end.words]).toEqual([127, expect.stringContaining('cannot be started: ')]);
  const cwd = path.join(folder, 'none');
  const elsewhere = await run(process.execPath, cwd);
  expect([elsewhere.code, elsewhere.words]).toEqual([127, `cannot be started: there is no folder ${cwd}`]);
});
