import type { Needs } from '@cairn/http-api';
import type { Accounts } from '../calls/accounts.js';
import { Refusal } from '../domain/refusal.js';
import { mayCall } from '../domain/roles.js';
import type { TokenRecord } from '../store/service-store.js';
import { credentialsIn } from './credentials.js';

/** Caller of a route. */
interface Caller {
  readonly user: TokenRecord | undefined;
  readonly updateToken: string;
}

/**
 * Finds out who calls. Refuses a call without a valid token (401), with too small a role (403), and with a token of the
 * other kind. The token of an update is checked by the update.
 */
export async function authorize(needs: Needs, header: string | null, accounts: Accounts): Promise<Caller> {
  if (needs === 'anyone') return { user: undefined, updateToken: '' };
  const { scheme, token } = credentialsIn(header);
  if (token === '') throw unauthorized();
  if (needs === 'update') {
    if (scheme !== 'update-token') throw new Refusal(403, 'The call needs the token of an update.');
    return { user: undefined, updateToken: token };
  }
  const user = scheme === 'token' || scheme === 'basic' ? await accounts.find(token) : undefined;
  if (user === undefined) throw unauthorized();
  if (!mayCall(user.role, needs)) throw new Refusal(403, `The call needs the role ${needs}.`);
  return { user, updateToken: '' };
}

function unauthorized(): Refusal {
  return new Refusal(401, 'The call needs a valid token.');
}
