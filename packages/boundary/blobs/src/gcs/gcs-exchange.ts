import { Readable } from 'node:stream';
import type { Dispatcher, request as undiciRequest } from 'undici';
import type { Environment } from '../object/environment.js';
import { networkFailure } from '../object/network-failure.js';
import { proxyFor } from '../object/proxy.js';
import type { Authorize } from './gcs-identity.js';

/** Request below the endpoint. `path` is escaped already. `pieces` are the pieces of the body, in order. */
export interface GcsRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces?: readonly Uint8Array[];
}

/** Whole answer, whatever its status. Names of headers are in lower case. */
export interface GcsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** Makes requests, one attempt each. A request without a whole answer in time is an `ObjectFailure`. */
export interface GcsExchange {
  send(request: GcsRequest): Promise<GcsAnswer>;
  close(): Promise<void>;
}

/** Milliseconds for a request and its answer: a fixed part, and one for each MiB sent. */
const TIME_LIMIT = { fixedMs: 30_000, perMiB: 8_000 } as const;
/** Maximum milliseconds without a byte of the answer, once it has begun; and for all of it. */
const SILENCE_MS = 15_000;
const MOST_MS = 1_800_000;

interface GcsExchangeOptions {
  readonly endpoint: string;
  readonly authorize: Authorize;
  readonly env: Environment;
  /** Milliseconds for a whole exchange, instead of the usual limit. For tests. */
  readonly timeLimitMs?: number;
}

/**
 * Makes requests over connections that remain open until `close`. Answers are returned as they were stored, without
 * unpacking.
 */
export function gcsExchange(options: GcsExchangeOptions): GcsExchange {
  const { endpoint, authorize, env } = options;
  let connections: Promise<Connections> | undefined;
  return {
    send: async ({ method, path, query = {}, headers, pieces = [] }) => {
      const authorization = await authorize();
      const { request, dispatcher } = await (connections ??= connect(endpoint, env));
      const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const limit = TIME_LIMIT.fixedMs + (TIME_LIMIT.perMiB * size) / 2 ** 20;
      try {
        const answer = await request(`${endpoint}${path}${queryText(query)}`, {
          dispatcher,
          method,
          headers: {
            'accept-encoding': 'gzip',
            ...headers,
            ...authorization,
            'content-length': String(size),
          },
          body: pieces.length === 0 ? null : Readable.from(pieces, { objectMode: false }),
          headersTimeout: limit,
          bodyTimeout: SILENCE_MS,
          signal: AbortSignal.timeout(options.timeLimitMs ?? MOST_MS),
        });
        const body = new Uint8Array(await answer.body.arrayBuffer());
        return { status: answer.statusCode, headers: plainHeaders(answer.headers), body };
      } catch (thrown) {
        throw networkFailure(thrown);
      }
    },
    close: async () => {
      const opened = connections;
      connections = undefined;
      await (await opened)?.dispatcher.close();
    },
  };
}

interface Connections {
  readonly request: typeof undiciRequest;
  readonly dispatcher: Dispatcher;
}

async function connect(endpoint: string, env: Environment): Promise<Connections> {
  const { Agent, ProxyAgent, request } = await import('undici');
  const proxy = proxyFor(endpoint, env);
  return { request, dispatcher: proxy === undefined ? new Agent() : new ProxyAgent(proxy) };
}

function queryText(query: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, value);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

function plainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
}
