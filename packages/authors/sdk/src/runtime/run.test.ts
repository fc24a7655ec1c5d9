import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import type { CallbackReference } from '@cairn/wire';
import { CallbackConnections } from '@cairn/wire/callbacks-client';
import { engineService } from '@cairn/wire/engine-server';
import { monitorService } from '@cairn/wire/monitor-server';
import { startServer } from '@cairn/wire/server';
import { FakeEngine, gone, map } from '../testdata/fake-engine.js';
import type { FakeBehaviour } from '../testdata/fake-engine.js';
import type { DeploymentSettings } from './deployment.js';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'cairn-sdk-run-'));
  bundle(path.resolve(__dirname, '..', 'run.ts'), 'run.mjs');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function bundle(entry: string, name: string, format: 'esm' | 'cjs' = 'esm'): string {
  const outfile = path.join(directory, name);
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format,
    platform: 'node',
    target: 'node20',
    conditions: ['cairn-src'],
    sourcemap: 'inline',
    logLevel: 'silent',
    banner:
      format === 'esm'
        ? {
            js: "import { createRequire as ownRequire } from 'node:module'; const require = ownRequire(import.meta.url);",
          }
        : {},
    alias: { '@cairn/sdk': path.resolve(__dirname, '..', 'index.ts') },
  });
  return outfile;
}

interface Ran {
  readonly code: number | null;
  readonly stderr: string;
  readonly engine: FakeEngine;
}

/** Runs a program's source in a process of its own against a server here. */
async function runProcess(
  source: string,
  options: {
    readonly behaviour?: FakeBehaviour;
    readonly settings?: Partial<DeploymentSettings>;
    readonly format?: 'esm' | 'cjs';
    readonly stream?: boolean;
    readonly onEngine?: (engine: FakeEngine) => void;
  } = {},
): Promise<Ran> {
  const settings: DeploymentSettings = {
    project: 'shop',
    stack: 'dev',
    organization: 'organization',
    rootDirectory: process.cwd(),
    dryRun: false,
    parallel: 4,
    config: { 'shop:size': '7' },
    configSecretKeys: [],
    ...options.settings,
  };
  const engine = new FakeEngine(settings, options.behaviour ?? {});
  options.onEngine?.(engine);
  const services = [monitorService(engine.monitor), engineService(engine.engine)];
  const server = await startServer({ services, stream: options.stream ?? true });
  writeFileSync(path.join(directory, 'program.ts'), source);
  const program = bundle(
    path.join(directory, 'program.ts'),
    options.format === 'cjs' ? 'program.cjs' : 'program.mjs',
    options.format,
  );
  try {
    const child = spawn(process.execPath, ['--enable-source-maps', path.join(directory, 'run.mjs')], {
      cwd: directory,
      env: {
        PATH: process.env['PATH'],
        CAIRN_MONITOR: server.address,
        CAIRN_ENGINE: server.address,
        CAIRN_PROJECT: settings.project,
        CAIRN_STACK: settings.stack,
        CAIRN_ORGANIZATION: settings.organization,
        CAIRN_DRY_RUN: String(settings.dryRun),
        CAIRN_PARALLEL: String(settings.parallel),
        CAIRN_CONFIG: JSON.stringify(settings.config),
        CAIRN_CONFIG_SECRET_KEYS: '[]',
        CAIRN_PROGRAM: program,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    return { code, stderr, engine };
  } finally {
    await server.close();
  }
}

const GOOD = `
import { Config, CustomResource, interpolate, secret } from '@cairn/sdk';
const size = new Config().requireNumber('size');
const a = new CustomResource('test:index:Thing', 'a', { size });
setTimeout(() => new CustomResource('test:index:Thing', 'late', { from: a.id }), 5);
export const text = interpolate\`\${a.id} has \${a.outputOf('size')}\`;
export const login = secret('hidden');
`;

describe('a program in a process of its own', () => {
  test.each<[string, 'esm' | 'cjs', boolean]>([
    ['an ES module over the framed stream', 'esm', true],
    ['an ES module over unary calls', 'esm', false],
    ['a CommonJS module', 'cjs', true],
  ])('%s registers, exports and signs off [PRG-4] [PRG-5]', async (_what, format, stream) => {
    const { code, engine, stderr } = await runProcess(GOOD, { format, stream });
    expect([code, stderr]).toEqual([0, '']);
    expect(engine.registrations.map(({ name }) => name)).toEqual(['shop-dev', 'a', 'late']);
    expect(engine.stackOutputs).toMatchObject(map({ text: 'a-id has 7' }));
    expect(engine.signedOff).toBe(1);
    const { sourcePosition } = engine.registration('a');
    expect(sourcePosition).toMatchObject({ line: 4, uri: expect.stringMatching(/program\.ts$/) as string });
  });

  test('hooks are served as long as the engine wants, and do not keep the process alive', async () => {
    const connections = new CallbackConnections();
    const box: { engine?: FakeEngine } = {};
    const answers: unknown[] = [];
    const call = async () => {
      const callback = box.engine?.hooks[0]?.callback as CallbackReference;
      const about = { urn: 'u', id: '', name: 'a', type: 't' };
      const nothing = { newInputs: undefined, oldInputs: undefined, newOutputs: undefined };
      const none = { oldOutputs: undefined, oldOptions: undefined, newOptions: undefined };
      answers.push(await connections.resourceHook(callback, { ...about, ...nothing, ...none }));
    };
    const source = `
import { CustomResource, ResourceHook } from '@cairn/sdk';
const hook = new ResourceHook('h', async ({ name }) => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  throw new Error('called for ' + name);
});
new CustomResource('test:index:Thing', 'a', {}, { hooks: { beforeCreate: [hook], beforeDelete: [hook] } });
`;
    const behaviour: FakeBehaviour = {
      register: async ({ name }) => {
        if (name === 'a') await call();
        return {};
      },
      end: call,
    };
    const { code, stderr } = await runProcess(source, { behaviour, onEngine: (made) => (box.engine = made) });
    connections.close();
    expect([code, stderr]).toEqual([0, '']);
    expect(answers).toEqual([{ error: 'called for a' }, { error: 'called for a' }]);
  });

  test.each<[string, string, number, RegExp | undefined]>([
    ['throws', `throw new Error('no luck');`, 32, /^CAIRN-PROGRAM-FAILED: no luck\n {4}at program\.ts:1:7/],
    [
      'rejects',
      `Promise.reject(new Error('softly'));`,
      32,
      /^CAIRN-PROGRAM-FAILED: softly\n {4}at program\.ts:1:16/,
    ],
    [
      'throws later',
      `setTimeout(() => { throw new TypeError('late'); }, 5);`,
      32,
      /^CAIRN-PROGRAM-FAILED: TypeError: late\n {4}at .*program\.ts:1:26/,
    ],
    ['calls process.exit', `process.exit(3);`, 3, undefined],
    ['calls process.exit as if all were well', `process.exit(0);`, 1, undefined],
    [
      'throws an error about a resource',
      `import { CustomResource, ResourceError } from '@cairn/sdk';\nthrow new ResourceError('is odd', new CustomResource('a:b:C', 'x'));`,
      32,
      /^CAIRN-RESOURCE-OPTION: x \[a:b:C\]: is odd\n {4}at program\.ts:2:\d+$/,
    ],
    [
      'misses configuration',
      `import { Config } from '@cairn/sdk';\nnew Config().require('none');`,
      32,
      /^CAIRN-CONFIG-MISSING: configuration value "shop:none" is not set; .*cairn config set shop:none <value>\n {4}at program\.ts:2:\d+$/,
    ],
    ['waits for itself', `await new Promise(() => {});`, 32, /waits for something that is never resolved/],
  ])('a program that %s [PRG-5]', async (_what, source, exit, message) => {
    const { code, engine } = await runProcess(source);
    expect(code).toBe(exit);
    expect(engine.logs.map(({ severity }) => severity)).toEqual(message === undefined ? [] : ['error']);
    if (message !== undefined) expect(engine.logs[0]?.message).toMatch(message);
    expect(engine.signedOff).toBe(0);
  });

  test('a monitor that goes away ends it with 32 and no word [PRG-5]', async () => {
    const { code, engine, stderr } = await runProcess(GOOD, {
      behaviour: { register: async ({ name }) => (name === 'a' ? gone() : {}) },
    });
    expect([code, engine.logs, stderr]).toEqual([32, [], '']);
  });
});

test('the runner says who starts it when its environment is missing', async () => {
  const child = spawn(process.execPath, [path.join(directory, 'run.mjs')], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(1);
  expect(stderr).toMatch(/CAIRN_MONITOR is not set.*cairn up/);
});

test('the runner loads no gRPC server and no general client', () => {
  expect(readFileSync(path.join(directory, 'run.mjs'), 'utf8')).not.toContain('@grpc/grpc-js');
});
