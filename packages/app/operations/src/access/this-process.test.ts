import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as os from 'node:os';
import { isAlive, lookAtProcess, machineMark, systemUser, thisProcess, whoAsks } from './this-process.js';

jest.mock('node:os', () => {
  const system = jest.requireActual<typeof os>('node:os');
  return { ...system, userInfo: jest.fn(system.userInfo) };
});

const linux = process.platform === 'linux' ? test : test.skip;

linux('a process is told by its start, and is seen to be stopped and to go on', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const pid = child.pid as number;
  const until = async (stopped: boolean): Promise<void> => {
    while (lookAtProcess(pid)?.stopped !== stopped) await new Promise((resolve) => setImmediate(resolve));
  };
  try {
    const first = lookAtProcess(pid);
    expect(first).toEqual({ started: expect.stringMatching(/^\d+$/), stopped: false });
    child.kill('SIGSTOP');
    await until(true);
    expect(lookAtProcess(pid)?.started).toBe(first?.started);
    child.kill('SIGCONT');
    await until(false);
  } finally {
    child.kill('SIGKILL');
  }
});

linux('the machine is the same at every look, and this process is on it', () => {
  expect(machineMark()).toMatch(/^[0-9a-f-]{36}\/\d+$/);
  expect(machineMark()).toBe(machineMark());
  const self = thisProcess(true);
  expect(self).toMatchObject({ pid: process.pid, machine: machineMark(), attended: true });
  expect(self.look?.(process.pid)?.stopped).toBe(false);
});

test('a user without a name has a number', () => {
  expect(systemUser()).toBe(os.userInfo().username);
  const nameless = (): never => {
    throw new Error('ENOENT: uv_os_get_passwd');
  };
  jest
    .mocked(os.userInfo)
    .mockImplementationOnce(nameless)
    .mockImplementationOnce(nameless)
    .mockImplementationOnce(nameless);
  expect(systemUser()).toMatch(/^uid-/);
  expect(whoAsks()).toMatch(/^uid-.*@/);
  expect(thisProcess(false).username).toMatch(/^uid-/);
});

test('a process that is not there is not seen', () => expect(lookAtProcess(2 ** 30)).toBeUndefined());

test('a process is alive until it has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  const pid = child.pid as number;
  expect(isAlive(pid)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(pid)).toBe(false);
});

test('a process that was killed and that its parent has not reaped is not alive', async () => {
  // The shell replaces itself by a program that never reaps the child that it inherited.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(text.toString());
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
  parent.stdin.end();
  await once(parent, 'exit');
});

test.each([0, -1, 1.5, Number.NaN])('%p is no process', (pid) => expect(isAlive(pid)).toBe(false));
