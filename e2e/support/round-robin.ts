import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Time after which an unused connection is closed, in milliseconds. It is longer than the one that targets announce to
 * clients, so that no client sends a request on a connection that is closed at that moment.
 */
const UNUSED_MS = 120_000;

/** One request that a proxy has passed on. */
interface PassedRequest {
  readonly method: string;
  readonly path: string;
  /** Place of the process among the targets. */
  readonly target: number;
}

/**
 * Proxy that passes each request to the next of several targets, as a plain load balancer does: to another one if a
 * target cannot be reached, and answers 502 if a target breaks off before its answer.
 */
export class RoundRobin {
  /** Called before the answer of a target is passed on. Returns true for one that gets lost on its way. */
  loses: (request: PassedRequest) => boolean = () => false;
  readonly passed: PassedRequest[] = [];
  readonly #server: Server;
  readonly #targets: string[];
  #next = 0;

  constructor(targets: string[]) {
    this.#targets = targets;
    const options = { keepAliveTimeout: UNUSED_MS };
    this.#server = createServer(options, (incoming, outgoing) => void this.#take(incoming, outgoing));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Replaces a target. */
  replace(target: number, url: string): void {
    this.#targets[target] = url;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    this.#pass(incoming, outgoing, Buffer.concat(chunks), 0);
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, tries: number): void {
    const target = this.#next++ % this.#targets.length;
    const { method = '', url = '', headers } = incoming;
    const passed = request(
      (this.#targets[target] ?? '') + url,
      { method, headers, agent: false },
      (answer) => {
        const row = { method, path: url, target };
        this.passed.push(row);
        if (this.loses(row)) {
          answer.destroy();
          outgoing.writeHead(502).end();
          return;
        }
        answer.on('error', () => outgoing.destroy());
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' && tries < this.#targets.length)
        return this.#pass(incoming, outgoing, body, tries + 1);
      if (!outgoing.headersSent) outgoing.writeHead(502).end();
    });
    passed.end(body);
  }
}
