import { join } from 'node:path';
import { envVar } from '../env.js';
import type { JsonData } from '../files/json-text.js';
import { readCredentials } from './credentials.js';
import type { UserContext } from './home.js';
import { pulumiHome } from './home.js';
import { isJsonMap, readJsonObject } from './json-file.js';

/** Login to a state service, as credentials files keep it [CFG-12]. */
export interface ServiceLogin {
  readonly accessToken: string;
  /** Name of the account. Undefined for a token from a variable. */
  readonly username: string | undefined;
  /** Organizations of the account at the time of the login. */
  readonly organizations: readonly string[];
}

/** Returns true for the address of a state service. */
export function isServiceUrl(url: string): boolean {
  return /^https?:/i.test(url);
}

/** Returns the address of a backend as credentials and selections have it: that of a service ends with no slash. */
export function backendAddress(url: string): string {
  return isServiceUrl(url) ? url.replace(/\/+$/, '') : url;
}

/**
 * Returns the login to a service: the token of `CAIRN_ACCESS_TOKEN` or `PULUMI_ACCESS_TOKEN`, else that of the login,
 * else that of Pulumi's login in `~/.pulumi`. A stored account counts with the token that it was stored with.
 */
export async function serviceLogin(context: UserContext, url: string): Promise<ServiceLogin | undefined> {
  const stored = loginIn(await readCredentials(context), url) ?? (await loginOfPulumi(context, url));
  const stated = envVar(context.env, 'ACCESS_TOKEN');
  if (stated === undefined || stated === '' || stated === stored?.accessToken) return stored;
  return { accessToken: stated, username: undefined, organizations: [] };
}

/** Returns the form in which credentials files keep a login. `validated` is the time when the service accepted it. */
export function storedLogin(
  { accessToken, username, organizations }: ServiceLogin,
  validated: Date,
): ReadonlyMap<string, JsonData> {
  return new Map<string, JsonData>([
    ['accessToken', accessToken],
    ['username', username ?? ''],
    ['organizations', organizations],
    ['lastValidatedAt', validated.toISOString()],
  ]);
}

async function loginOfPulumi(context: UserContext, url: string): Promise<ServiceLogin | undefined> {
  const home = pulumiHome(context);
  if (home === undefined) return undefined;
  const object = await readJsonObject(join(home, 'credentials.json')).catch(() => undefined);
  const [accounts, accessTokens] = [object?.get('accounts'), object?.get('accessTokens')];
  return loginIn(
    {
      accounts: isJsonMap(accounts) ? accounts : new Map(),
      accessTokens: isJsonMap(accessTokens) ? accessTokens : new Map(),
    },
    url,
  );
}

function loginIn(
  {
    accounts,
    accessTokens,
  }: {
    readonly accounts: ReadonlyMap<string, JsonData>;
    readonly accessTokens: ReadonlyMap<string, JsonData>;
  },
  url: string,
): ServiceLogin | undefined {
  const found = accounts.get(url);
  const account = isJsonMap(found) ? found : new Map<string, JsonData>();
  const accessToken = textOf(account.get('accessToken')) ?? textOf(accessTokens.get(url));
  if (accessToken === undefined) return undefined;
  const organizations = account.get('organizations');
  return {
    accessToken,
    username: textOf(account.get('username')),
    organizations: Array.isArray(organizations)
      ? organizations.filter((each): each is string => typeof each === 'string')
      : [],
  };
}

function textOf(value: JsonData | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
