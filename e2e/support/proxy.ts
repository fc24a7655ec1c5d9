import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Server at an address of its own that passes requests on, also to a service that starts later. */
export interface Proxy {
  readonly url: string;
  /** Address of the service. */
  target: string;
  end(): void;
}

/** Passes the body of an answer on. Its status and headers are sent already. */
type PassBody = (path: string, answer: IncomingMessage, outgoing: ServerResponse) => void;

/** Starts a proxy on any free port. It answers below `base`, such as `/cairn`, which the service does not see. */
export async function startProxy(
  pass: PassBody = (_path, answer, outgoing) => void answer.pipe(outgoing),
  base = '',
): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const { url: whole = '/' } = incoming;
    if (!whole.startsWith(base)) return void outgoing.writeHead(404).end('another site');
    const url = whole.slice(base.length);
    const passed = request(proxy.target + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      pass(url, answer, outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: Proxy = {
    ...{ url: `http://127.0.0.1:${port}${base}`, target: '' },
    end: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
