import { join, resolve } from 'node:path';
import { fail } from '@cairn/diagnostics';
import { envVar } from '../env.js';
import type { JsonData } from '../files/json-text.js';
import type { UserContext } from './home.js';
import { homeDirectory, pulumiHome } from './home.js';
import { editJsonObject, isJsonMap, readJsonObject } from './json-file.js';

/** Content of `credentials.json` [CFG-12]: the current backend, and the accounts by backend URL as they were read. */
interface Credentials {
  readonly current: string | undefined;
  readonly accessTokens: ReadonlyMap<string, JsonData>;
  readonly accounts: ReadonlyMap<string, JsonData>;
  /** Unknown keys of the file. */
  readonly extra: ReadonlyMap<string, JsonData>;
}

const KNOWN: ReadonlySet<string> = new Set(['current', 'accessTokens', 'accounts']);
const NO_MAP: ReadonlyMap<string, JsonData> = new Map();
const NEVER_VALIDATED = '0001-01-01T00:00:00Z';

/** Returns the path of the file: in `CAIRN_CREDENTIALS_PATH` (or `PULUMI_…`), else in the home. */
export function credentialsPath(context: UserContext): string {
  return join(resolve(envVar(context.env, 'CREDENTIALS_PATH') || homeDirectory(context)), 'credentials.json');
}

/**
 * Reads the file. A missing or empty file means that no user is logged in. Fails with `CAIRN-CONFIG-INVALID` if it
 * contains anything else, e.g. an encrypted envelope.
 */
export async function readCredentials(context: UserContext): Promise<Credentials> {
  const path = credentialsPath(context);
  return credentialsOf(path, await readJsonObject(path));
}

/** Returns the backend that Pulumi is logged in to [CFG-13]. An unreadable file counts as no login. */
export async function pulumiLogin(context: UserContext): Promise<string | undefined> {
  const home = pulumiHome(context);
  if (home === undefined) return undefined;
  const object = await readJsonObject(join(home, 'credentials.json')).catch(() => undefined);
  const current = object?.get('current');
  return typeof current === 'string' && current !== '' ? current : undefined;
}

function credentialsOf(path: string, object: ReadonlyMap<string, JsonData> = NO_MAP): Credentials {
  if (object.size > 0 && ![...KNOWN].some((key) => object.has(key))) {
    fail(
      'CAIRN-CONFIG-INVALID',
      `cannot read ${path}: it is encrypted or of a form this version does not know`,
      {
        hint: 'Choose the backend with --backend-url or CAIRN_BACKEND_URL, or name another place with CAIRN_CREDENTIALS_PATH.',
      },
    );
  }
  const current = object.get('current');
  return {
    current: typeof current === 'string' && current !== '' ? current : undefined,
    accessTokens: mapAt(object, 'accessTokens'),
    accounts: mapAt(object, 'accounts'),
    extra: new Map([...object].filter(([key]) => !KNOWN.has(key))),
  };
}

/**
 * Makes the backend current, with the account of a service, or with an empty one if it has none. Writes nothing if that
 * is already the case.
 */
export async function storeLogin(
  context: UserContext,
  url: string,
  account?: ReadonlyMap<string, JsonData>,
): Promise<void> {
  await editCredentials(context, (old) => {
    if (account === undefined && old.current === url && old.accounts.has(url)) return undefined;
    const token = account?.get('accessToken') ?? old.accessTokens.get(url) ?? '';
    const kept = account ?? old.accounts.get(url) ?? new Map([['lastValidatedAt', NEVER_VALIDATED]]);
    return {
      ...old,
      current: url,
      accessTokens: new Map([...old.accessTokens]).set(url, token),
      accounts: new Map([...old.accounts]).set(url, kept),
    };
  });
}

/** Forgets the backend. Returns false if it was not known. */
export async function logOut(context: UserContext, url: string): Promise<boolean> {
  let known = false;
  await editCredentials(context, (old) => {
    known = old.current === url || old.accounts.has(url) || old.accessTokens.has(url);
    if (!known) return undefined;
    return {
      ...old,
      current: old.current === url ? undefined : old.current,
      accessTokens: without(old.accessTokens, url),
      accounts: without(old.accounts, url),
    };
  });
  return known;
}

/** Forgets every backend. */
export async function logOutOfAll(context: UserContext): Promise<void> {
  await editCredentials(context, ({ extra }) => ({
    current: undefined,
    accessTokens: NO_MAP,
    accounts: NO_MAP,
    extra,
  }));
}

/** Edits the credentials. `edit` receives the current ones and returns the new ones, or undefined to leave them. */
async function editCredentials(
  context: UserContext,
  edit: (now: Credentials) => Credentials | undefined,
): Promise<void> {
  const path = credentialsPath(context);
  await editJsonObject(path, (object) => {
    const edited = edit(credentialsOf(path, object));
    return edited && objectFrom(edited);
  });
}

function objectFrom(credentials: Credentials): ReadonlyMap<string, JsonData> {
  const object = new Map<string, JsonData>();
  if (credentials.current !== undefined) object.set('current', credentials.current);
  if (credentials.accessTokens.size > 0) object.set('accessTokens', sorted(credentials.accessTokens));
  if (credentials.accounts.size > 0) object.set('accounts', sorted(credentials.accounts));
  for (const [key, value] of credentials.extra) object.set(key, value);
  return object;
}

function mapAt(object: ReadonlyMap<string, JsonData>, key: string): ReadonlyMap<string, JsonData> {
  const value = object.get(key);
  return isJsonMap(value) ? value : NO_MAP;
}

function without(map: ReadonlyMap<string, JsonData>, key: string): ReadonlyMap<string, JsonData> {
  return new Map([...map].filter(([name]) => name !== key));
}

function sorted(map: ReadonlyMap<string, JsonData>): ReadonlyMap<string, JsonData> {
  return new Map([...map].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
}
