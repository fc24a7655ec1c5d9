import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAlive } from './is-alive.js';

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
  // The shell replaces itself by a program that never reaps the child that it was given.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(text.toString());
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
  parent.stdin.end();
  await once(parent, 'exit');
});

test.each([0, -1, 1.5, Number.NaN])('%p is no process', (pid) => expect(isAlive(pid)).toBe(false));
