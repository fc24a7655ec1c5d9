import { exchangedToken, isRefusedToken, serviceAccount } from '@cairn/backends';
import type { ServiceAccess, ServiceAccount, TokenExchange } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { envVar, isServiceUrl, serviceLogin } from '@cairn/workspace';
import type { ServiceLogin } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { systemUser } from './this-process.js';
import { userOf } from './user.js';

/** Ways to a token of a state service, beside those that are known. */
export interface TokenSource {
  /** Asks the user for a token. */
  readonly ask?: (() => Promise<string | undefined>) | undefined;
  /** Token that the user has just got. It comes before every known token. */
  readonly given?: string | undefined;
  /** Token of an issuer to exchange. It comes before every known token. */
  readonly exchange?: TokenExchange | undefined;
}

/**
 * Returns the login to a state service with a token that the service accepts: one in exchange for that of an issuer,
 * that of the environment, else the stored one, else one that the user is asked for. Throws CAIRN-STORE-CREDENTIALS.
 */
export async function acceptedLogin(
  ports: Pick<Ports, 'env' | 'version'>,
  url: string,
  { ask, exchange, given }: TokenSource,
): Promise<ServiceLogin> {
  const accept = async (accessToken: string): Promise<ServiceLogin> => ({
    accessToken,
    ...(await serviceAccount({ url, token: accessToken, version: ports.version })),
  });
  if (given !== undefined) return accept(given);
  if (exchange !== undefined) return accept(await exchangedToken({ url, version: ports.version }, exchange));
  const known = await serviceLogin(userOf(ports), url);
  const isStored = known?.username !== undefined;
  if (known !== undefined) {
    try {
      return await accept(known.accessToken);
    } catch (thrown) {
      if (!isRefusedToken(thrown) || !isStored || ask === undefined) throw thrown;
    }
  }
  const asked = await ask?.();
  if (asked !== undefined && asked !== '') return accept(asked);
  throw cairnError('CAIRN-STORE-CREDENTIALS', `cannot log in to ${url}: there is no access token`, {
    hint: 'Set CAIRN_ACCESS_TOKEN to one, or run the command on a terminal.',
  });
}

/** Returns the means of access to a state service: token, account and chosen organization. */
export async function accessTo(ports: Pick<Ports, 'env'>, url: string): Promise<ServiceAccess> {
  const login = await serviceLogin(userOf(ports), url);
  const organization = envVar(ports.env, 'DEFAULT_ORGANIZATION');
  return {
    token: login?.accessToken,
    username: login?.username,
    organization: organization === '' ? undefined : organization,
  };
}

/**
 * Returns the user as a backend knows it: the account of a state service, elsewhere the user of this machine, who is in
 * no organization. Throws CAIRN-STORE-CREDENTIALS.
 */
export async function accountAt(ports: Pick<Ports, 'env' | 'version'>, url: string): Promise<ServiceAccount> {
  if (!isServiceUrl(url)) return { username: systemUser(), organizations: [] };
  const known = await serviceLogin(userOf(ports), url);
  if (known?.username !== undefined) return { username: known.username, organizations: known.organizations };
  if (known !== undefined) return serviceAccount({ url, token: known.accessToken, version: ports.version });
  throw cairnError('CAIRN-STORE-CREDENTIALS', `not logged in to ${url}`, {
    hint: `Run \`cairn login ${url}\`.`,
  });
}
