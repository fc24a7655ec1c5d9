import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** Request as the service got it, with its body unpacked. */
export interface SeenCall {
  readonly route: string;
  readonly authorization: string | undefined;
  readonly encoding: string | undefined;
  readonly ifMatch: string | undefined;
  /** Number of its connection, in the order of their first calls. */
  readonly connection: number;
  readonly body: unknown;
}

/**
 * Answer in place of the usual one. `cut`: the request is done, and the connection ends before the answer. `cut kept`
 * does so with the first request on a connection that has had another one before.
 */
export type Fault =
  'cut' | 'cut kept' | { readonly status: number; readonly body?: string; readonly headers?: object };

/** Answer to an export. */
export const EMPTY = { version: 3, deployment: { manifest: { time: '', magic: '', version: '' } } };

/**
 * Service of the state protocol with one stack, whose answers a test chooses. A route is named by its method and the
 * end of its path: `POST complete`.
 */
export class ScriptedService {
  readonly calls: SeenCall[] = [];
  readonly faults = new Map<string, Fault[]>();
  /** Answers by route, besides the usual ones. */
  readonly answers = new Map<string, unknown>();
  /** Headers of the usual answers, by route. */
  readonly headers = new Map<string, Readonly<Record<string, string>>>();
  readonly #server: Server;
  readonly #connections: Socket[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ScriptedService> {
    const server = createServer();
    const service = new ScriptedService(server);
    server.on('request', (request, response) => void service.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the routes that were called, in order. */
  routes(): readonly string[] {
    return this.calls.map(({ route }) => route);
  }

  /** Returns the bodies of the calls of a route. */
  bodies(route: string): readonly unknown[] {
    return this.calls.filter((call) => call.route === route).map(({ body }) => body);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const encoding = request.headers['content-encoding'];
    const bytes = Buffer.concat(chunks);
    const text = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
    const { pathname } = new URL(request.url ?? '', this.url);
    const route = `${request.method ?? ''} ${lastOf(pathname)}`;
    const { authorization, 'if-match': ifMatch } = request.headers;
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const connection = this.#numberOf(request);
    const isKept = this.calls.some((call) => call.connection === connection);
    this.calls.push({ route, authorization, encoding, ifMatch, body, connection });
    const faults = this.faults.get(route);
    const fault = faults?.[0] === 'cut kept' && !isKept ? undefined : faults?.shift();
    if (fault === 'cut' || fault === 'cut kept') return void request.socket.destroy();
    if (fault === undefined) {
      response.writeHead(200, { ...this.headers.get(route) });
      return void response.end(JSON.stringify(this.#usual(route)));
    }
    response.writeHead(fault.status, { ...fault.headers }).end(fault.body ?? '');
  }

  #numberOf({ socket }: IncomingMessage): number {
    const known = this.#connections.indexOf(socket);
    return known < 0 ? this.#connections.push(socket) - 1 : known;
  }

  #usual(route: string): unknown {
    if (this.answers.has(route)) return this.answers.get(route);
    const updates = { 'POST update': { updateID: 'u1' }, 'POST refresh': { updateID: 'u1' } };
    const answers: Readonly<Record<string, unknown>> = {
      ...updates,
      'GET default': { githublogin: 'acme' },
      'GET dev': { orgName: 'acme', projectName: 'shop', stackName: 'dev', version: 3, activeUpdate: '' },
      'GET export': EMPTY,
      'POST u1': { version: 4, token: 'lease', tokenExpiration: undefined, journalVersion: 1 },
      'POST renew_lease': { token: 'renewed' },
      'POST import': { updateId: 'i1' },
      'GET i1': { status: 'succeeded' },
    };
    return answers[route] ?? {};
  }
}

function lastOf(pathname: string): string {
  return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
}
