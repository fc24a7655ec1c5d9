import { cairnError } from '@cairn/diagnostics';
import { randomToken, tokenHash } from '../crypto/tokens.js';
import type { Role } from '../domain/roles.js';
import type { ServiceStore } from '../store/service-store.js';
import { seconds } from './service-ports.js';

/** Logins: clients refuse names of fewer than 3 characters. */
const LOGIN = /^[a-zA-Z0-9][a-zA-Z0-9_-]{1,38}[a-zA-Z0-9]$/;

/** Token to make. `expiresAt` is in seconds since 1970. */
interface NewToken {
  readonly user: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt?: number | undefined;
}

/** Token in a list. Times are RFC 3339. */
interface TokenRow extends Pick<NewToken, 'user' | 'name' | 'role'> {
  readonly id: string;
  readonly created: string;
  readonly expires: string | undefined;
}

/** Number of characters of a hash that name a token. */
const ID = 12;

/**
 * Makes a token and returns it. It is shown only once: the store has its hash. Fails with `CAIRN-NAME-INVALID` for a
 * user that clients do not accept.
 */
export async function makeToken(
  { store, now }: { readonly store: ServiceStore; readonly now: () => Date },
  { expiresAt, ...token }: NewToken,
): Promise<string> {
  if (!LOGIN.test(token.user))
    throw cairnError(
      'CAIRN-NAME-INVALID',
      `cannot make a token: ${JSON.stringify(token.user)} is no name of a user`,
      {
        hint: 'Use 3 to 40 letters, digits, "-" or "_".',
      },
    );
  const text = randomToken('cairn');
  await store.putToken({
    ...token,
    ...{ hash: tokenHash(text), createdAt: seconds(now()) },
    ...(expiresAt !== undefined && { expiresAt }),
  });
  return text;
}

/** Lists the tokens, oldest first. */
export async function listTokens(store: ServiceStore): Promise<readonly TokenRow[]> {
  const found = [...(await store.listTokens())].sort((a, b) => a.createdAt - b.createdAt);
  return found.map(({ hash, user, name, role, createdAt, expiresAt }) => ({
    ...{ id: hash.slice(0, ID), user, name, role },
    created: timeText(createdAt),
    expires: expiresAt === undefined ? undefined : timeText(expiresAt),
  }));
}

function timeText(secondsSince1970: number): string {
  return new Date(secondsSince1970 * 1000).toISOString();
}

/** Removes a token. It is refused from the next call on. Fails with `CAIRN-USAGE` if there is none of this id. */
export async function removeToken(store: ServiceStore, id: string): Promise<void> {
  const found = (await store.listTokens()).find(({ hash }) => hash.slice(0, ID) === id);
  if (found === undefined)
    throw cairnError('CAIRN-USAGE', `cannot remove token ${JSON.stringify(id)}: there is none`, {
      hint: 'List the tokens with `cairn serve token ls`.',
    });
  await store.removeToken(found.hash);
}
