import { readFileSync } from 'node:fs';
import { createSecureServer, createServer } from 'node:http2';
import type { Http2Server, ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import type { MutualTls } from './address.js';
import { frameMessage } from './framing.js';
import { Http2Caller } from './http2-caller.js';

/** Certificate of `localhost` that is its own authority, for both ends of the connections of these tests. */
const pem = (name: string) => readFileSync(path.join(__dirname, '../../test/tls', `${name}.pem`), 'utf8');
const certificate = pem('certificate');
const key = pem('key');
const BOTH: MutualTls = { serverCertificate: certificate, certificate, key };

type Answer = (stream: ServerHttp2Stream, loseConnection: () => void) => void;

const answered: Answer = (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(frameMessage(Buffer.from('answer')));
};

async function served(
  encrypted: boolean,
  answer: Answer,
  use: (address: string) => Promise<void>,
): Promise<void> {
  const options = { cert: certificate, key, ca: certificate, requestCert: true, rejectUnauthorized: true };
  const server: Http2Server = encrypted ? createSecureServer(options) : createServer();
  const sockets = new Set<Socket>();
  const loseConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('sessionError', () => {});
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {});
    stream.resume();
    stream.on('end', () => answer(stream, loseConnections));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    loseConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const call = async (caller: Http2Caller, signal?: AbortSignal) => {
  try {
    return await caller.unary('/test.Echo/Echo', Buffer.from('hello'), { signal });
  } finally {
    caller.close();
  }
};

describe.each([
  ['without encryption', undefined],
  ['with certificates on both ends', BOTH],
])('%s', (_title, tls) => {
  const failing = (answer: Answer, signal?: AbortSignal) => {
    let failure: unknown;
    return served(tls !== undefined, answer, async (address) => {
      failure = await call(new Http2Caller(address, tls), signal).catch((error: unknown) => error);
    }).then(() => failure);
  };

  test('a call is answered', async () => {
    await served(tls !== undefined, answered, async (address) => {
      expect(Buffer.from(await call(new Http2Caller(address, tls))).toString()).toBe('answer');
    });
  });

  test.each([
    ['before the answer', (_stream, lose) => lose()],
    ['with an ended session', (stream) => stream.session?.destroy()],
    [
      'in the middle of the answer',
      (stream, lose) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
        stream.write(frameMessage(Buffer.alloc(100)).subarray(0, 20), lose);
      },
    ],
  ] satisfies [string, Answer][])('a connection that is lost %s is UNAVAILABLE', async (_when, answer) => {
    expect(await failing(answer)).toMatchObject({ status: 'UNAVAILABLE' });
  });

  test('a call that the peer cancels is CANCELLED', async () => {
    expect(await failing((stream) => stream.close(8))).toMatchObject({ status: 'CANCELLED' });
  });

  test('a call that we cancel is CANCELLED, also when the connection is lost then', async () => {
    const cancel = new AbortController();
    const ending: Answer = (_stream, lose) => {
      cancel.abort();
      lose();
    };
    expect(await failing(ending, cancel.signal)).toMatchObject({ status: 'CANCELLED' });
  });
});

test('another certificate than the one that is trusted is refused', async () => {
  const other = pem('other-certificate');
  await served(true, answered, async (address) => {
    const failure = await call(new Http2Caller(address, { ...BOTH, serverCertificate: other })).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ status: 'UNAVAILABLE' });
    expect(String(failure)).toMatch(/certificate/);
  });
});
