import { ORGANIZATION } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { Login } from '@cairn/http-api';
import * as v from 'valibot';
import { randomToken, tokenHash } from '../crypto/tokens.js';
import type { ServiceStore } from '../store/service-store.js';
import type { TokenRecord } from '../store/token-store.js';
import { addMember, knownOrganization } from './membership.js';
import { seconds } from './service-ports.js';

/** Facilities for making tokens. */
interface TokenPorts {
  readonly store: ServiceStore;
  readonly now: () => Date;
}

/** Token to make. */
type NewToken = Omit<TokenRecord, 'hash' | 'createdAt' | 'expiresAt'> & {
  /** In seconds since 1970. */
  readonly expiresAt?: number | undefined;
};

/** Token in a list. Times are RFC 3339. */
interface TokenRow extends Pick<TokenRecord, 'user' | 'name' | 'role' | 'stacks'> {
  readonly id: string;
  readonly kind: 'personal' | 'team' | 'organization';
  readonly created: string;
  readonly expires: string | undefined;
  readonly used: string | undefined;
}

/** Number of characters of a hash that name a token. */
const ID = 12;

/** Returns the name of a token in lists and logs. */
export function tokenId({ hash }: Pick<TokenRecord, 'hash'>): string {
  return hash.slice(0, ID);
}

/** True for a text that can be the id of a token. */
export function isTokenId(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text);
}

/** Makes a token and returns it. It is shown only once: the store has its hash. */
export async function issueToken(
  { store, now }: TokenPorts,
  { expiresAt, ...token }: NewToken,
): Promise<{ readonly text: string; readonly record: TokenRecord }> {
  const text = randomToken('cairn');
  const record = {
    ...token,
    ...{ hash: tokenHash(text), createdAt: seconds(now()) },
    ...(expiresAt !== undefined && { expiresAt }),
  };
  await store.putToken(record);
  return { text, record };
}

/**
 * Makes a token for a user and returns it. A user who is not in the named organization becomes a member of it, with the
 * role of the token. Without a name, only a user who is in no organization does, in the default one. Fails with
 * `CAIRN-NAME-INVALID` for a user that clients do not accept.
 */
export async function makeToken(
  ports: TokenPorts,
  token: NewToken & { readonly organization?: string },
): Promise<string> {
  if (!v.is(Login, token.user))
    throw cairnError(
      'CAIRN-NAME-INVALID',
      `cannot make a token: ${JSON.stringify(token.user)} is not a user name`,
      {
        hint: 'Use 3 to 40 letters, digits, "-" or "_".',
      },
    );
  const { organization, ...limits } = token;
  if (organization !== undefined) await knownOrganization(ports.store, organization);
  if (organization !== undefined || (await ports.store.organizationsOf(token.user)).length === 0)
    await addMember(ports, organization ?? ORGANIZATION, token.user, token.role);
  return (await issueToken(ports, limits)).text;
}

/** Lists the tokens, oldest first. */
export async function listTokens(store: ServiceStore): Promise<readonly TokenRow[]> {
  const found = [...(await store.listTokens())].sort((a, b) => a.createdAt - b.createdAt);
  const uses = await store.tokenUses();
  return found.map((token) => {
    const { hash, kind = 'personal', user, name, role, stacks, createdAt, expiresAt } = token;
    const used = uses.get(hash);
    return {
      ...{ id: tokenId(token), kind, user, name, role, created: rfc3339(createdAt) },
      ...(stacks !== undefined && { stacks }),
      expires: expiresAt === undefined ? undefined : rfc3339(expiresAt),
      used: used === undefined ? undefined : rfc3339(used),
    };
  });
}

/** Returns a time as RFC 3339. */
export function rfc3339(secondsSince1970: number): string {
  return new Date(secondsSince1970 * 1000).toISOString();
}

/** Removes a token. It is refused from the next call on. Fails with `CAIRN-USAGE` if there is none of this id. */
export async function removeToken(store: ServiceStore, id: string): Promise<void> {
  const found = isTokenId(id) ? await store.findTokenById(id) : undefined;
  if (found === undefined)
    throw cairnError('CAIRN-USAGE', `cannot remove token ${JSON.stringify(id)}: there is none`, {
      hint: 'List the tokens with `cairn serve token ls`.',
    });
  await store.removeToken(found.hash);
}
