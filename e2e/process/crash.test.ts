import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { apart } from '../support/apart.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

interface Exported {
  readonly deployment: {
    readonly resources?: readonly { readonly urn: string }[];
    readonly pending_operations?: readonly {
      readonly type: string;
      readonly resource: { readonly urn: string };
    }[];
  };
}

const program = (command: string): string => `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const before = new LocalFile('before', { path: 'before.txt', content: 'x' });
const slow = new LocalCommand('slow', { create: ${JSON.stringify(command)} }, { dependsOn: [before] });
new LocalFile('after', { path: 'after.txt', content: 'x' }, { dependsOn: [slow] });
`;

/** Resolves when something was written into the named pipe. */
function written(pipe: string): Promise<void> {
  return new Promise((resolve, reject) => {
    createReadStream(pipe)
      .once('data', () => resolve())
      .once('error', reject);
  });
}

describe('a process that is killed loses nothing that was recorded', () => {
  let box: Sandbox;
  const names = async (): Promise<{ done: string[]; pending: string[] }> => {
    const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
    const name = (urn: string): string => urn.slice(urn.lastIndexOf('::') + 2);
    return {
      done: (deployment.resources ?? []).map((resource) => name(resource.urn)),
      pending: (deployment.pending_operations ?? []).map(
        (operation) => `${operation.type} ${name(operation.resource.urn)}`,
      ),
    };
  };

  beforeAll(async () => {
    box = sandbox({ 'index.ts': program('echo ready > ready.pipe; exec cat never.pipe') });
    for (const pipe of ['ready.pipe', 'never.pipe']) execFileSync('mkfifo', [path.join(box.directory, pipe)]);
    giveStack(box);
  });
  afterAll(() => box.remove());

  test('killed with SIGKILL in the middle of a create', async () => {
    const running = box.start(['up', '--yes', '--skip-preview']);
    const ready = written(path.join(box.directory, 'ready.pipe'));
    await Promise.race([ready, running.finished.then((end) => Promise.reject(new Error(end.text)))]);
    running.process.kill('SIGKILL');
    expect((await running.finished).signal).toBe('SIGKILL');
    expect(existsSync(path.join(box.directory, 'before.txt'))).toBe(true);
  });

  test('the next command folds the journal, names what is in doubt, and one goes on once that is settled', async () => {
    box.write('index.ts', program('true'));
    const waits = await box.cairn(['up', '--yes', '--skip-preview']);
    expect(waits.code).toBe(10);
    expect(waits.text).toContain('CAIRN-IN-DOUBT');
    expect(waits.text).toMatch(/slow/);
    const step = /change resolve ([0-9a-f]{8}) --not-created/.exec(waits.stdout)?.[1] ?? '';
    expectOk(await box.cairn(['change', 'resolve', step, '--not-created']));
    const up = expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(up.text).not.toMatch(/before.*creat/);
    const { done } = await names();
    expect(done).toEqual(expect.arrayContaining(['before', 'slow', 'after']));
  });
});

test('two interrupts have a running step cancelled: it does not listen, so it is in doubt; they name it and keep what was recorded', async () => {
  const box = sandbox({
    'index.ts': program('trap "" INT TERM; echo ready > ready.pipe; exec cat never.pipe'),
  });
  try {
    for (const pipe of ['ready.pipe', 'never.pipe']) execFileSync('mkfifo', [path.join(box.directory, pipe)]);
    giveStack(box);
    const running = box.start(['up', '--yes', '--skip-preview']);
    await Promise.race([
      written(path.join(box.directory, 'ready.pipe')),
      running.finished.then((end) => Promise.reject(new Error(end.text))),
    ]);
    running.process.kill('SIGINT');
    await running.shown(/waiting for running/);
    await apart();
    running.process.kill('SIGINT');
    const end = await running.finished;
    expect(end.code).toBe(8);
    expect(end.text).toMatch(/in doubt: create .*::slow/);
    const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
    expect(deployment.resources?.map((resource) => resource.urn).join()).toContain('::before');
    expect(deployment.pending_operations?.map((operation) => operation.type)).toEqual(['creating']);
  } finally {
    box.remove();
  }
});
