import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, compressionAlgorithms, credentials } from '@grpc/grpc-js';
import { StatusError } from '../contracts/status.js';
import { Http2Caller } from './http2-caller.js';
import { startServer } from './server.js';
import { StreamCaller } from './stream-caller.js';
import type { Service, UnaryHandler } from './service.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

function unary(handlers: Record<string, UnaryHandler>): Service {
  const paths = Object.entries(handlers).map(([name, handler]) => [`/test.Echo/${name}`, handler] as const);
  return { name: 'test.Echo', unary: new Map(paths), streams: new Map() };
}

const streamed: Service = {
  name: 'test.Streams',
  unary: new Map(),
  streams: new Map([
    [
      '/test.Streams/Twice',
      async function* (body) {
        yield body;
        if (text(body) === 'fail') throw new StatusError('ABORTED', 'halfway');
        yield body;
      },
    ],
    [
      '/test.Streams/Long',
      async function* () {
        for (let count = 0; count < 200; count += 1) yield Buffer.alloc(100_000, count);
      },
    ],
  ]),
};

const service = unary({
  Echo: async (body) => body,
  Header: async (_, { metadata }) => Buffer.from(metadata('x-name') ?? ''),
  Fail: async () => {
    throw new StatusError('FAILED_PRECONDITION', 'not möglich: 100 %\nreally');
  },
  Throw: async () => {
    throw new Error('plain');
  },
});

async function served(use: (caller: Http2Caller, address: string) => Promise<void>): Promise<void> {
  const server = await startServer({ services: [service, streamed] });
  const caller = new Http2Caller(server.address);
  try {
    await use(caller, server.address);
  } finally {
    caller.close();
    await server.close();
  }
}

test('messages small, empty and large, side by side', async () => {
  await served(async (caller) => {
    const bodies = [Buffer.alloc(0), Buffer.from('a'), Buffer.alloc(3_000_000, 7)];
    const answers = await Promise.all(bodies.map((body) => caller.unary('/test.Echo/Echo', body)));
    expect(answers.map((answer, index) => Buffer.compare(answer, bodies[index] as Buffer))).toEqual([
      0, 0, 0,
    ]);
    const header = await caller.unary('/test.Echo/Header', Buffer.alloc(0), { metadata: { 'x-name': 'n' } });
    expect(text(header)).toBe('n');
  });
});

test('at a socket file', async () => {
  const address = `unix:${path.join(mkdtempSync(path.join(tmpdir(), 'http2-')), 'socket')}`;
  const server = await startServer({ services: [service], address });
  const caller = new Http2Caller(server.address);
  expect(text(await caller.unary('/test.Echo/Echo', Buffer.from('hello')))).toBe('hello');
  await expect(startServer({ services: [service], address })).rejects.toThrow(/EADDRINUSE/);
  caller.close();
  await server.close();
});

test('errors have their status and text', async () => {
  await served(async (caller) => {
    await expect(caller.unary('/test.Echo/Fail', Buffer.alloc(0))).rejects.toMatchObject({
      status: 'FAILED_PRECONDITION',
      message: 'not möglich: 100 %\nreally',
    });
    await expect(caller.unary('/test.Echo/Throw', Buffer.alloc(0))).rejects.toMatchObject({
      status: 'UNKNOWN',
      message: 'plain',
    });
    await expect(caller.unary('/test.Echo/Nothing', Buffer.alloc(0))).rejects.toMatchObject({
      status: 'UNIMPLEMENTED',
    });
  });
});

test('a general client understands it', async () => {
  await served(async (_, address) => {
    const client = new Client(address, credentials.createInsecure());
    const same = (bytes: Buffer): Buffer => bytes;
    const call = (path: string) =>
      new Promise<string>((resolve, reject) => {
        client.makeUnaryRequest(path, same, same, Buffer.from('hello'), (error, answer) => {
          if (error === null) resolve(text(answer as Buffer));
          else reject(error);
        });
      });
    expect(await call('/test.Echo/Echo')).toBe('hello');
    await expect(call('/test.Echo/Fail')).rejects.toMatchObject({
      code: 9,
      details: 'not möglich: 100 %\nreally',
    });
    client.close();
  });
});

test('a compressed message is refused by its status', async () => {
  await served(async (_, address) => {
    const client = new Client(address, credentials.createInsecure(), {
      'grpc.default_compression_algorithm': compressionAlgorithms.gzip,
    });
    const same = (bytes: Buffer): Buffer => bytes;
    const failure = await new Promise((resolve) => {
      client.makeUnaryRequest('/test.Echo/Echo', same, same, Buffer.alloc(5000), resolve);
    });
    expect(failure).toMatchObject({ code: 12, details: 'compressed messages are not supported' });
    client.close();
  });
});

test('calls with more bytes than the buffer of a socket file holds do not wait for each other', async () => {
  const address = `unix:${path.join(mkdtempSync(path.join(tmpdir(), 'http2-')), 'socket')}`;
  const server = await startServer({ services: [service], address, stream: true });
  const caller = new StreamCaller(address);
  const body = Buffer.alloc(1300);
  const calls = Array.from({ length: 5000 }, () => caller.unary('/test.Echo/Echo', body));
  const answers = await Promise.all(calls);
  expect(answers.every(({ length }) => length === 1300)).toBe(true);
  caller.close();
  await server.close();
});

test('a stream that is faster than its connection waits for it', async () => {
  await served(async (caller) => {
    let bytes = 0;
    for await (const message of caller.serverStream('/test.Streams/Long', Buffer.alloc(0)))
      bytes += message.length;
    expect(bytes).toBe(20_000_000);
  });
});

test('several answers come as they are given, and an error after them', async () => {
  await served(async (caller) => {
    const got: string[] = [];
    const ask = async (word: string): Promise<void> => {
      for await (const answer of caller.serverStream('/test.Streams/Twice', Buffer.from(word)))
        got.push(text(answer));
    };
    await ask('a');
    await expect(ask('fail')).rejects.toMatchObject({ status: 'ABORTED', message: 'halfway' });
    expect(got).toEqual(['a', 'a', 'fail']);
  });
});

test('who asks for a stream of both sides where there is none is told so, and asks one by one', async () => {
  await served(async (_, address) => {
    const caller = new StreamCaller(address);
    expect(text(await caller.unary('/test.Echo/Echo', Buffer.from('hello')))).toBe('hello');
    caller.close();
  });
});
