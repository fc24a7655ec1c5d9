import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, newestChange, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { makePipes, release, written } from '../support/pipes.js';
import { filesBelow, filesContaining } from '../support/search.js';

const program = `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const page = new LocalFile('peculiar-page', { path: 'page.html', content: 'hello' });
new LocalCommand('slow', { create: 'test -e go.txt || { echo ready > ready.pipe; exec cat never.pipe; }; echo slow >> done.txt', delete: 'rm -f done.txt' }, { dependsOn: [page] });
export const outcome = 'peculiar-output';
`;

describe('a stack whose state is sealed whole (encryption.state)', () => {
  let box: Sandbox;
  const state = (): string => path.join(box.state, '.pulumi');
  const clear = (): readonly string[] =>
    ['peculiar-page', 'peculiar-output'].flatMap((text) => filesContaining(state(), text));

  beforeAll(async () => {
    box = sandbox({
      'index.ts': program,
      'Cairn.yaml': 'name: shop\nruntime: nodejs\nencryption:\n  state: on\n',
    });
    makePipes(box, 'ready.pipe', 'never.pipe');
    expectOk(await box.cairn(['stack', 'init', 'dev']));
  });
  afterAll(() => box.remove());

  test('a killed update leaves nothing readable, is gone on with, and is rolled back', async () => {
    const running = box.start(['up', '--yes', '--skip-preview']);
    await written(box, 'ready.pipe', running);
    running.process.kill('SIGKILL');
    await running.finished;
    release(box, 'never.pipe');
    expect(clear()).toEqual([]);
    box.write('go.txt', '');

    const waits = await box.cairn(['resume']);
    const step = /resolve ([0-9a-f]{8}) --not-created/.exec(waits.stdout)?.[1] ?? '';
    expect([waits.code, step]).toEqual([10, expect.stringMatching(/./)]);
    expectOk(await box.cairn(['change', 'resolve', step, '--not-created']));
    expectOk(await box.cairn(['resume']));
    expect(readFileSync(path.join(box.directory, 'done.txt'), 'utf8')).toBe('slow\n');
    expect(expectOk(await box.cairn(['stack', 'output', 'outcome'])).stdout).toBe('peculiar-output\n');
    expect(clear()).toEqual([]);

    expectOk(await box.cairn(['rollback', await newestChange(box), '--yes', '--skip-preview']));
    expect(['done.txt', 'page.html'].map((file) => existsSync(path.join(box.directory, file)))).toEqual([
      false,
      false,
    ]);
    expect(clear()).toEqual([]);
    expect(filesBelow(state()).length).toBeGreaterThan(10);
  });

  test('an export is sealed unless a plain one is asked for, and either is taken back', async () => {
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    const sealed = expectOk(await box.cairn(['stack', 'export'])).stdout;
    expect(sealed).not.toContain('peculiar-page');
    const plain = expectOk(await box.cairn(['stack', 'export', '--plain'])).stdout;
    expect(JSON.parse(plain)).toMatchObject({ version: 3 });
    expect(plain).toContain('peculiar-page');
    for (const input of [sealed, plain]) {
      expectOk(await box.cairn(['stack', 'import'], { input }));
      expectOk(await box.cairn(['preview', '--expect-no-changes']));
      expect(clear()).toEqual([]);
    }
  });

  test('without the passphrase it is refused, and nothing is overwritten', async () => {
    const env = { PULUMI_CONFIG_PASSPHRASE: 'another one', CAIRN_CONFIG_PASSPHRASE: undefined };
    const before = filesBelow(state()).map((file) => readFileSync(file, 'base64'));
    const refused = await box.cairn(['stack', 'export', '--plain'], { env });
    expect(refused.code).not.toBe(0);
    expect(refused.stdout).toBe('');
    expectOk(await box.cairn(['stack', 'ls'], { env }));
    expect(filesBelow(state()).map((file) => readFileSync(file, 'base64'))).toEqual(before);
  });

  test('switched off, everything is plain again', async () => {
    box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nencryption:\n  state: off\n');
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    const checkpoint = readFileSync(path.join(state(), 'stacks/shop/dev.json'), 'utf8');
    expect(JSON.parse(checkpoint)).toMatchObject({ version: 3 });
    expect(checkpoint).toContain('peculiar-page');
  });
});
