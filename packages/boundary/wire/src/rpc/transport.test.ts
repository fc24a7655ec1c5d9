import { once } from 'node:events';
import { connect } from 'node:net';
import { Client, credentials } from '@grpc/grpc-js';
import { propertyMap } from '@cairn/values';
import { withLoopback } from '../../test/loopback.js';
import { StatusError } from '../contracts/status.js';
import { CallbacksClient } from '../callbacks/client.js';
import { callbacksService } from '../callbacks/server.js';
import { EngineClient } from '../engine/client.js';
import { engineService } from '../engine/server.js';
import type { EngineService, LogRequest } from '../contracts/engine-service.js';
import { Frames } from '../generated/cairn/stream.js';
import { HealthCheckResponse } from '../generated/grpc/health/v1/health.js';
import { healthService } from '../health/server.js';
import { MessageAssembler, frameMessage } from './framing.js';
import { Http2Caller } from './http2-caller.js';
import { EMPTY_FRAME } from './frame-queue.js';
import { MAX_MESSAGE_BYTES } from './limits.js';
import { startServer } from './server.js';
import type { Service, UnaryHandler } from './service.js';
import { StreamCaller } from './stream-caller.js';
import { serveFrames } from './stream-server.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

function unary(handlers: Record<string, UnaryHandler>): Service {
  const paths = Object.entries(handlers).map(([name, handler]) => [`/test.Echo/${name}`, handler] as const);
  return { name: 'test.Echo', unary: new Map(paths), streams: new Map() };
}

/** Returns a promise and the function that fulfils it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('one stream', () => {
  test('answers come in the order they are ready', async () => {
    const first = gate();
    const service = unary({
      Echo: async (body) => {
        if (text(body) === 'slow') await first.opened;
        return body;
      },
    });
    await withLoopback([service], 'stream', async (caller) => {
      const order: string[] = [];
      const call = (body: string) =>
        caller.unary('/test.Echo/Echo', Buffer.from(body)).then((answer) => order.push(text(answer)));
      const slow = call('slow');
      await Promise.all([call('a'), call('b')]);
      first.open();
      await slow;
      expect(order).toEqual(['a', 'b', 'slow']);
    });
  });

  test('a thousand calls in flight, large ones among them, each get their own answer', async () => {
    await withLoopback([unary({ Echo: async (body) => body })], 'stream', async (caller) => {
      const calls = Array.from({ length: 1000 }, (_item, index) => {
        const body = Buffer.alloc(index % 100 === 0 ? 300_000 : 10, index % 251);
        return caller.unary('/test.Echo/Echo', body).then((answer) => Buffer.compare(answer, body));
      });
      expect(new Set(await Promise.all(calls))).toEqual(new Set([0]));
    });
  });

  test('a turn starts a limited number of calls, and later turns the rest in order', async () => {
    const started: string[] = [];
    let inFirstTurn = 0;
    const service = unary({
      Echo: (body) => {
        started.push(text(body));
        if (started.length === 1) queueMicrotask(() => (inFirstTurn = started.length));
        return Promise.resolve(body);
      },
    });
    const bodies = Array.from({ length: 200 }, (_body, index) => String(index));
    await withLoopback([service], 'stream', async (caller) => {
      await Promise.all(bodies.map((body) => caller.unary('/test.Echo/Echo', Buffer.from(body))));
    });
    expect(inFirstTurn).toBe(128);
    expect(started).toEqual(bodies);
  });

  test('a message may have any number of frames', () => {
    const server = serveFrames(new Map(), { send: () => true, onDrain: () => undefined });
    const cancel = { ...EMPTY_FRAME, cancel: true };
    expect(() =>
      server.receive(Frames.encode({ frames: Array.from({ length: 300_000 }, () => cancel) }).finish()),
    ).not.toThrow();
    server.abort();
  });

  test('falls back to unary calls where it is not offered, losing none', async () => {
    const server = await startServer({ services: [unary({ Echo: async (body) => body })] });
    const caller = new StreamCaller(server.address);
    try {
      const early = ['a', 'b'].map((body) => caller.unary('/test.Echo/Echo', Buffer.from(body)));
      expect((await Promise.all(early)).map(text)).toEqual(['a', 'b']);
      expect(caller.usesStream).toBe(false);
      expect(text(await caller.unary('/test.Echo/Echo', Buffer.from('late')))).toBe('late');
    } finally {
      caller.close();
      await server.close();
    }
  });

  test('an unknown method is UNIMPLEMENTED and the stream goes on', async () => {
    await withLoopback([unary({ Echo: async (body) => body })], 'stream', async (caller) => {
      expect(text(await caller.unary('/test.Echo/Echo', Buffer.from('x')))).toBe('x');
      await expect(caller.unary('/test.Echo/None', Buffer.from('x'))).rejects.toMatchObject({
        status: 'UNIMPLEMENTED',
      });
      expect(text(await caller.unary('/test.Echo/Echo', Buffer.from('y')))).toBe('y');
    });
  });

  test('bytes that are no frames end the stream and nothing else', async () => {
    await withLoopback([unary({ Echo: async (body) => body })], 'stream', async (caller, address) => {
      const raw = new Http2Caller(address);
      const ended = new Promise<StatusError | undefined>((resolve) => {
        const call = raw.open('/cairnrpc.Stream/Open', {}, { onMessage: () => {}, onEnd: resolve });
        call.send(Buffer.from([0x0a, 0xff, 0x01]));
      });
      expect(await ended).toMatchObject({ status: 'INVALID_ARGUMENT' });
      raw.close();
      expect(text(await caller.unary('/test.Echo/Echo', Buffer.from('x')))).toBe('x');
    });
  });

  test('calls under way fail with UNAVAILABLE when the server goes', async () => {
    const reached = gate();
    const server = await startServer({
      services: [
        unary({
          Hang: async () => {
            reached.open();
            return new Promise(() => {});
          },
        }),
      ],
      stream: true,
    });
    const caller = new StreamCaller(server.address);
    const hanging = expect(caller.unary('/test.Echo/Hang', Buffer.alloc(0))).rejects.toMatchObject({
      status: 'UNAVAILABLE',
    });
    await reached.opened;
    await server.close();
    await hanging;
    caller.close();
  });
});

describe.each(['unary', 'stream'] as const)('over %s', (transport) => {
  test('a cancelled call ends here and is aborted there', async () => {
    const reached = gate();
    const aborted = gate();
    const service = unary({
      Hang: (_body, context) => {
        context.signal.addEventListener('abort', () => aborted.open());
        reached.open();
        return new Promise(() => {});
      },
      Echo: async (body) => body,
    });
    await withLoopback([service], transport, async (caller) => {
      await caller.unary('/test.Echo/Echo', Buffer.alloc(0));
      const stop = new AbortController();
      const call = caller.unary('/test.Echo/Hang', Buffer.alloc(0), { signal: stop.signal });
      const ended = expect(call).rejects.toMatchObject({ status: 'CANCELLED' });
      await reached.opened;
      stop.abort();
      await ended;
      await aborted.opened;
    });
  });

  test('20 MiB there and back', async () => {
    await withLoopback([unary({ Echo: async (body) => body })], transport, async (caller) => {
      const body = Buffer.alloc(20 * 1024 * 1024, 7);
      expect(Buffer.compare(await caller.unary('/test.Echo/Echo', body), body)).toBe(0);
      await caller.unary('/test.Echo/Echo', Buffer.alloc(0));
    });
  });

  test('errors keep status, text and details', async () => {
    const details = [{ type: 'x.Y', value: Buffer.from([1, 2]) }];
    const service = unary({
      Fail: async () => {
        throw new StatusError('DATA_LOSS', 'naïve\n100%', undefined, details);
      },
      Echo: async (body) => body,
    });
    await withLoopback([service], transport, async (caller) => {
      await caller.unary('/test.Echo/Echo', Buffer.alloc(0));
      const error = await caller.unary('/test.Echo/Fail', Buffer.alloc(0)).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ status: 'DATA_LOSS', message: 'naïve\n100%' });
      expect((error as StatusError).details.map(({ type, value }) => [type, [...value]])).toEqual([
        ['x.Y', [1, 2]],
      ]);
    });
  });

  test('engine: every method arrives as it was sent', async () => {
    const seen: unknown[] = [];
    const engine: EngineService = {
      log: async (request) => void seen.push(request),
      getRootResource: async () => 'urn',
      setRootResource: async (urn) => void seen.push(urn),
      startDebugging: async (request) => void seen.push(request),
      requirePulumiVersion: async (range) => {
        throw new StatusError('FAILED_PRECONDITION', `not in ${range}`);
      },
    };
    const severities: readonly LogRequest['severity'][] = ['debug', 'info', 'warning', 'error'];
    const logs = severities.map((severity) => ({
      severity,
      message: 'm',
      urn: 'u',
      streamId: -3,
      ephemeral: true,
    }));
    await withLoopback([engineService(engine)], transport, async (caller) => {
      const client = new EngineClient(caller);
      for (const log of logs) await client.log(log);
      const debugging = { config: propertyMap({ type: 'node', port: 9230 }), message: 'd' };
      await client.setRootResource('root');
      await client.startDebugging(debugging);
      expect(await client.getRootResource()).toBe('urn');
      await expect(client.requirePulumiVersion('>=9')).rejects.toThrow('not in >=9');
      expect(seen).toEqual([...logs, 'root', debugging]);
    });
  });

  test('callbacks: an empty answer is an answer', async () => {
    const service = callbacksService({
      invoke: async (token, request) =>
        token === 'empty' ? new Uint8Array() : Buffer.concat([request, request]),
    });
    await withLoopback([service], transport, async (caller) => {
      const client = new CallbacksClient(caller);
      expect(text(await client.invoke('twice', Buffer.from('ab')))).toBe('abab');
      expect(await client.invoke('empty', Buffer.from('ab'))).toHaveLength(0);
    });
  });

  test('health', async () => {
    await withLoopback([healthService()], transport, async (caller) => {
      const answer = await caller.unary('/grpc.health.v1.Health/Check', new Uint8Array());
      expect(HealthCheckResponse.decode(answer).status).toBe(1);
      const unknown = caller.unary('/grpc.health.v1.Health/Check', Buffer.from([10, 1, 120]));
      await expect(unknown).rejects.toMatchObject({ status: 'NOT_FOUND' });
    });
  });
});

describe('connections', () => {
  test('one that cannot be made is UNAVAILABLE, and a later call tries again', async () => {
    const server = await startServer({ services: [unary({ Echo: async (body) => body })] });
    const caller = new Http2Caller(server.address);
    await caller.unary('/test.Echo/Echo', Buffer.alloc(0));
    await server.close();
    await expect(caller.unary('/test.Echo/Echo', Buffer.alloc(0))).rejects.toMatchObject({
      status: 'UNAVAILABLE',
    });
    const again = await startServer({
      services: [unary({ Echo: async (body) => body })],
      address: server.address,
    });
    try {
      expect(text(await caller.unary('/test.Echo/Echo', Buffer.from('back')))).toBe('back');
    } finally {
      caller.close();
      await again.close();
    }
  });

  test('a server ends although a client does not hang up', async () => {
    const server = await startServer({ services: [healthService()] });
    const client = connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true });
    client.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    client.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    await once(client, 'data');
    await server.close(20);
    client.destroy();
  });

  test('an address in another form is refused', () => {
    expect(() => new Http2Caller('nowhere')).toThrow(RangeError);
    expect(() => new Http2Caller('127.0.0.1:99999')).toThrow(RangeError);
  });

  test('a general gRPC client is understood', async () => {
    const service = unary({ Echo: async (body) => body });
    const server = await startServer({ services: [service] });
    const client = new Client(server.address, credentials.createInsecure());
    const same = (bytes: Buffer): Buffer => bytes;
    try {
      const answer = await new Promise((resolve, reject) => {
        client.makeUnaryRequest('/test.Echo/Echo', same, same, Buffer.from('hi'), (error, value) =>
          error === null ? resolve(value) : reject(error),
        );
      });
      expect(answer).toEqual(Buffer.from('hi'));
    } finally {
      client.close();
      await server.close();
    }
  });

  test('a message above 400 MiB is refused on both sides', () => {
    expect(MAX_MESSAGE_BYTES).toBe(419_430_400);
    const huge = { length: MAX_MESSAGE_BYTES + 1 } as Uint8Array;
    expect(() => frameMessage(huge)).toThrow(/larger than the limit/);
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(MAX_MESSAGE_BYTES + 1, 1);
    expect(() => new MessageAssembler().push(prefix, () => {})).toThrow(/larger than the limit/);
  });

  test('messages are put together from any chunks', () => {
    const whole = Buffer.concat(['', 'a', 'bcd'].map((body) => frameMessage(Buffer.from(body))));
    for (let size = 1; size <= whole.length; size++) {
      const got: string[] = [];
      const assembler = new MessageAssembler();
      for (let at = 0; at < whole.length; at += size) {
        assembler.push(whole.subarray(at, at + size), (message) => got.push(text(message)));
      }
      expect(got).toEqual(['', 'a', 'bcd']);
      expect(assembler.partial).toBe(false);
    }
  });
});
