import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from './support/cairn.js';
import type { Sandbox } from './support/cairn.js';
import { KEYS, onTerminal, whyNoTerminals } from './support/terminal.js';

/** Which plugin processes the preview and the run of one operation have. */

const plugin = path.resolve(__dirname, '..', 'packages', 'provider-local', 'bin', 'plugin.js');
const why = whyNoTerminals();

const program = (content: string): string => `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'page.txt', content: '${content}' });
`;

let box: Sandbox;

/** The plugin is started by a script that notes its process. */
beforeEach(async () => {
  box = sandbox({
    'Cairn.yaml':
      'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: cairn-local\n      path: plug\n',
    'index.ts': program('one'),
    'plug/pulumi-resource-cairn-local': '',
  });
  const script = path.join(box.directory, 'plug/pulumi-resource-cairn-local');
  const noted = path.join(box.directory, 'started.txt');
  writeFileSync(script, `#!/bin/sh\necho $$ >> '${noted}'\nexec '${process.execPath}' '${plugin}' "$@"\n`);
  chmodSync(script, 0o755);
  expectOk(await box.cairn(['stack', 'init', 'dev']));
});
afterEach(() => box.remove());

const page = (): string | undefined => {
  const file = path.join(box.directory, 'page.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

/** Processes that were started since this was asked last; none of them runs any more. */
let seen = 0;
beforeEach(() => (seen = 0));
function started(): number {
  const all = readFileSync(path.join(box.directory, 'started.txt'), 'utf8').trim().split('\n').map(Number);
  const fresh = all.slice(seen);
  seen = all.length;
  for (const pid of fresh) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  return fresh.length;
}

test('the run has the process of its preview when its settings were known [PLUG-12]', async () => {
  // A new provider has no id in a preview.
  expectOk(await box.cairn(['up', '--yes']));
  expect([started(), page()]).toEqual([2, 'one']);
  box.write('index.ts', program('two'));
  expectOk(await box.cairn(['up', '--yes']));
  expect([started(), page()]).toEqual([1, 'two']);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  expect(started()).toBe(1);
  expectOk(await box.cairn(['destroy', '--yes']));
  expect([started(), page()]).toEqual([1, undefined]);
});

(why === undefined ? test : test.skip).each(['interrupt', 'enter'] as const)(
  `no process is left when the preview is not agreed to: %s${why === undefined ? '' : ` (${why})`} [PLUG-9] [PLUG-12]`,
  async (key) => {
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(started()).toBe(1);
    box.write('index.ts', program('two'));
    const up = onTerminal(box, ['up']);
    await up.shown('Do you want to perform this update?');
    up.type(KEYS[key]);
    expect((await up.finished).code).not.toBe(0);
    expect([started(), page()]).toEqual([1, 'one']);
  },
);
