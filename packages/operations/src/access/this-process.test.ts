import { spawn } from 'node:child_process';
import { lookAtProcess, machineMark, thisProcess } from './this-process.js';

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

test('a process that is not there is not seen', () => expect(lookAtProcess(2 ** 30)).toBeUndefined());
