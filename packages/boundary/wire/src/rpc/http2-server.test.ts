import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { StatusError } from '../contracts/status.js';
import { Http2Caller } from './http2-caller.js';
import { startHttp2Server } from './http2-server.js';
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
  const server = await startHttp2Server([service, streamed]);
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
  const server = await startHttp2Server([service], { address });
  const caller = new Http2Caller(server.address);
  expect(text(await caller.unary('/test.Echo/Echo', Buffer.from('hello')))).toBe('hello');
  await expect(startHttp2Server([service], { address })).rejects.toThrow(/EADDRINUSE/);
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
