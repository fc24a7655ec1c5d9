import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { cairnCommand, expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { effectsOf } from '../support/effect.js';
import { giveStack } from '../support/given-stack.js';

/** Our own providers as plugin processes: their working folder, and attaching an engine to one that runs already. */

const plugin = path.resolve(__dirname, '..', '..', 'packages', 'providers', 'local', 'bin', 'plugin.js');

const PROGRAM = `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'site/page.txt', content: 'hello' });
new LocalCommand('where', { create: 'pwd > where.txt', delete: 'rm where.txt' });
`;

const started: ChildProcess[] = [];
const boxes: Sandbox[] = [];
afterAll(() => {
  started.forEach((child) => child.kill('SIGKILL'));
  boxes.forEach((box) => box.remove());
});

/** Starts the plugin as a user with a debugger does; resolves with its port. */
function startPlugin(cwd: string): Promise<string> {
  const child = spawn(process.execPath, [plugin], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the plugin ended with ${code}`)));
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
  });
}

test('a plugin works in the folder of the program, whoever started it', async () => {
  const box = sandbox({
    'Cairn.yaml': 'name: shop\nruntime: nodejs\nmain: src/index.ts\n',
    'src/index.ts': PROGRAM,
  });
  boxes.push(box);
  const src = path.join(box.directory, 'src');
  mkdirSync(src, { recursive: true });
  const at = (file: string): string => path.join(src, file);
  giveStack(box);
  const port = await startPlugin(src);
  const ways: readonly Record<string, string>[] = [
    { CAIRN_PROVIDERS_OUT_OF_PROCESS: '1' },
    { CAIRN_DEBUG_PROVIDERS: `cairn-local:${port}` },
    { PULUMI_DEBUG_PROVIDERS: `cairn-local:${port}` },
  ];
  for (const env of ways) {
    expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { env }));
    expect(readFileSync(at('site/page.txt'), 'utf8')).toBe('hello');
    expect(readFileSync(at('where.txt'), 'utf8').trim()).toBe(src);
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview'], { env }));
    expect([existsSync(at('site/page.txt')), existsSync(at('where.txt'))]).toEqual([false, false]);
  }
});

/**
 * Makes sparks; ends its process by a signal after the call that `crash.txt` names. Records the process that ran it.
 */
const FLINT = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { defineProvider, defineResource, s, toProvider } from '@cairn/provider-sdk';
const effect = (call) => {
  const runner = process.argv[1].includes('served-module') ? 'itself' : 'command';
  appendFileSync('effects.log', call + ' by ' + runner + '\\n');
  if (existsSync('crash.txt') && readFileSync('crash.txt', 'utf8') === call) process.kill(process.pid, 'SIGSEGV');
};
const spark = defineResource({
  inputs: { colour: s.string().optional() },
  outputs: {},
  idempotencyToken: true,
  check: async () => (existsSync('crash.txt') && effect('check'), []),
  create: async () => (effect('create'), { id: 'spark', outputs: {} }),
  delete: async () => effect('delete'),
});
export default () => toProvider(defineProvider({ name: 'flint', version: '1.0.0', resources: { 'index:Spark': spark } }));
`;

test('a provider that ends the command by a signal is told of, and ends only its own process from then on [PLUG-14]', async () => {
  const box = sandbox({
    'index.ts':
      "import { CustomResource } from '@cairn/sdk';\nnew CustomResource('flint:index:Spark', 'spark', {});\n",
    'package.json': JSON.stringify({
      ...{ name: 'shop', private: true, type: 'module' },
      dependencies: { '@cairn/sdk': '*', flint: '*' },
    }),
    'node_modules/flint/package.json': JSON.stringify({
      ...{ name: 'flint', version: '1.0.0', type: 'module' },
      cairn: { provider: { name: 'flint', module: './provider.js' } },
    }),
    'node_modules/flint/provider.js': FLINT,
    'crash.txt': 'create',
  });
  boxes.push(box);
  giveStack(box);
  const marks = path.join(box.home, '.cairn', 'in-process');
  const words = ['up', '--yes', '--skip-preview'];

  const first = await box.process(words);
  expect(first.signal).toBe('SIGSEGV');
  expect(first.stderr).toContain('error[CAIRN-PROVIDER-CRASHED]: a signal ended the command');
  expect(first.stderr).toMatch(
    /^ {2}flint@1\.0\.0: create of urn:pulumi:dev::shop::flint:index:Spark::spark$/m,
  );
  expect(first.stderr).toContain('`cairn resume`');

  const second = await box.cairn(['resume', '--yes']);
  expect(second.code).toBe(4);
  expect(second.text).toContain('CAIRN-PLUGIN-DIED');
  expect(second.text).toMatch(/flint ended with signal SIGSEGV during create/);
  expect(second.text).toMatch(/it runs in its own process: .* during create of urn:/);

  rmSync(path.join(box.directory, 'crash.txt'));
  expectOk(await box.cairn(['resume', '--yes']));
  expect(effectsOf(box).filter((line) => line.startsWith('create'))).toEqual([
    'create by command',
    'create by itself',
    'create by itself',
  ]);
  expect(readdirSync(marks)).toHaveLength(1);

  // After a new build it is trusted again, and a preview reports it as well.
  const now = new Date();
  utimesSync(path.join(box.directory, 'node_modules/flint/provider.js'), now, now);
  box.write('crash.txt', 'check');
  const preview = await box.process(['preview']);
  expect(preview.signal).toBe('SIGSEGV');
  expect(preview.stderr).toMatch(/flint@1\.0\.0: check of urn/);
  expect((await box.cairn(['preview'])).text).toMatch(/flint ended with signal SIGSEGV during check/);
  rmSync(path.join(box.directory, 'crash.txt'));
  utimesSync(path.join(box.directory, 'node_modules/flint/provider.js'), new Date(), new Date());
  expectOk(await box.process(['destroy', '--yes', '--skip-preview']));
  expect(effectsOf(box).at(-1)).toBe('delete by command');
  expect(readdirSync(marks)).toEqual([]);
});

/** The command with a limit on open files, as `ulimit -n` sets it. */
async function limitedTo(
  files: number,
  box: Sandbox,
  words: readonly string[],
): Promise<{ code: number | null; text: string }> {
  const started = [
    '-c',
    'ulimit -n "$0"; exec "$@"',
    String(files),
    process.execPath,
    cairnCommand,
    ...words,
  ];
  const child = spawn('/bin/bash', started, {
    cwd: box.directory,
    env: { ...box.env, EDITOR: 'true' } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

test('with few open files fewer commands run at once, with too few the limit is named', async () => {
  const program = `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
for (let at = 0; at < 20; at += 1) {
  new LocalCommand('command' + at, { create: \`echo \${at} >> effects.log; sleep 0.1\` });
  new LocalFile('file' + at, { path: 'files/' + at, content: 'x' });
}
`;
  const box = sandbox({ 'index.ts': program });
  boxes.push(box);
  giveStack(box);
  const few = await limitedTo(40, box, ['up', '--yes', '--skip-preview']);
  expect(few.code).toBe(1);
  expect(few.text).toMatch(
    /error\[CAIRN-DESCRIPTORS\]: cannot .*: all 40 files that a process may have are open/,
  );
  expect(few.text).toContain('`ulimit -n 4096`');
  expect(few.text).not.toContain('CAIRN-INTERNAL');
  expect(effectsOf(box)).toEqual([]);

  const up = await limitedTo(64, box, ['up', '--yes', '--skip-preview']);
  expect(up).toMatchObject({ code: 0 });
  const effects = effectsOf(box).map(Number);
  expect(effects.sort((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  expect(readdirSync(path.join(box.directory, 'files'))).toHaveLength(20);
});

test('an editor and an operation in the background wait for open files, and name the limit when none become free', async () => {
  const box = sandbox({ 'index.ts': '' });
  boxes.push(box);
  giveStack(box);
  expectOk(await box.cairn(['up', '--yes']));
  const refused = await Promise.all([
    limitedTo(26, box, ['state', 'edit', '--yes']),
    limitedTo(26, box, ['up', '--yes', '--detach']),
  ]);
  for (const { code, text } of refused) {
    expect(code).toBe(1);
    expect(text).toMatch(
      /^error\[CAIRN-DESCRIPTORS\]: cannot start .*: all 26 files that a process may have are open/,
    );
  }
});
