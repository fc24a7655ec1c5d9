import type { CreatedTokenAnswer, TokenAnswer, TokensAnswer } from '@cairn/http-api';
import { Refusal } from '../domain/refusal.js';
import { lower } from '../domain/roles.js';
import type { Role } from '../domain/roles.js';
import { ownerOf } from '../store/token-store.js';
import type { TokenPlace, TokenRecord, UsedToken } from '../store/token-store.js';
import type { OrganizationPorts } from './organizations.js';
import { isTokenId, issueToken, rfc3339, tokenId } from './tokens.js';

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

/** Tokens of one page. */
const PAGE = 100;

/** Lists the tokens of an owner in pages. `after` is what the page before has returned. */
export async function tokenAnswers(
  { store }: OrganizationPorts,
  owner: string,
  after: string | undefined,
): Promise<TokensAnswer> {
  const place = after === undefined ? undefined : placeIn(after);
  const found = await store.findTokenPage({ owner, after: place, most: PAGE + 1 });
  const shown = found.slice(0, PAGE);
  const last = shown.at(-1)?.token;
  return {
    tokens: shown.map(answerOf),
    ...(found.length > PAGE && last && { continuationToken: `${last.createdAt}-${tokenId(last)}` }),
  };
}

function answerOf({ token, usedAt = 0 }: UsedToken): TokenAnswer {
  const { kind = 'personal', name, role, stacks = [], team, createdAt, expiresAt = 0, by } = token;
  return {
    ...{ id: tokenId(token), name, kind, role, stacks, createdBy: by ?? token.user },
    ...(team !== undefined && { team }),
    ...{ created: rfc3339(createdAt), lastUsed: usedAt, expires: expiresAt },
  };
}

function placeIn(text: string): TokenPlace {
  const [, createdAt, id] = /^(\d{1,12})-([0-9a-f]{12})$/.exec(text) ?? [];
  if (id === undefined) throw new Refusal(400, 'continuationToken: is none of a list of tokens.');
  return { createdAt: Number(createdAt), id };
}

/** Removes a token of an owner. It is refused from the next call on. Refuses one that does not exist. */
export async function deleteToken({ store }: OrganizationPorts, owner: string, id: string): Promise<void> {
  const found = isTokenId(id) ? await store.findTokenById(id) : undefined;
  if (found === undefined || ownerOf(found) !== owner) throw new Refusal(404, 'Token not found.');
  await store.removeToken(found.hash);
}
