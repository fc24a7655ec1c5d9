import { cairnError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { isJsonObject } from '@cairn/state';
import type { Json } from '@cairn/state';

/** Address of a state service, and the means of access to it. `version` is that of the client. */
export interface ServiceAddress {
  readonly url: string;
  readonly token: string | undefined;
  readonly version: string;
}

/** Time limit of one call, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Calls a route of a state service and returns the JSON of its answer. `what` says for errors what the call is for.
 * Fails with `CAIRN-STORE-CREDENTIALS` if there is no token or the service does not accept it, `CAIRN-STORE-DENIED` if
 * the account may not do it, `CAIRN-STORE-UNAVAILABLE` without an answer, and `CAIRN-STORE-FAILED` for every other
 * answer.
 */
export async function callService(
  { url, token, version }: ServiceAddress,
  what: string,
  route: string,
  body?: Json,
): Promise<Json> {
  if (token === undefined) throw refused(url, what, 'there is no access token');
  const { status, text } = await answerOf(`${url}${route}`, what, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/vnd.pulumi+9',
      authorization: `token ${token}`,
      'content-type': 'application/json',
      'user-agent': `cairn/${version}`,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = answerJson(text);
  if (status >= 200 && status < 300 && answer !== undefined) return answer;
  const message = isJsonObject(answer) ? answer['message'] : undefined;
  const cause = typeof message === 'string' ? message : `${route} answered with status ${status}`;
  if (status === 401) throw refused(url, what, 'the service does not accept the access token');
  if (status === 403)
    throw cairnError('CAIRN-STORE-DENIED', `cannot ${what}: the account may not do it`, {
      causes: [cause],
      hint: `Ask an administrator of ${url} for the permission.`,
    });
  throw cairnError('CAIRN-STORE-FAILED', `cannot ${what}: ${url} gave no usable answer`, {
    causes: [cause],
    hint: 'Check the address of the service.',
  });
}

async function answerOf(
  address: string,
  what: string,
  request: RequestInit,
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const response = await fetch(address, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) });
    return { status: response.status, text: await response.text() };
  } catch (thrown) {
    throw cairnError('CAIRN-STORE-UNAVAILABLE', `cannot ${what}: the service does not answer`, {
      causes: [`${new URL(address).origin}: ${messageOf(thrown)}`],
      hint: 'Check the address and the network, then run the command again.',
    });
  }
}

function refused(url: string, what: string, why: string): CairnError {
  return cairnError('CAIRN-STORE-CREDENTIALS', `cannot ${what}: ${why}`, {
    hint: `Run \`cairn login ${url}\`, or set CAIRN_ACCESS_TOKEN to a token of the service.`,
  });
}

/** Returns the JSON of a text, or undefined if it is none. */
export function answerJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
