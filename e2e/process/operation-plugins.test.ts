import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { untilNoProcess } from '../support/processes.js';
import { until } from '../support/until.js';
import { KEYS, onTerminal, whyNoTerminals } from '../support/terminal.js';

/** Which plugin processes the preview and the run of one operation have. */

const plugin = path.resolve(__dirname, '..', '..', 'packages', 'providers', 'local', 'bin', 'plugin.js');
const why = whyNoTerminals();

const program = (content: string): string => `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'page.txt', content: '${content}' });
`;

let box: Sandbox;

/** The plugin is started by a script that notes its process, and that of the command. */
beforeEach(async () => {
  box = sandbox({
    'Cairn.yaml':
      'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: cairn-local\n      path: plug\n',
    'index.ts': program('one'),
    'plug/pulumi-resource-cairn-local': '',
  });
  const script = path.join(box.directory, 'plug/pulumi-resource-cairn-local');
  const noted = path.join(box.directory, 'started.txt');
  writeFileSync(
    script,
    `#!/bin/sh\necho $$ $PPID >> '${noted}'\nexec '${process.execPath}' '${plugin}' "$@"\n`,
  );
  chmodSync(script, 0o755);
  giveStack(box);
});
afterEach(() => box.remove());

const page = (): string | undefined => {
  const file = path.join(box.directory, 'page.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

/** A plugin and the command that started it, by their processes. */
interface Started {
  readonly plugin: number;
  readonly command: number;
}

function allStarted(): readonly Started[] {
  const lines = readFileSync(path.join(box.directory, 'started.txt'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [pluginProcess = 0, command = 0] = line.split(' ').map(Number);
    return { plugin: pluginProcess, command };
  });
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Number of plugins that earlier calls have counted; {@link started} returns those since, none of which runs any more.
 */
let seen = 0;
beforeEach(() => (seen = 0));
function started(): number {
  const all = allStarted();
  const fresh = all.slice(seen);
  seen = all.length;
  expect(fresh.filter((each) => runs(each.plugin))).toEqual([]);
  return fresh.length;
}

/** Kills the running command; its plugin ends with it, and a later command finds the former state. */
async function killed(before: string): Promise<void> {
  const { plugin: pluginProcess, command } = allStarted().at(-1) as Started;
  expect([runs(pluginProcess), runs(command)]).toEqual([true, true]);
  process.kill(command, 'SIGKILL');
  await until(() => !runs(pluginProcess) && !runs(command));
  expect(await untilNoProcess(box)).toEqual([]);
  expect([await exported(), page()]).toEqual([before, 'one']);
  expectOk(await box.cairn(['up', '--yes']));
  expect(page()).toBe('two');
}

const exported = async (): Promise<string> => expectOk(await box.cairn(['stack', 'export'])).stdout;

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

(why === undefined ? test : test.skip)(
  `a command that is killed while it asks leaves no process, and the state as it was${why === undefined ? '' : ` (${why})`}`,
  async () => {
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    const before = await exported();
    box.write('index.ts', program('two'));
    const up = onTerminal(box, ['up']);
    await up.shown('Do you want to perform this update?');
    await killed(before);
    await up.finished;
  },
);

test('a command that is killed in its preview leaves no process, and the state as it was', async () => {
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  const before = await exported();
  const [plugins, changed] = [allStarted().length, program('two')];
  box.write('index.ts', `${changed}await new Promise((never) => setTimeout(never, 600_000));\n`);
  const up = box.start(['up', '--yes']);
  await until(() => allStarted().length > plugins);
  box.write('index.ts', changed);
  await killed(before);
  await up.finished;
});
