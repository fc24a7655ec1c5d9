import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { isJsonObject } from '@cairn/state';
import type { Json } from '@cairn/state';

/** Account at a state service. */
export interface ServiceAccount {
  readonly username: string;
  /** Organizations that it may work in. */
  readonly organizations: readonly string[];
}

/** Time limit of the call, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * Returns the account that a token belongs to. `version` is that of the client. Fails with `CAIRN-STORE-CREDENTIALS` if
 * the service does not accept the token, and with `CAIRN-STORE-UNAVAILABLE` or `CAIRN-STORE-FAILED` if it gives no
 * usable answer.
 */
export async function serviceAccount(url: string, token: string, version: string): Promise<ServiceAccount> {
  const headers = {
    accept: 'application/vnd.pulumi+9',
    authorization: `token ${token}`,
    'user-agent': `cairn/${version}`,
  };
  let status: number;
  let text: string;
  try {
    const response = await fetch(`${url}/api/user`, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    status = response.status;
    text = await response.text();
  } catch (thrown) {
    throw cairnError('CAIRN-STORE-UNAVAILABLE', `cannot reach ${url}: ${messageOf(thrown)}`, {
      hint: 'Check the address and the network, then run the command again.',
    });
  }
  if (status === 401) throw refused(url);
  const account = status === 200 ? accountIn(text) : undefined;
  if (account !== undefined) return account;
  throw cairnError('CAIRN-STORE-FAILED', `cannot log in to ${url}: it does not answer as a state service`, {
    causes: [`GET /api/user: status ${status}`],
    hint: 'Check the address of the service.',
  });
}

/** Returns true for the error of a token that the service does not accept. */
export function isRefusedToken(thrown: unknown): boolean {
  return isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-STORE-CREDENTIALS';
}

function refused(url: string): CairnError {
  return cairnError(
    'CAIRN-STORE-CREDENTIALS',
    `cannot log in to ${url}: it does not accept the access token`,
    {
      hint: 'Create another access token there, and set CAIRN_ACCESS_TOKEN to it.',
    },
  );
}

function accountIn(text: string): ServiceAccount | undefined {
  const user = parsed(text);
  if (!isJsonObject(user)) return undefined;
  const username = loginOf(user);
  const listed = user['organizations'] ?? [];
  if (username === undefined || !Array.isArray(listed)) return undefined;
  const organizations = listed.map(loginOf);
  return organizations.every((login) => login !== undefined) ? { username, organizations } : undefined;
}

function loginOf(value: Json | undefined): string | undefined {
  const login = isJsonObject(value) ? value['githubLogin'] : undefined;
  return typeof login === 'string' && login !== '' ? login : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
