import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import process from 'node:process';
import { Http2Caller } from '../http2-caller.js';
import { startServer } from '../grpc-server.js';
import { startUnaryServer } from '../http2-server.js';
import type { Service } from '../service.js';
import { privateSocket } from '../private-socket.js';
import { sameUserGuard } from './peer-guard.js';

/** Connections of a second user of the machine, made by a real process of `nobody`. */

const NOBODY = 65_534;
const cannot = process.platform !== 'linux' || process.geteuid?.() !== 0;
/** Only root can start a process of another user, and only Linux tells whose a socket is. */
const asRoot = cannot ? describe.skip : describe;

const echo: Service = {
  name: 'test.Echo',
  unary: new Map([['/test.Echo/Echo', async (body) => body]]),
  streams: new Map(),
};

/** Runs a script as a user; gives what it wrote. */
async function run(uid: number, script: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['-e', script, '--', ...args], {
    uid,
    gid: uid,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
}

/** Calls `/test.Echo/Echo` at the address and writes the answer, or the error. */
const CALL = `
const address = process.argv.at(-1);
const socket = address.startsWith('unix:')
  ? require('net').connect(address.slice(5))
  : require('net').connect(Number(address.split(':')[1]), '127.0.0.1');
const session = require('http2').connect('http://localhost', { createConnection: () => socket });
const stream = session.request({ ':method': 'POST', ':path': '/test.Echo/Echo', te: 'trailers', 'content-type': 'application/grpc' });
const end = (text) => { process.stdout.write(text); process.exit(); };
socket.on('error', (error) => end('error ' + error.code));
session.on('error', (error) => end('error ' + (error.code ?? error.message)));
stream.on('error', (error) => end('error ' + (error.code ?? error.message)));
stream.on('data', (data) => end('answer ' + data.subarray(5)));
stream.on('close', () => end('closed'));
stream.end(Buffer.from([0, 0, 0, 0, 2, 104, 105]));
`;

asRoot('a second user', () => {
  test('is not answered at a port, and is named once; our own user is answered', async () => {
    const said: string[] = [];
    const guard = sameUserGuard({ onRefused: (who) => said.push(who) });
    const server = await startServer({ services: [echo], guard });
    const unary = await startUnaryServer([echo]);
    try {
      for (const { address } of [server, server, unary])
        expect(await run(NOBODY, CALL, address)).toMatch(/^(error|closed)/);
      expect(await run(0, CALL, server.address)).toBe('answer hi');
      expect(await run(0, CALL, unary.address)).toBe('answer hi');
      expect(said).toEqual([expect.stringMatching(/^process \d+ of user nobody \(uid 65534\)$/)]);
    } finally {
      await Promise.all([server.close(), unary.close()]);
    }
  });

  test('cannot reach a socket file', async () => {
    const socket = privateSocket();
    const server = await startServer({ services: [echo], address: socket?.address });
    try {
      expect(await run(NOBODY, CALL, server.address)).toBe('error EACCES');
      expect(await run(0, CALL, server.address)).toBe('answer hi');
    } finally {
      await server.close();
      await socket?.remove();
    }
  });

  test('who has sent its call and is gone is not taken for root', async () => {
    const refusals: (string | undefined)[] = [];
    const decide = sameUserGuard();
    let decided = (): void => {};
    const all = new Promise<void>((resolve) => (decided = resolve));
    const server = await startServer({
      services: [echo],
      guard: async (connection: Socket) => {
        await left;
        const refusal = await decide(connection);
        refusals.push(refusal);
        decided();
        return refusal;
      },
    });
    const leave = `const c = require('net').connect(${server.port}, '127.0.0.1', () => c.write('PRI', () => process.exit()));`;
    const left = run(NOBODY, leave);
    await all;
    expect(refusals).toEqual([expect.any(String)]);
    await server.close();
  });

  test('who has taken the port of a plugin that is gone is told nothing', async () => {
    const listen = `
let got = 0;
require('net').createServer((c) => c.on('data', (d) => (got += d.length))).listen(0, '127.0.0.1', function () {
  process.stdout.write(String(this.address().port));
});
process.stdin.on('data', () => {}).on('end', () => { process.stdout.write(' ' + got); process.exit(); });`;
    const child = spawn(process.execPath, ['-e', listen], { uid: NOBODY, gid: NOBODY, cwd: '/' });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await once(child.stdout, 'data');
    const caller = new Http2Caller(`127.0.0.1:${text}`);
    await expect(caller.unary('/test.Echo/Echo', Buffer.from('secret'))).rejects.toMatchObject({
      status: 'PERMISSION_DENIED',
      message: expect.stringContaining('uid 65534'),
    });
    caller.close();
    child.stdin.end();
    await once(child, 'close');
    expect(text).toMatch(/ 0$/);
  });
});
