import type { Route } from '@cairn/http-api';
import { ApiCaller } from '../calls/caller.js';
import type { CallerPorts } from '../calls/caller.js';
import { stackOf } from '../calls/stack-names.js';
import type { PathNames } from '../calls/stack-names.js';
import type { Needed } from '../domain/access.js';
import { Refusal } from '../domain/refusal.js';
import { credentialsIn } from './credentials.js';

/** Caller of a route, or the token of an update. */
interface Authorized {
  readonly caller: ApiCaller | undefined;
  readonly updateToken: string;
}

/** Parts of a request that identify the caller. */
interface AuthorizedRequest {
  readonly route: Pick<Route, 'needs' | 'permission'>;
  readonly header: string | null;
  /** Session of a browser, for a request without an Authorization header. */
  readonly session: string | undefined;
  readonly names: PathNames;
}

/**
 * Finds out who calls. Refuses a call without a valid token (401), with too small a role (403), on an organization or a
 * stack that the caller may not know of (404), and with a token of the other kind. The token of an update is checked by
 * the update. `found` learns of a caller who is known, also if the call is refused.
 */
export async function authorize(
  { route, header, session, names }: AuthorizedRequest,
  ports: CallerPorts,
  found: (caller: ApiCaller) => void,
): Promise<Authorized> {
  const { needs, permission } = route;
  if (needs === 'anyone') return { caller: undefined, updateToken: '' };
  const { scheme, token } =
    header === null && session !== undefined ? { scheme: 'token', token: session } : credentialsIn(header);
  // The secrets of sessions and links are stored with a colon, which no token has.
  if (token === '' || (header !== null && token.includes(':'))) throw unauthorized();
  if (needs === 'update') {
    if (scheme !== 'update-token') throw new Refusal(403, 'The call needs the token of an update.');
    return { caller: undefined, updateToken: token };
  }
  const user = scheme === 'token' || scheme === 'basic' ? await ports.accounts.find(token) : undefined;
  if (user === undefined) throw unauthorized();
  const caller = new ApiCaller(user, ports);
  found(caller);
  if (needs !== 'user') await check(caller, { role: needs, permission }, names);
  return { caller, updateToken: '' };
}

/** The names of the path say where the right has to be: on a stack, on any stack, or in the organization. */
function check(caller: ApiCaller, needed: Needed, names: PathNames): Promise<void> {
  if (names['stack'] !== undefined) return caller.needOnStack(needed, stackOf(names));
  const { org = '' } = names;
  return names['project'] === undefined
    ? caller.needInOrganization(needed, org)
    : caller.needOnSome(needed, org);
}

function unauthorized(): Refusal {
  return new Refusal(401, 'The call needs a valid token.');
}
