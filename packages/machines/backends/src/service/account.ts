import { cairnError, isCairnError } from '@cairn/diagnostics';
import { isJsonObject } from '@cairn/state';
import type { Json } from '@cairn/state';
import { callService } from './call.js';
import type { ServiceAddress } from './call.js';

/** Account at a state service. */
export interface ServiceAccount {
  readonly username: string;
  /** Organizations that it may work in. */
  readonly organizations: readonly string[];
}

/** Returns the account that the access token belongs to. Fails as {@link callService} does. */
export async function serviceAccount(service: ServiceAddress): Promise<ServiceAccount> {
  const account = accountIn(await callService(service, `log in to ${service.url}`, '/api/user'));
  if (account !== undefined) return account;
  throw cairnError('CAIRN-STORE-FAILED', `cannot log in to ${service.url}: its answer names no account`, {
    hint: 'Check the address of the service.',
  });
}

/** Returns true for the error of a token that the service does not accept. */
export function isRefusedToken(thrown: unknown): boolean {
  return isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-STORE-CREDENTIALS';
}

function accountIn(user: Json): ServiceAccount | undefined {
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
