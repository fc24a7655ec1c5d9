import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Returns a port of a host of this machine that nothing listens on. For pages that name one. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
