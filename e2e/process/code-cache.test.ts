import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { cairnCommand, expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { recordStart } from '../support/start-record.js';
import type { StartRecord } from '../support/start-record.js';

/** A command that loads four scripts, with a program that loads one. */
const WORDS = ['preview', '--stack', 'dev'];
const PROGRAM = `
import { Config } from '@cairn/sdk';
export const token = new Config('shop').getSecret('token');
`;
const isRoot = process.getuid?.() === 0;

let box: Sandbox;
beforeEach(() => {
  box = sandbox({ 'index.ts': PROGRAM });
  giveStack(box);
  box.env['CAIRN_CODE_CACHE'] = '';
});
afterEach(() => box.remove());

const home = (): string => path.join(box.home, '.cairn');
const caches = (): string => path.join(home(), 'cache', 'code');
/** The folders of this build and Node: that of the command, and that of the program. */
function folders(): readonly string[] {
  const names = existsSync(caches()) ? readdirSync(caches()).sort() : [];
  expect(names.map((name) => name.split('-')[0])).toEqual(['command', 'program']);
  return names.map((name) => path.join(caches(), name));
}
const stored = (): readonly string[] =>
  folders().flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
const storedNames = (): readonly string[] =>
  stored().map((file) => path.basename(file).replace(/-[0-9a-f]{16}$/, ''));
const digest = (code: Buffer): Buffer => createHash('sha1').update(code).digest();

/** For the command and for its program: how many scripts had usable stored code, of how many. */
type Usable = readonly [command: readonly [number, number], program: readonly [number, number]];

/** Runs the command and its program, which must do their work. */
async function start(env: Record<string, string> = {}): Promise<Usable> {
  const run = await recordStart(box, WORDS, { env });
  expect([run.code, run.stderr, run.stdout]).toEqual([0, '', expect.stringContaining('1 to create')]);
  return [usableOf(run.scripts), usableOf(run.program?.scripts ?? [])];
}

function usableOf(scripts: StartRecord['scripts']): readonly [number, number] {
  return [scripts.filter(({ isStored, isRejected }) => isStored && !isRejected).length, scripts.length];
}

const NONE = [
  [0, 4],
  [0, 1],
] as const;
const ALL = [
  [4, 4],
  [1, 1],
] as const;
/** Files in the folders of the command and of the program. */
const STORED = ['command', 'early.early', 'operations.early', 'stacks.early', 'program'];

test('the second start uses what the first has compiled', async () => {
  expect(await start()).toEqual(NONE);
  expect(storedNames()).toEqual(STORED);
  expect(await start()).toEqual(ALL);
});

/** Damage to a stored file, each of which must keep it from being used. */
const DAMAGE: readonly (readonly [string, (file: string) => void])[] = [
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
];

test('a stored file that is damaged in any way is not used, and is replaced', async () => {
  await start();
  for (const [how, damage] of DAMAGE) {
    for (const file of stored()) damage(file);
    expect([how, await start()]).toEqual([how, NONE]);
    for (const file of stored()) expect([how, file, isUsable(file)]).toEqual([how, file, true]);
  }
  expect(await start()).toEqual(ALL);
});

/** Tells whether a file is this user's alone, long enough for code, and ends with the digest of the rest. */
function isUsable(file: string): boolean {
  const { mode, uid, size } = statSync(file);
  const bytes = readFileSync(file);
  const isWhole = bytes.subarray(-20).equals(digest(bytes.subarray(0, -20)));
  return (mode & 0o777) === 0o600 && uid === process.getuid?.() && size > 1000 && isWhole;
}

function changeBit(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

test.each<readonly [string, (folder: string) => void]>([
  ['writable for others', (folder) => chmodSync(folder, 0o702)],
  ['a link to another', (folder) => linkFolder(folder)],
  ...(isRoot ? ([["another user's", (folder: string) => chownSync(folder, 12345, 12345)]] as const) : []),
])('a folder that is %s is not used, and nothing is written to it', async (_how, change) => {
  await start();
  for (const folder of folders()) change(folder);
  const contents = (): readonly string[] =>
    stored().map((file) => digest(readFileSync(file)).toString('hex'));
  const before = contents();
  expect(await start()).toEqual(NONE);
  expect(contents()).toEqual(before);
});

function linkFolder(folder: string): void {
  const elsewhere = path.join(box.home, path.basename(folder));
  renameSync(folder, elsewhere);
  symlinkSync(elsewhere, folder);
}

test('code of other flags of V8 has a folder of its own', async () => {
  await start();
  expect(await start({ NODE_OPTIONS: '--stack-trace-limit=40' })).toEqual(NONE);
  expect(readdirSync(caches())).toHaveLength(4);
  expect(await start({ NODE_OPTIONS: '--stack-trace-limit=40' })).toEqual(ALL);
});

test('folders of other builds and Nodes are deleted but for the newest', async () => {
  for (const build of ['a', 'b', 'c', 'd', 'e'])
    for (const user of ['command', 'program'])
      mkdirSync(path.join(caches(), `${user}-${build}`), { recursive: true });
  await start();
  const names = readdirSync(caches());
  expect(names).toHaveLength(8);
  expect(names.filter((name) => name.startsWith('command'))).toHaveLength(4);
});

test('a command that is upgraded in place runs its own code, also where the size of every file is the same', () => {
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
  const [, build = ''] = (readdirSync(caches())[0] ?? '').split('-');
  replaceIn(
    path.join(copy, 'dist', 'packs', 'command.cjs'),
    'Infrastructure as code',
    'Infrastructure in code',
  );
  replaceIn(path.join(copy, 'dist', 'start.cjs'), build, build.replaceAll(/[0-9]/g, 'f'));
  expect(before).toContain('Infrastructure as code');
  expect(help()).toBe(before.replace('Infrastructure as code', 'Infrastructure in code'));
});

function replaceIn(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'latin1');
  expect(text).toContain(from);
  writeFileSync(file, text.replaceAll(from, to));
}

test('an SDK that is upgraded in place runs its own code, also where the size of every file is the same', async () => {
  const copy = copySdk();
  expect(await start()).toEqual(NONE);
  expect(await start()).toEqual(ALL);
  const [, build = ''] = path.basename(folders()[1] ?? '').split('-');
  replaceIn(path.join(copy, 'dist', 'packs', 'program.cjs'), 'getSecret(', 'getSecreT(');
  replaceIn(path.join(copy, 'dist', 'start.cjs'), build, build.replaceAll(/[0-9]/g, 'f'));
  const { code, text } = await recordStart(box, WORDS);
  expect([code, text]).toEqual([1, expect.stringContaining('getSecret is not a function')]);
});

/** Gives the project a copy of the built SDK, and returns its folder. */
function copySdk(): string {
  const [own, copy] = [
    path.join(cairnCommand, '../../../../authors/sdk'),
    path.join(box.directory, 'node_modules', '@cairn', 'sdk'),
  ];
  for (const part of ['package.json', 'dist'])
    cpSync(path.join(own, part), path.join(copy, part), { recursive: true });
  return copy;
}

test.each<readonly [string, () => void]>([
  ['a file', () => (renameSync(home(), path.join(box.home, 'moved')), writeFileSync(home(), ''))],
  ['without room for a folder', () => writeFileSync(path.join(home(), 'cache'), '')],
  ...(isRoot ? ([["another user's", () => chownSync(home(), 12345, 12345)]] as const) : []),
])('a home that is %s makes starts slower, nothing else', async (_how, change) => {
  change();
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
  for (const run of runs) expect(run.map(([, scripts]) => scripts)).toEqual([4, 1]);
  expect(storedNames()).toEqual(STORED);
  expect(await start()).toEqual(ALL);
});

test('a command that fails stores nothing', async () => {
  const run = await recordStart(box, ['stack', 'ls', '--no-such-flag']);
  expect(run.code).toBe(2);
  expect(existsSync(caches())).toBe(false);
});

test('an error of a program has the same text and place with and without stored code, and stores nothing', async () => {
  box.write(
    'index.ts',
    "type Unused = string;\n\nfunction fails(): never {\n  throw new Error('wrong');\n}\nfails();\n",
  );
  const fail = async (env: Record<string, string> = {}): Promise<string> => {
    const run = await recordStart(box, WORDS, { env });
    expect(run.code).not.toBe(0);
    return `${run.stdout}${run.stderr}`
      .replace(/Duration: .*/, '')
      .split('\n')
      .sort()
      .join('\n');
  };
  const without = await fail({ CAIRN_NO_CODE_CACHE: '1' });
  expect(without).toContain('at fails (index.ts:4:9)');
  expect(await fail()).toBe(without);
  expect(existsSync(caches())).toBe(false);
  box.write('good.ts', PROGRAM);
  box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: good.ts\n');
  expect(await start()).toEqual(NONE);
  box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.ts\n');
  expect(await fail()).toBe(without);
});

test('stored code has no secrets', async () => {
  for (const words of [
    ['stack', 'init', 'other'],
    ['config', 'set', '--secret', 'token', 'planted-secret-value'],
    ['config', '--show-secrets'],
    ['up', '--yes'],
  ])
    expectOk(await box.start(words).finished);
  expect(storedNames()).toEqual(expect.arrayContaining(['command', 'program']));
  for (const file of stored()) {
    const text = readFileSync(file, 'latin1');
    for (const secret of ['planted-secret-value', 'test passphrase']) expect(text).not.toContain(secret);
  }
});
