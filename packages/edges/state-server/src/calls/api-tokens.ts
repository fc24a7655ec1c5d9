import type { CreatedTokenAnswer, TokenAnswer } from '@cairn/http-api';
import { Refusal } from '../domain/refusal.js';
import { lower } from '../domain/roles.js';
import type { Role } from '../domain/roles.js';
import type { TokenRecord } from '../store/service-store.js';
import type { OrganizationPorts } from './organizations.js';
import { issueToken, rfc3339, tokenId } from './tokens.js';

/** Request of a token. `expires` is in seconds since 1970; 0 is never. */
interface TokenRequest {
  readonly name: string;
  readonly expires: number;
  readonly role?: Role | undefined;
  readonly stacks?: readonly string[] | undefined;
}

/** Holder of a new token. */
type TokenHolder = Pick<TokenRecord, 'kind' | 'user' | 'organization' | 'team'>;

/**
 * Makes a token by means of another one. The new one may do no more than the other, and ends no later. A token that is
 * limited to stacks makes none.
 */
export async function createToken(
  ports: OrganizationPorts,
  by: TokenRecord,
  holder: TokenHolder,
  { name, expires, role, stacks }: TokenRequest,
): Promise<CreatedTokenAnswer> {
  if (by.stacks !== undefined) throw new Refusal(403, 'A token that is limited to stacks makes no tokens.');
  const ends = [expires, by.expiresAt ?? 0].filter((end) => end > 0);
  const { text, record } = await issueToken(ports, {
    ...{ ...holder, name, by: by.user, role: lower(by.role, role ?? by.role) as Role },
    ...(stacks !== undefined && { stacks }),
    ...(ends.length > 0 && { expiresAt: Math.min(...ends) }),
  });
  return { id: tokenId(record), name, tokenValue: text };
}

/** Lists tokens, newest first. */
export async function tokenAnswers(
  { store }: OrganizationPorts,
  isWanted: (token: TokenRecord) => boolean,
): Promise<readonly TokenAnswer[]> {
  const tokens = (await store.listTokens()).filter(isWanted);
  const uses = await store.tokenUses();
  return tokens
    .sort((a, b) => b.createdAt - a.createdAt)
    .map((token) => {
      const { kind = 'personal', name, role, stacks = [], team, createdAt, expiresAt = 0, by } = token;
      return {
        ...{ id: tokenId(token), name, kind, role, stacks, createdBy: by ?? token.user },
        ...(team !== undefined && { team }),
        ...{ created: rfc3339(createdAt), lastUsed: uses.get(token.hash) ?? 0, expires: expiresAt },
      };
    });
}

/** Removes a token that a caller may remove. It is refused from the next call on. Refuses one that does not exist. */
export async function deleteToken(
  { store }: OrganizationPorts,
  id: string,
  isWanted: (token: TokenRecord) => boolean,
): Promise<void> {
  const found = (await store.listTokens()).find((token) => tokenId(token) === id && isWanted(token));
  if (found === undefined) throw new Refusal(404, 'Token not found.');
  await store.removeToken(found.hash);
}

/** True for the tokens of a user. */
export function isTokenOfUser(login: string): (token: TokenRecord) => boolean {
  return ({ kind = 'personal', user }) => kind === 'personal' && user === login;
}

/** True for the tokens of an organization and of its teams. */
export function isTokenOfOrganization(name: string): (token: TokenRecord) => boolean {
  return ({ kind = 'personal', organization }) => kind !== 'personal' && organization === name;
}
