import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, release, written } from '../support/pipes.js';
import { until } from '../support/until.js';

const program = `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const slow = new LocalCommand('slow', { create: 'echo ready > ready.pipe; cat go.pipe > /dev/null' });
new LocalFile('after', { path: 'after.txt', content: 'x' }, { dependsOn: [slow] });
`;

test('an update in the background goes on after the command that began it, and its change can be looked at', async () => {
  const box = sandbox({ 'index.ts': program });
  try {
    makePipes(box, 'ready.pipe', 'go.pipe');
    giveStack(box);
    const ready = written(box, 'ready.pipe');
    const started = expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--detach']));
    expect(started.stdout).toBe('1\n');
    await ready;
    expect(expectOk(await box.cairn(['changes'])).stdout).toMatch(/^1 +Doing .*running/m);
    expect(expectOk(await box.cairn(['tasks', '--last=up'])).stdout).toMatch(/Doing .*create slow/);
    const watching = box.start(['follow', '1']);
    await watching.shown(/Doing +create slow/);
    release(box, 'go.pipe');
    expect(expectOk(await watching.finished).stdout).toMatch(/Done +create after/);
    expect(readFileSync(path.join(box.directory, 'after.txt'), 'utf8')).toBe('x');
    const [log = ''] = readdirSync(path.join(box.home, '.cairn', 'logs', 'shop', 'dev'));
    const file = path.join(box.home, '.cairn', 'logs', 'shop', 'dev', log);
    // The process ends after its change.
    await until(() => /\d created/.test(readFileSync(file, 'utf8')));
  } finally {
    box.remove();
  }
});

test('a background process that cannot begin says why, and its exit code comes back', async () => {
  const box = sandbox({ 'index.ts': 'throw new Error("the program is broken")' });
  try {
    giveStack(box);
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
