import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { parseAddress } from './address.js';
import { Http2Session } from './http2-session.js';

test('a session that is closed while it connects fails its streams and nothing else', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = parseAddress(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const session: Http2Session = new Http2Session({
    ...address,
    open: () => address.open().once('connect', () => session.close()),
  });
  const opened = session.request({ ':path': '/' });
  await new Promise((resolve) => opened?.stream.on('error', () => undefined).once('close', resolve));
  // Node emits its events for a destroyed session after the session's streams are closed.
  await new Promise((resolve) => setImmediate(resolve));
  expect([opened?.isConnected(), session.request({ ':path': '/' })]).toEqual([false, undefined]);
  await new Promise((resolve) => server.close(resolve));
});
