import { chmodSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Ways in which users look into a run (docs/observing.md). */

const bin = path.resolve(__dirname, '..', '..', 'packages', 'testing', 'testkit', 'bin');
const UP = ['up', '--yes', '--skip-preview'];

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

async function project(files: Record<string, string>): Promise<Sandbox> {
  const box = sandbox(files);
  box.env['PATH'] = `${bin}:${process.env['PATH']}`;
  boxes.push(box);
  giveStack(box);
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

const small = `
import { LocalFile } from '@cairn/provider-local';
export const file = new LocalFile('note', { path: 'note.txt', content: 'text' }).path;
`;
const STEPS = {
  'Pulumi.yaml': 'name: shop\nruntime: steps\n',
  'program.json': JSON.stringify([{ do: 'component', type: 'shop:index:Shelf', name: 'books' }]),
};

describe('the log of a run', () => {
  const lines = (text: string): readonly Record<string, unknown>[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{"time"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test('is on stderr, the more the higher the level, and plugins are told', async () => {
    const box = await project(STEPS);
    // Runs in front of the plugin and records its words.
    box.write(
      'bin/pulumi-language-steps',
      `#!/bin/sh\necho "$@" > ${box.directory}/words\nexec ${bin}/pulumi-language-steps "$@"\n`,
    );
    chmodSync(path.join(box.directory, 'bin/pulumi-language-steps'), 0o755);
    box.env['PATH'] = `${box.directory}/bin:${box.env['PATH']}`;
    const one = expectOk(await box.cairn(['-v=1', '--logtostderr', ...UP]));
    expect(lines(one.stderr)[0]).toMatchObject({ level: 'INFO', msg: 'command', command: 'up', v: 1 });
    expect(lines(one.stderr).at(-1)).toMatchObject({ msg: 'command ended', code: 0 });
    expect(readFileSync(path.join(box.directory, 'words'), 'utf8')).toMatch(/^127\.0\.0\.1:\d+\n$/);

    const nine = expectOk(await box.cairn(['-v=9', '--logtostderr', '--logflow', ...UP]));
    const told = lines(nine.stderr).map(({ msg }) => msg);
    expect(told).toEqual(
      expect.arrayContaining(['operation started', 'step ended', 'call ended', 'operation ended']),
    );
    expect(lines(one.stderr).map(({ msg }) => msg)).not.toContain('step ended');
    expect(readFileSync(path.join(box.directory, 'words'), 'utf8')).toMatch(
      /^--logtostderr -v=9 127\.0\.0\.1:\d+\n$/,
    );
    expect(nine.stderr).not.toContain('test passphrase');
  });

  test('is in a file whose name is told at the end', async () => {
    const box = await project({ 'index.ts': small });
    const quiet = expectOk(await box.cairn(['--logtostderr', ...UP]));
    expect(lines(quiet.stderr)).toEqual([]);
    const end = expectOk(await box.cairn(['-v=5', ...UP], { env: { TMPDIR: box.home } }));
    const file = /^The log file for this run is at (\S+)$/m.exec(end.stderr)?.[1] ?? '';
    expect(path.basename(file)).toMatch(/^cairn\..*\.log\.INFO\.\d{8}-\d{6}\.\d+$/);
    expect(lines(readFileSync(file, 'utf8')).map(({ msg }) => msg)).toContain('step started');
    expect(statSync(file).mode & 0o077).toBe(0);
  });
});

interface OtlpSpan {
  readonly spanId: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status?: { readonly code?: number };
}

interface Otlp {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

describe('spans', () => {
  const spansIn = (documents: readonly Otlp[]): readonly OtlpSpan[] =>
    documents.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  /** Names from a span to the root. */
  const way = (spans: readonly OtlpSpan[], of: OtlpSpan | undefined): readonly string[] =>
    of === undefined
      ? []
      : [
          of.name,
          ...way(
            spans,
            spans.find(({ spanId }) => spanId === of.parentSpanId),
          ),
        ];

  test.each(['--otel-traces', '--tracing'])(
    '%s: one tree in a file, down to steps and calls',
    async (flag) => {
      const box = await project(STEPS);
      expectOk(await box.cairn([flag, 'file:trace.json', ...UP]));
      const documents = readFileSync(path.join(box.directory, 'trace.json'), 'utf8').trimEnd().split('\n');
      const spans = spansIn(documents.map((line) => JSON.parse(line) as Otlp));
      expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)).toEqual([
        'cairn',
      ]);
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
      const one = (name: string): OtlpSpan | undefined => spans.find((span) => span.name === name);
      expect(way(spans, one('step create'))).toEqual(['step create', 'cairn-plan', 'cairn']);
      expect(way(spans, one('pulumirpc.ResourceMonitor/RegisterResource')).at(-1)).toBe('cairn');
      expect(way(spans, one('pulumirpc.LanguageRuntime/Run'))).toContain('cairn');
    },
  );

  test('are sent to a collector and to a Zipkin server; who cannot be reached is told', async () => {
    const box = await project({ 'index.ts': small });
    const got: { path: string | undefined; body: string }[] = [];
    const server = createServer((request, answer) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        got.push({ path: request.url, body });
        answer.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expectOk(await box.cairn(['--otel-traces', address, 'preview']));
      expect(got.every(({ path: at }) => at === '/v1/traces')).toBe(true);
      const spans = spansIn(got.map(({ body }) => JSON.parse(body) as Otlp));
      expect(spans.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['cairn', 'cairn-plan', 'step create']),
      );
      got.length = 0;
      expectOk(await box.cairn(['--tracing', `${address}/api/v2/spans`, 'preview']));
      expect(got.map(({ path: at }) => at)).toEqual(['/api/v2/spans']);
      const zipkin = JSON.parse(got[0]?.body ?? '[]') as readonly { name: string; localEndpoint: object }[];
      expect(zipkin).toContainEqual(
        expect.objectContaining({ name: 'cairn', localEndpoint: { serviceName: 'cairn-cli' } }),
      );
    } finally {
      server.close();
    }
    const end = expectOk(await box.cairn(['--otel-traces', 'http://127.0.0.1:9', 'whoami']));
    expect(end.stderr).toContain('spans were not delivered');
  });
});

test('--profiling writes where time and memory went', async () => {
  const box = await project({ 'index.ts': small });
  expectOk(await box.cairn(['--profiling', 'up', '--memprofilerate', '4096', 'preview']));
  const files = readdirSync(box.directory).filter((name) => /^up\.\d+\.(?:cpu|heap)profile$/.test(name));
  expect(files.map((name) => name.split('.').at(-1)).sort()).toEqual(['cpuprofile', 'heapprofile']);
  for (const name of files)
    expect(JSON.parse(readFileSync(path.join(box.directory, name), 'utf8'))).toHaveProperty(
      name.endsWith('cpuprofile') ? 'nodes' : 'head',
    );
  const end = await box.cairn(['--profiling', 'no/such/folder/up', 'preview']);
  expect(end.stderr).toContain('cannot write the profile');
});

test.each([
  ['calls', { CAIRN_DEBUG_GRPC: '/dev/full' }, []],
  ['spans', {}, ['--otel-traces', 'file:/dev/full']],
])('a disk that is full for %s is a warning, and the update goes on to its end', async (what, env, flags) => {
  const box = await project({ 'index.ts': small });
  const end = expectOk(await box.cairn([...UP, ...flags], { env }));
  expect(end.stdout).toMatch(/\+ 2/);
  expect(end.stderr).toMatch(new RegExp(`^warning: .*cannot write ${what} to /dev/full: ENOSPC`, 'm'));
});

/**
 * Returns the debuggable targets at a port, once its process listens there, which is a moment after it was announced.
 */
async function targets(port: number): Promise<readonly { readonly webSocketDebuggerUrl: string }[]> {
  for (;;) {
    const list = await fetch(`http://127.0.0.1:${port}/json`).catch(() => undefined);
    if (list !== undefined) return (await list.json()) as Awaited<ReturnType<typeof targets>>;
    await pause(10);
  }
}

/** Sends what a debugger sends to a Node process that waits for it: two messages of the inspector's protocol. */
async function letGo(port: number): Promise<void> {
  const [target] = await targets(port);
  const { pathname } = new URL(target?.webSocketDebuggerUrl ?? '');
  const socket = connect(port, '127.0.0.1');
  const heard = (): Promise<string> =>
    new Promise((resolve, reject) => {
      socket.once('data', (chunk: Buffer) => resolve(chunk.toString()));
      socket.once('error', reject);
    });
  const lines = [
    ...[`GET ${pathname} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Upgrade: websocket', 'Connection: Upgrade'],
    ...['Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', 'Sec-WebSocket-Version: 13', '', ''],
  ];
  socket.write(lines.join('\r\n'));
  await heard();
  const text = Buffer.from('{"id":1,"method":"Runtime.runIfWaitingForDebugger"}');
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
  expect(await heard()).toContain('"id":1');
  socket.end();
}

describe('a debugger', () => {
  interface Told {
    readonly startDebuggingEvent?: { readonly config: Record<string, unknown> };
  }
  const configs = (box: Sandbox): readonly Record<string, unknown>[] =>
    readFileSync(path.join(box.directory, 'events'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as Told).startDebuggingEvent?.config)
      .filter((config) => config !== undefined);

  test('is waited for by a Node program, which goes on once one has come', async () => {
    const box = await project({ 'index.ts': small });
    const running = box.start(['preview', '--attach-debugger', '--event-log', 'events']);
    await running.shown(/Waiting for debugger to attach \(on process id \d+/);
    // The log is written beside the display.
    while (configs(box).length === 0) await pause(10);
    await running.shown('warning[CAIRN-DEBUGGER-OPEN]');
    const [config] = configs(box);
    expect(config).toMatchObject({ type: 'node', request: 'attach', processId: expect.any(Number) });
    await letGo(Number(config?.['port'] ?? 9229));
    const end = expectOk(await running.finished);
    expect(end.stdout).toMatch(/\+ 2/);
  });

  test('is waited for by the host of another language, which says how; nobody is told without the flag', async () => {
    const box = await project(STEPS);
    const end = expectOk(await box.cairn(['preview', '--attach-debugger=all', '--event-log', 'events']));
    expect(end.text).toContain('Waiting for debugger to attach (at its first step)...');
    expect(configs(box)).toEqual([{ request: 'attach', type: 'steps' }]);
    expect(expectOk(await box.cairn(['preview', '--attach-debugger=plugins'])).text).not.toContain(
      'debugger',
    );
  });
});

test('a plugin that is run by hand may ask for schemas', async () => {
  const box = await project({ 'index.ts': small });
  const script =
    'const [host, port] = process.env.PULUMI_RPC_TARGET.split(":"); import("node:net").then(({ connect }) => connect(port, host, () => { console.log("heard", process.argv.slice(2).join()); process.exit(3); }));';
  box.write('pulumi-tool-asking', `#!/usr/bin/env node\n${script}\n`);
  chmodSync(path.join(box.directory, 'pulumi-tool-asking'), 0o755);
  const end = await box.cairn(['plugin', 'run', './pulumi-tool-asking', 'a', 'b']);
  expect([end.stdout, end.code]).toEqual(['heard a,b\n', 3]);
});
