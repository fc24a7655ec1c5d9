import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { cairnCommand, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { recordStart } from '../support/start-record.js';

/** A command that loads two scripts. */
const WORDS = ['stack', 'ls'];
const isRoot = process.getuid?.() === 0;

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
  box.env['CAIRN_CODE_CACHE'] = '';
  mkdirSync(home(), { mode: 0o700 });
});
afterEach(() => box.remove());

const home = (): string => path.join(box.home, '.cairn');
const caches = (): string => path.join(home(), 'cache', 'code');
/** The folder of this build and Node. */
function folder(): string {
  const [name = 'none', ...others] = existsSync(caches()) ? readdirSync(caches()) : [];
  expect(others).toEqual([]);
  return path.join(caches(), name);
}
const stored = (): readonly string[] => readdirSync(folder()).map((name) => path.join(folder(), name));
const digest = (code: Buffer): Buffer => createHash('sha1').update(code).digest();

/** Runs the command, which must do its work; returns how many scripts had usable stored code, of how many. */
async function start(env: Record<string, string> = {}): Promise<readonly [number, number]> {
  const run = await recordStart(box, WORDS, { env });
  expect([run.code, run.stderr, run.stdout]).toEqual([0, '', expect.stringMatching(/^NAME/)]);
  const usable = run.scripts.filter(({ isStored, isRejected }) => isStored && !isRejected);
  return [usable.length, run.scripts.length];
}

const NONE = [0, 2] as const;
const ALL = [2, 2] as const;

test('the second start uses what the first has compiled', async () => {
  expect(await start()).toEqual(NONE);
  expect(stored().map((file) => path.basename(file))).toEqual(['command', 'stacks.stacks']);
  expect(await start()).toEqual(ALL);
});

test.each<readonly [string, (file: string) => void]>([
  ['torn', (file) => writeFileSync(file, readFileSync(file).subarray(0, 1000))],
  ['empty', (file) => writeFileSync(file, '')],
  ['of zeros, as after a power cut', (file) => writeFileSync(file, Buffer.alloc(readFileSync(file).length))],
  ['changed in one bit', (file) => changeBit(file)],
  [
    'whole and not code',
    (file) => writeFileSync(file, Buffer.concat([Buffer.from('x'), digest(Buffer.from('x'))])),
  ],
  ['writable for the group', (file) => chmodSync(file, 0o620)],
  ['writable for all', (file) => chmodSync(file, 0o602)],
  ...(isRoot ? ([["another user's", (file: string) => chownSync(file, 12345, 12345)]] as const) : []),
])('a stored file that is %s is not used, and is replaced', async (_how, damage) => {
  await start();
  for (const file of stored()) damage(file);
  expect(await start()).toEqual(NONE);
  expect(await start()).toEqual(ALL);
});

function changeBit(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

test.each<readonly [string, () => void]>([
  ['writable for others', () => chmodSync(folder(), 0o702)],
  ['a link to another', () => linkFolder()],
  ...(isRoot ? ([["another user's", () => chownSync(folder(), 12345, 12345)]] as const) : []),
])('a folder that is %s is not used, and nothing is written to it', async (_how, change) => {
  await start();
  const file = path.join(folder(), 'command');
  change();
  const before = readFileSync(file);
  expect(await start()).toEqual(NONE);
  expect(await start()).toEqual(NONE);
  expect(readFileSync(file).equals(before)).toBe(true);
});

function linkFolder(): void {
  const [from, to] = [folder(), path.join(box.home, 'elsewhere')];
  renameSync(from, to);
  symlinkSync(to, from);
}

test('code of other flags of V8 has a folder of its own', async () => {
  await start();
  expect(await start({ NODE_OPTIONS: '--stack-trace-limit=40' })).toEqual(NONE);
  expect(readdirSync(caches())).toHaveLength(2);
  expect(await start({ NODE_OPTIONS: '--stack-trace-limit=40' })).toEqual(ALL);
});

test('folders of other builds and Nodes are deleted but for the newest', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) mkdirSync(path.join(caches(), name), { recursive: true });
  await start();
  expect(readdirSync(caches())).toHaveLength(4);
});

test('an upgrade in place runs its own code, also where the size of every file is the same', () => {
  const own = path.dirname(path.dirname(cairnCommand));
  const copy = path.join(box.home, 'installed');
  for (const part of ['bin', 'package.json'])
    cpSync(path.join(own, part), path.join(copy, part), { recursive: true });
  for (const part of ['start.cjs', 'packs'])
    cpSync(path.join(own, 'dist', part), path.join(copy, 'dist', part), { recursive: true });
  const help = (): string => {
    const run = spawnSync(process.execPath, [path.join(copy, 'bin', 'cairn.cjs'), 'help'], {
      env: box.env as NodeJS.ProcessEnv,
      encoding: 'utf8',
    });
    expect([run.status, run.stderr]).toEqual([0, '']);
    return run.stdout;
  };
  const before = help();
  const [build = ''] = path.basename(folder()).split('-');
  const replaceIn = (file: string, from: string, to: string): void => {
    const text = readFileSync(file, 'latin1');
    expect(text).toContain(from);
    writeFileSync(file, text.replaceAll(from, to));
  };
  replaceIn(
    path.join(copy, 'dist', 'packs', 'command.cjs'),
    'Infrastructure as code',
    'Infrastructure in code',
  );
  replaceIn(path.join(copy, 'dist', 'start.cjs'), build, build.replaceAll(/[0-9]/g, 'f'));
  expect(before).toContain('Infrastructure as code');
  expect(help()).toBe(before.replace('Infrastructure as code', 'Infrastructure in code'));
});

test.each<readonly [string, () => void]>([
  ['a file', () => (renameSync(home(), path.join(box.home, 'moved')), writeFileSync(home(), ''))],
  ['without room for a folder', () => writeFileSync(path.join(home(), 'cache'), '')],
  ...(isRoot ? ([["another user's", () => chownSync(home(), 12345, 12345)]] as const) : []),
])('a home that is %s makes starts slower, nothing else', async (_how, change) => {
  change();
  expect(await start()).toEqual(NONE);
  expect(await start()).toEqual(NONE);
  expect(existsSync(caches())).toBe(false);
});

test('CAIRN_NO_CODE_CACHE=1 neither reads nor stores', async () => {
  expect(await start({ CAIRN_NO_CODE_CACHE: '1' })).toEqual(NONE);
  expect(existsSync(caches())).toBe(false);
  await start();
  expect(await start({ CAIRN_NO_CODE_CACHE: '1' })).toEqual(NONE);
});

test('CAIRN_CODE_CACHE names the folder', async () => {
  const shared = path.join(box.home, 'shared');
  mkdirSync(shared);
  await start({ CAIRN_CODE_CACHE: shared });
  expect(existsSync(caches())).toBe(false);
  expect(await start({ CAIRN_CODE_CACHE: shared })).toEqual(ALL);
});

test('first starts at once do not disturb each other', async () => {
  const runs = await Promise.all([start(), start(), start(), start()]);
  expect(runs.every(([, scripts]) => scripts === 2)).toBe(true);
  expect(stored().map((file) => path.basename(file))).toEqual(['command', 'stacks.stacks']);
  expect(await start()).toEqual(ALL);
});

test('a command that fails stores nothing', async () => {
  const run = await recordStart(box, ['stack', 'ls', '--no-such-flag']);
  expect(run.code).toBe(2);
  expect(existsSync(caches())).toBe(false);
});

test('stored code has no secrets', async () => {
  for (const words of [
    ['stack', 'init', 'dev'],
    ['config', 'set', '--secret', 'token', 'planted-secret-value'],
    ['config', '--show-secrets'],
  ])
    expect((await box.start(words).finished).code).toBe(0);
  expect(stored().length).toBeGreaterThan(1);
  for (const file of stored()) {
    const text = readFileSync(file, 'latin1');
    for (const secret of ['planted-secret-value', 'test passphrase']) expect(text).not.toContain(secret);
  }
});
