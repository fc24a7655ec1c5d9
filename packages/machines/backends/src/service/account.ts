import { isCairnError } from '@cairn/diagnostics';
import { UserBody } from '@cairn/http-api';
import { systemRetryPorts } from '@cairn/retries';
import { ServiceHttp } from './service-http.js';
import type { ServiceAddress } from './service-http.js';

/** Account at a state service. */
export interface ServiceAccount {
  readonly username: string;
  /** Organizations that it may work in. */
  readonly organizations: readonly string[];
}

/**
 * Returns the account that the access token belongs to. Fails with `CAIRN-STORE-CREDENTIALS` if the service does not
 * accept the token, and with `CAIRN-STORE-UNAVAILABLE` or `CAIRN-STORE-FAILED` if it gives no usable answer.
 */
export async function serviceAccount(address: Omit<ServiceAddress, 'retries'>): Promise<ServiceAccount> {
  const http = new ServiceHttp({ ...address, retries: systemRetryPorts });
  const { githubLogin, organizations } = await http.json('user', UserBody, {});
  return { username: githubLogin, organizations: (organizations ?? []).map((each) => each.githubLogin) };
}

/** Returns true for the error of a token that the service does not accept. */
export function isRefusedToken(thrown: unknown): boolean {
  return isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-STORE-CREDENTIALS';
}
