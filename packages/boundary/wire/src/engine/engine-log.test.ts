import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { EngineLog } from './engine-log.js';

const message = { severity: 'info', message: 'm', urn: '', streamId: 0, ephemeral: false } as const;

/** Starts a peer that accepts connections and closes them at once. */
async function goneEngine(): Promise<{ server: Server; address: string; connections: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  return { server, address: `127.0.0.1:${bound.port}`, connections: () => count };
}

test('an engine that has gone is not asked again: what is left to say is dropped', async () => {
  const { server, address, connections } = await goneEngine();
  const log = new EngineLog();
  log.connect(address);
  for (let i = 0; i < 100; i += 1) log.send(message);
  await log.sent();
  await log.close();
  server.close();
  expect(connections()).toBe(1);
});
