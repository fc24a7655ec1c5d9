import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProgramInfo, RunResult } from '@cairn/wire';
import { createNodeLanguageHost, startProgramEarly } from './index.js';
import type { NodeLanguageHostOptions, WaitingProgram } from './index.js';
import { builtLoader } from './testdata/built-loader.js';

let loader: string;
let root: string;
beforeAll(() => (loader = builtLoader()));
afterAll(() => rmSync(loader, { recursive: true, force: true }));
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-waiting-')));
  write('package.json', '{"name":"p","type":"module","dependencies":{"@cairn/sdk":"*"}}');
  write('index.ts', `console.log('the program runs as ' + process.pid);`);
  const sdk = 'node_modules/@cairn/sdk';
  const exported = '"exports":{".":"./index.js","./run":"./run.js"}';
  write(`${sdk}/package.json`, `{"name":"@cairn/sdk","type":"module",${exported}}`);
  write(`${sdk}/index.js`, `console.log('the SDK is loaded');`);
  write(`${sdk}/run.js`, RUNNER);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Prints the variables of the program's process, and runs the program. */
const RUNNER = `
import '@cairn/sdk';
const names = ['KEPT', 'ALTERED', 'REMOVED', 'ADDED', 'CAIRN_MONITOR', 'CAIRN_CONFIG', 'CAIRN_DRY_RUN'];
const given = Object.fromEntries(names.map((name) => [name, process.env[name]]));
const own = Object.keys(process.env).filter((name) => /^CAIRN_(PRELOAD|LOADER)/.test(name));
console.log(JSON.stringify({ given, own, args: process.argv.slice(2), execArgs: process.execArgv }));
await import(process.env.CAIRN_PROGRAM);
`;

function write(file: string, text: string): void {
  const at = join(root, file);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, text);
}

const infoOf = (options: ProgramInfo['options'] = {}): ProgramInfo => ({
  ...{ rootDirectory: root, programDirectory: root, entryPoint: '.', options },
});
const optionsOf = (environment: Record<string, string>): NodeLanguageHostOptions => ({
  loader: join(loader, 'register.js'),
  environment: { PATH: process.env['PATH'], CAIRN_HOME: join(root, '.home'), ...environment },
});
const EARLY = { KEPT: '1', ALTERED: 'before', REMOVED: 'before' };
const LATER = { KEPT: '1', ALTERED: 'after', ADDED: 'new' };

async function run(waiting: WaitingProgram | undefined): Promise<{ result: RunResult; output: string }> {
  let output = '';
  const host = createNodeLanguageHost({ ...optionsOf(LATER), waiting: () => waiting });
  const result = await host.run({
    info: infoOf(),
    ...{ monitorAddress: 'unix:m', engineAddress: 'unix:e', project: 'p', stack: 'dev', organization: 'org' },
    ...{ config: { 'p:secret': 's3' }, configSecretKeys: ['p:secret'], dryRun: true, parallel: 4 },
    ...{ args: ['one', 'two'], onOutput: (_stream, text) => (output += text) },
  });
  await host.close();
  return { result, output };
}

const withoutPid = (text: string): string => text.replaceAll(/\d+\n/g, '');

test('a process that waited is given all that a new one is given, and shows the same', async () => {
  const fresh = await run(undefined);
  expect(fresh.output).toContain('"CAIRN_DRY_RUN":"true"');
  const told = await run(startProgramEarly(infoOf(), optionsOf(EARLY)));
  expect(withoutPid(told.output)).toBe(withoutPid(fresh.output));
  expect(told.output).toContain('"own":[],"args":["one","two"]');
  expect(told.result).toEqual(fresh.result);
});

test('it loads the SDK and nothing of the program before its instructions, and is gone when it is ended', async () => {
  const waiting = startProgramEarly(infoOf(), optionsOf(EARLY));
  await waiting?.end();
  await waiting?.end();
  const { output, result } = await run(waiting);
  expect(output.match(/the program runs/g)).toHaveLength(1);
  expect(result).toMatchObject({ t: 'ok' });
});

test.each<readonly [string, () => WaitingProgram | undefined]>([
  [
    'other arguments of node',
    () => startProgramEarly(infoOf({ nodeargs: '--no-warnings' }), optionsOf(EARLY)),
  ],
  [
    'other options of node',
    () => startProgramEarly(infoOf(), optionsOf({ ...EARLY, NODE_OPTIONS: '--no-warnings' })),
  ],
  [
    'a node that is not there',
    () => startProgramEarly(infoOf(), { ...optionsOf(EARLY), node: '/nowhere/node' }),
  ],
])('one that was started with %s is not used', async (_what, start) => {
  const waiting = start();
  const { output, result } = await run(waiting);
  await waiting?.end();
  expect(output.match(/the program runs/g)).toHaveLength(1);
  expect(result).toMatchObject({ t: 'ok' });
});

test('a program that cannot be started is not started early', () => {
  rmSync(join(root, 'node_modules'), { recursive: true });
  expect(startProgramEarly(infoOf(), optionsOf(EARLY))).toBeUndefined();
});
