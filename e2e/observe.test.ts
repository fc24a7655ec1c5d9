import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from './support/cairn.js';
import type { Sandbox } from './support/cairn.js';

/** How users look into a run (docs/observing.md). */

const bin = path.resolve(__dirname, '..', 'packages', 'testkit', 'bin');
const UP = ['up', '--yes', '--skip-preview'];

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

async function project(files: Record<string, string>): Promise<Sandbox> {
  const box = sandbox(files);
  box.env['PATH'] = `${bin}:${process.env['PATH']}`;
  boxes.push(box);
  expectOk(await box.cairn(['stack', 'init', 'dev']));
  return box;
}

interface Call {
  readonly method: string;
  readonly request?: Record<string, unknown>;
  readonly response?: Record<string, unknown>;
  readonly errors?: readonly string[];
  readonly metadata: Record<string, string>;
  readonly progress?: string;
  readonly timestamp: string;
  readonly duration?: number;
}

function callsIn(file: string): readonly Call[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Call);
}

describe('calls between processes', () => {
  const program = `
import { Config, secret } from '@cairn/sdk';
import { RandomString } from '@cairn/provider-random';

const token = new Config().requireSecret('token');
export const text = new RandomString('text', { length: 8, keepers: { token, own: secret('own-secret-text') } }).result;
`;
  const file = 'calls.jsonl';

  test.each(['CAIRN_DEBUG_GRPC', 'PULUMI_DEBUG_GRPC'])('%s: each is two lines of JSON', async (variable) => {
    const box = await project({ 'index.ts': program });
    expectOk(await box.cairn(['config', 'set', '--secret', 'token'], { input: 'planted-secret' }));
    expectOk(await box.cairn(UP, { env: { [variable]: file } }));
    const log = path.join(box.directory, file);
    const calls = callsIn(log);
    const of = (method: string): readonly Call[] => calls.filter((call) => call.method === method);

    const [begun, over] = of('/pulumirpc.ResourceProvider/Check');
    expect(Object.keys(begun ?? {})).toEqual(['method', 'request', 'metadata', 'progress', 'timestamp']);
    expect(begun).toMatchObject({
      request: { urn: 'urn:pulumi:dev::shop::cairn-random:index:String::text', news: { length: 8 } },
      metadata: { kind: 'resource', mode: 'client', name: 'cairn-random' },
      progress: 'request_started',
    });
    expect(Object.keys(over ?? {})).toEqual([
      ...['method', 'request', 'response', 'metadata', 'progress', 'timestamp', 'duration'],
    ]);
    expect(over).toMatchObject({ request: begun?.request, progress: 'response_completed' });
    expect(over?.response).toMatchObject({ inputs: { length: 8 } });
    expect(over?.duration).toBeGreaterThan(0);
    expect(Date.parse(over?.timestamp ?? '')).toBeGreaterThanOrEqual(Date.parse(begun?.timestamp ?? ''));

    // A stream: one line for each message.
    const [asked, told] = of('/cairnrpc.ProviderExtras/Create');
    expect(asked?.request).toMatchObject({ create: { properties: { length: 8 } } });
    expect(told?.response).toMatchObject({ created: { properties: { length: 8 } } });

    const registered = of('/pulumirpc.ResourceMonitor/RegisterResource');
    expect(registered.every(({ metadata }) => metadata['mode'] === 'server')).toBe(true);
    expect(registered.find(({ request }) => request?.['name'] === 'text')?.request).toMatchObject({
      custom: true,
      object: { keepers: expect.anything() },
    });
    const text = readFileSync(log, 'utf8');
    expect(text).not.toMatch(/planted-secret|own-secret-text|test passphrase/);
    expect(text).toContain('[secret]');
    expect(statSync(log).mode & 0o077).toBe(0);
  });

  test('those of a language plugin, and errors of a provider', async () => {
    const box = await project({
      'Pulumi.yaml': 'name: shop\nruntime: steps\n',
      'program.json': JSON.stringify([
        { do: 'resource', type: 'cairn-random:index:String', name: 'bad', inputs: { length: -1 } },
      ]),
    });
    const end = await box.cairn(UP, { env: { CAIRN_DEBUG_GRPC: file } });
    expect(end.code).not.toBe(0);
    const calls = callsIn(path.join(box.directory, file));
    expect(calls.find(({ method }) => method === '/pulumirpc.LanguageRuntime/Run')).toMatchObject({
      request: { project: 'shop', stack: 'dev', program: '.' },
      metadata: { kind: 'language', mode: 'client', runtime: 'steps' },
    });
    const registered = calls.filter(({ method }) => method === '/pulumirpc.ResourceMonitor/RegisterResource');
    expect(registered.flatMap(({ errors = [] }) => errors).join()).toMatch(/^rpc error: code = \w+ desc = /);
  });

  test('a file that cannot be written is refused, and nothing is done', async () => {
    const box = await project({ 'index.ts': program });
    const end = await box.cairn(UP, { env: { CAIRN_DEBUG_GRPC: 'no/such/folder/calls' } });
    expect(end.stderr).toMatch(/CAIRN-USAGE[^]*cannot write calls to[^]*CAIRN_DEBUG_GRPC/);
    expect(end.code).toBe(2);
  });
});
