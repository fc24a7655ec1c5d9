import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';

/** For people who change Cairn: the command from its sources, and the scripts that rebuild them. */

const repository = path.resolve(__dirname, '..', '..');
const env = { ...process.env, CAIRN_BUILT: '1' };

test('npm run cairn runs the command from its sources, in the folder that npm was called in', () => {
  const example = path.join(repository, 'examples', 'quickstart');
  const words = [
    'run',
    '-s',
    '--prefix',
    repository,
    'cairn',
    '--',
    'config',
    'set',
    'a',
    'b',
    '--stack',
    'none',
  ];
  const { status, stderr } = spawnSync('npm', words, { cwd: example, env, encoding: 'utf8' });
  expect(stderr).toContain("no stack named 'none' found in project 'quickstart'");
  expect(stderr).not.toContain('CAIRN-INTERNAL');
  expect(status).not.toBe(0);
});

test('npm run dev rebuilds the command when a source changes, until it is interrupted', async () => {
  const source = path.join(repository, 'packages/ground/values/src/index.ts');
  const dev = spawn(process.execPath, ['tools/dev.mjs'], {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => dev.once('exit', (_code, signal) => resolve(signal)));
  let text = '';
  const told = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = () => text.split('the command is there').length > count && resolve();
      dev.stdout.on('data', look);
      look();
    });
  dev.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await told(1);
  const now = new Date();
  utimesSync(source, now, now);
  await told(2);
  expect(readFileSync(path.join(repository, 'packages/edges/cli/dist-dev/main.js'), 'utf8')).toContain(
    'runProcess',
  );
  dev.kill('SIGINT');
  expect(await ended).toBe('SIGINT');
});
