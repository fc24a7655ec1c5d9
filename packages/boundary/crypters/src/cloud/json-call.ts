import { messageOf } from '@cairn/diagnostics';
import { retryAfterMs } from '@cairn/retries';
import type { KeyFailureKind } from './key-service.js';
import { KeyFailure } from './key-service.js';

/** Time limit of one attempt, in milliseconds. */
export const CALL_TIMEOUT_MS = 10_000;

/**
 * Reads the error of a service that answers in JSON from its status and body. If the kind is undefined, the status
 * alone decides.
 */
export type ReadError = (
  status: number,
  body: unknown,
) => { kind?: KeyFailureKind | undefined; said?: string | undefined };

/**
 * Posts JSON and resolves with the JSON of a 2xx answer. It makes one attempt; everything else is a {@link KeyFailure}.
 */
export async function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  readError: ReadError,
): Promise<unknown> {
  let status: number;
  let retryAfter: string | null;
  let text: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      redirect: 'follow',
    });
    status = response.status;
    retryAfter = response.headers.get('retry-after');
    text = await response.text();
  } catch (thrown) {
    throw networkFailure(thrown);
  }
  const answer = parsed(text);
  if (status >= 200 && status < 300) {
    if (answer !== undefined) return answer;
    throw new KeyFailure('protocol', `${status}, and the answer is not JSON`, undefined, undefined);
  }
  const { kind, said } = readError(status, answer);
  const words = said ?? text.slice(0, 500).trim();
  throw new KeyFailure(
    kind ?? kindOfStatus(status),
    words === '' ? `status ${status}` : `${words} (status ${status})`,
    retryAfterMs(retryAfter, Date.now()),
    undefined,
  );
}

/** Returns the meaning of an HTTP status if nothing more is known. */
export function kindOfStatus(status: number): KeyFailureKind {
  if (status === 401) return 'credentials';
  if (status === 403) return 'denied';
  if (status === 404) return 'missing';
  if (status === 408) return 'timeout';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'unavailable' : 'protocol';
}

/** Returns the failure of a call that got no answer. */
function networkFailure(thrown: unknown): KeyFailure {
  const late = thrown instanceof Error && (thrown.name === 'TimeoutError' || thrown.name === 'AbortError');
  if (late)
    return new KeyFailure('timeout', `no answer within ${CALL_TIMEOUT_MS / 1000} s`, undefined, thrown);
  const cause = thrown instanceof Error && thrown.cause !== undefined ? messageOf(thrown.cause) : '';
  const said = [messageOf(thrown), cause].filter((part) => part !== '').join(': ');
  return new KeyFailure('unavailable', said, undefined, thrown);
}

/** Returns the text under a path of keys in an answer, or undefined if there is none. */
export function textAt(answer: unknown, ...path: readonly string[]): string | undefined {
  let at: unknown = answer;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return typeof at === 'string' ? at : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
