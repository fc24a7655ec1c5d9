import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { messageOf } from '@cairn/diagnostics';
import { splitLines } from './split-lines.js';
import type { ClusterAccess } from './cluster-access.js';

/** Bytes of one answer. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Attempts of a call that the server did not answer, or for which it has no time. */
const TRIES = 6;
/** Longest pause between two attempts, in milliseconds. */
const LONGEST_MS = 30_000;

/** Times of calls, in milliseconds. */
interface ClusterTimes {
  /** Time for a call that does not wait. */
  readonly callMs: number;
  /** Time without a byte, after which a stream counts as cut. */
  readonly silenceMs: number;
  /** First pause before another attempt; it doubles. */
  readonly retryMs: number;
}

const TIMES: ClusterTimes = { callMs: 30_000, silenceMs: 90_000, retryMs: 1_000 };

/** A call. */
interface ClusterCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Refusal by the API server. */
export class ClusterRefusal extends Error {
  readonly status: number;
  /** Seconds that the server asks to wait. */
  readonly after: number | undefined;

  constructor(status: number, message: string, after: number | undefined) {
    super(message);
    this.status = status;
    this.after = after;
  }
}

/** Calls of a Kubernetes API server. */
export class ClusterApi {
  readonly #access: ClusterAccess;
  readonly #times: ClusterTimes;
  readonly #agent: Agent;

  constructor(access: ClusterAccess, times: ClusterTimes = TIMES) {
    this.#access = access;
    this.#times = times;
    const { ca, cert, key, serverName } = access;
    this.#agent = new Agent({
      keepAlive: true,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(serverName !== undefined && { servername: serverName }),
    });
  }

  /** Ends its connections. */
  close(): void {
    this.#agent.destroy();
  }

  /**
   * Makes a call, and returns the answer. A call that was not answered, or refused for lack of time, is made again: an
   * earlier attempt may have had its effect. Fails with {@link ClusterRefusal} if it is refused.
   */
  async call(call: ClusterCall, signal?: AbortSignal): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await this.#open(call, this.#times.callMs, signal);
        return JSON.parse(await wholeOf(answer)) as unknown;
      } catch (thrown) {
        if (tries === TRIES || !isPassing(thrown) || signal?.aborted === true) throw thrown;
        await pause(this.#pauseMs(thrown, tries), signal);
      }
    }
  }

  /** Yields the lines of an answer that lasts. It ends when the server ends it, or at `signal`; a cut is an error. */
  async *lines(call: ClusterCall, signal: AbortSignal): AsyncGenerator<string> {
    const answer = await this.#open(call, this.#times.silenceMs, signal);
    yield* splitLines(answer);
  }

  #pauseMs(thrown: unknown, tries: number): number {
    const asked = thrown instanceof ClusterRefusal ? (thrown.after ?? 0) * 1000 : 0;
    return Math.min(LONGEST_MS, Math.max(asked, this.#times.retryMs * 2 ** (tries - 1)));
  }

  /** Sends a call, and returns its answer when it is none of a refusal. */
  async #open(
    { method, path, query = {}, body }: ClusterCall,
    silenceMs: number,
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage> {
    const { server, token: tokenOf } = this.#access;
    const token = await tokenOf();
    const search = new URLSearchParams(query).toString();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(
        new URL(`${server.pathname.replace(/\/$/, '')}${path}${search === '' ? '' : `?${search}`}`, server),
        {
          ...{ method, agent: this.#agent, timeout: silenceMs },
          ...(signal !== undefined && { signal }),
          headers: {
            accept: 'application/json',
            'user-agent': 'cairn-agent',
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(text !== undefined && {
              'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
          },
        },
        resolve,
      );
      sent.on('timeout', () =>
        sent.destroy(new Error(`${server.host} was silent for ${silenceMs / 1000} s`)),
      );
      sent.on('error', reject);
      sent.end(text);
    });
    const { statusCode: status = 0, headers } = answer;
    if (status >= 200 && status < 300) return answer;
    const said = messageIn(await wholeOf(answer)) ?? `${server.host} answered ${status}`;
    const after = Number(headers['retry-after']);
    throw new ClusterRefusal(status, said, Number.isFinite(after) ? after : undefined);
  }
}

/** Tells if a call that failed like this may be made again at once. */
function isPassing(thrown: unknown): boolean {
  return !(thrown instanceof ClusterRefusal) || thrown.status === 429 || thrown.status >= 500;
}

async function wholeOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MOST_BYTES)
      throw new ClusterRefusal(0, `an answer has more than ${MOST_BYTES} bytes`, undefined);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Waits, at most until `signal`. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
}

/** Returns the words for an error of a call. */
export function wordsOf(thrown: unknown): string {
  return thrown instanceof ClusterRefusal ? `${thrown.message} (${thrown.status})` : messageOf(thrown);
}
