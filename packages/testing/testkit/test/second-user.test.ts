import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Http2Caller } from '@cairn/wire/caller';
import { privateSocket, sameUserGuard, startServer } from '@cairn/wire/server';
import type { Service } from '@cairn/wire/server';
import { callAs, NOBODY, othersCanBeTried, runAs, WHY_NO_OTHERS } from '../src/servers/other-user.js';

/** Connections of a second user of the machine, made by a real process of the user with id 65534. */

const asRoot = othersCanBeTried ? describe : describe.skip;

const echo: Service = {
  name: 'test.Echo',
  unary: new Map([['/test.Echo/Echo', async (body) => body]]),
  streams: new Map(),
};

/** Returns the answer that a user gets for the message `hi`. */
const call = async (uid: number, address: string): Promise<string | undefined> =>
  (await callAs(uid, [address], [['/test.Echo/Echo', Buffer.from('hi').toString('base64')]]))[0];

asRoot(`a second user${WHY_NO_OTHERS}`, () => {
  test('is not answered at a port, and is named once; our own user is answered', async () => {
    const said: string[] = [];
    const guard = sameUserGuard({ onRefused: (who) => said.push(who) });
    const server = await startServer({ services: [echo], guard });
    const unguarded = await startServer({ services: [echo] });
    try {
      for (const { address } of [server, server, unguarded])
        expect(await call(NOBODY, address)).toMatch(/^(error|closed)/);
      expect(await call(0, server.address)).toBe('answer hi');
      expect(await call(0, unguarded.address)).toBe('answer hi');
      expect(said).toEqual([expect.stringMatching(/^process \d+ of user nobody \(uid 65534\)$/)]);
    } finally {
      await Promise.all([server.close(), unguarded.close()]);
    }
  });

  test('cannot reach a socket file', async () => {
    const socket = privateSocket();
    const server = await startServer({ services: [echo], address: socket?.address });
    try {
      expect(await call(NOBODY, server.address)).toBe('error EACCES');
      expect(await call(0, server.address)).toBe('answer hi');
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
    const left = runAs(NOBODY, leave);
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
