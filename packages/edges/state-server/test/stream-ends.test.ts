import { connect } from 'node:net';
import { once } from 'node:events';
import { listenOn } from '../src/operations/listen.js';

test('a reader of a stream that stopped to read does not delay the end of the service', async () => {
  const piece = Buffer.alloc(1 << 16, 'x');
  const endless = (): Response =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(piece) }), {
      headers: { 'content-type': 'text/event-stream' },
    });
  // An end that waits for open requests never comes.
  const listener = await listenOn(endless, { host: '127.0.0.1', port: 0 }, { slow: { endMs: 2 ** 30 } });
  const socket = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  await once(socket, 'readable');
  await listener.close();
  socket.destroy();
});
