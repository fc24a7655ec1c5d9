import type { SecretService } from '@cairn/crypters';
import { isCairnError } from '@cairn/diagnostics';
import { isJsonObject } from '@cairn/state';
import type { Json } from '@cairn/state';
import type { SecretsAddress, ServiceAccount, ServiceReach, TokenExchange } from './reach.js';
import type { ServiceAddress } from './service-http.js';

/**
 * Returns the account that the access token belongs to. Fails with `CAIRN-STORE-CREDENTIALS` if the service does not
 * accept the token, and with `CAIRN-STORE-UNAVAILABLE` or `CAIRN-STORE-FAILED` if it gives no usable answer.
 */
export async function serviceAccount(address: Omit<ServiceAddress, 'retries'>): Promise<ServiceAccount> {
  const { readAccount } = await import('./entry.js');
  return readAccount(address);
}

/**
 * Exchanges a token of an issuer that the organization trusts for an access token. Fails with
 * `CAIRN-STORE-CREDENTIALS` if the service does not accept it, and otherwise as {@link serviceAccount} does.
 */
export async function exchangedToken(
  address: Pick<ServiceAddress, 'url' | 'version'>,
  exchange: TokenExchange,
): Promise<string> {
  const { exchangeToken } = await import('./entry.js');
  return exchangeToken(address, exchange);
}

/** Returns true for the error of a token that the service does not accept. */
export function isRefusedToken(thrown: unknown): boolean {
  return isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-STORE-CREDENTIALS';
}

/**
 * Returns the keeper of the key that a state of type `service` names: the service at the address in it, or the present
 * one if that has moved [SEC-9]. Returns undefined if the state names no address. Calls fail as those of a backend do.
 */
export function secretService(state: string, reach: ServiceReach): SecretService | undefined {
  const address = addressIn(state);
  if (address === undefined) return undefined;
  let opened: Promise<SecretService> | undefined;
  const keeper = (): Promise<SecretService> =>
    (opened ??= import('./entry.js').then(({ secretsOf }) => secretsOf(address, reach)));
  return {
    encrypt: async (plaintexts) => (await keeper()).encrypt(plaintexts),
    decrypt: async (ciphertexts) => (await keeper()).decrypt(ciphertexts),
  };
}

function addressIn(text: string): SecretsAddress | undefined {
  let state: Json;
  try {
    state = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  if (!isJsonObject(state)) return undefined;
  const { url, owner: org, project, stack } = state;
  const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';
  return isText(url) && /^https?:/i.test(url) && isText(org) && isText(project) && isText(stack)
    ? { url: url.replace(/\/+$/, ''), names: { org, project, stack } }
    : undefined;
}
