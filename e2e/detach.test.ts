import { createReadStream, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expectOk, sandbox } from './support/cairn.js';
import type { Sandbox } from './support/cairn.js';

/** Resolves when something was written into the named pipe. */
function written(pipe: string): Promise<void> {
  return new Promise((resolve, reject) => {
    createReadStream(pipe)
      .once('data', () => resolve())
      .once('error', reject);
  });
}

/** Resolves when no change of the stack runs any more. */
async function ended(box: Sandbox): Promise<void> {
  for (;;) {
    const { stdout } = expectOk(await box.cairn(['changes', '--json']));
    if (!(JSON.parse(stdout) as { running: boolean }[]).some(({ running }) => running)) return;
  }
}

const program = `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const slow = new LocalCommand('slow', { create: 'echo ready > ready.pipe; cat go.pipe > /dev/null' });
new LocalFile('after', { path: 'after.txt', content: 'x' }, { dependsOn: [slow] });
`;

test('an update in the background goes on after the command that began it, and its change can be looked at', async () => {
  const box = sandbox({ 'index.ts': program });
  try {
    for (const pipe of ['ready.pipe', 'go.pipe', 'end.pipe'])
      execFileSync('mkfifo', [path.join(box.directory, pipe)]);
    expectOk(await box.cairn(['stack', 'init', 'dev']));
    const ready = written(path.join(box.directory, 'ready.pipe'));
    const started = expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--detach']));
    expect(started.stdout).toBe('1\n');
    await ready;
    expect(expectOk(await box.cairn(['changes'])).stdout).toMatch(/^1 +Doing .*running/m);
    expect(expectOk(await box.cairn(['tasks', '--last=up'])).stdout).toMatch(/Doing .*create slow/);
    writeFileSync(path.join(box.directory, 'go.pipe'), 'go');
    await ended(box);
    expect(readFileSync(path.join(box.directory, 'after.txt'), 'utf8')).toBe('x');
    const [log = ''] = readdirSync(path.join(box.home, '.cairn', 'logs', 'shop', 'dev'));
    expect(readFileSync(path.join(box.home, '.cairn', 'logs', 'shop', 'dev', log), 'utf8')).toContain(
      'created',
    );
  } finally {
    box.remove();
  }
});

test('a background process that cannot begin says why, and its exit code comes back', async () => {
  const box = sandbox({ 'index.ts': 'throw new Error("the program is broken")' });
  try {
    expectOk(await box.cairn(['stack', 'init', 'dev']));
    const started = await box.cairn(['up', '--yes', '--no-wait']);
    expect(started.code).not.toBe(0);
    expect(started.stdout).toBe('');
    expect(started.stderr).toContain('the program is broken');
    const unconfirmed = await box.cairn(['up', '--detach']);
    expect(unconfirmed.code).toBe(2);
    expect(unconfirmed.stderr).toContain('--yes');
  } finally {
    box.remove();
  }
});
