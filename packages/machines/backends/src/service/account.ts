import { UserBody } from '@cairn/http-api';
import { systemRetryPorts } from '@cairn/retries';
import type { ServiceAccount } from './reach.js';
import { ServiceHttp } from './service-http.js';
import type { ServiceAddress } from './service-http.js';

/** Reads the account that the access token belongs to; see `serviceAccount`. */
export async function readAccount(address: Omit<ServiceAddress, 'retries'>): Promise<ServiceAccount> {
  const http = new ServiceHttp({ ...address, retries: systemRetryPorts });
  const { githubLogin, organizations } = await http.json('user', UserBody, {});
  return { username: githubLogin, organizations: (organizations ?? []).map((each) => each.githubLogin) };
}
