import type { TokenLimits } from '../domain/access.js';

/** Token of a caller. Times are in seconds since 1970. Without `expiresAt` it is valid until it is removed. */
export interface TokenRecord extends TokenLimits {
  /** SHA-256 of the token, in hex. */
  readonly hash: string;
  /** Defaults to `personal`: the token acts for its user. */
  readonly kind?: 'personal' | 'team' | 'organization';
  /** Login of its user. The other kinds have a name for display here. */
  readonly user: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  /** Organization that a token of the other kinds belongs to, and the only one in which it is valid. */
  readonly organization?: string;
  readonly team?: string;
  /** Login of the user who made it, or `trust:NAME`. */
  readonly by?: string;
  /** Hash of the token that it was made with. It ends with that one. Defaults to none. */
  readonly parent?: string;
  /** Id of the password by which its user signed in. It ends with that one. Defaults to none. */
  readonly password?: string;
  /** Id of the deployment whose processes have it. Defaults to none. */
  readonly run?: string;
}

/** Token with its last use, in seconds since 1970. */
export interface UsedToken {
  readonly token: TokenRecord;
  readonly usedAt: number | undefined;
}

/** Place of a token in a list. The id is as long as `tokenId` makes it. */
export interface TokenPlace {
  readonly createdAt: number;
  readonly id: string;
}

/** Part of the tokens of an owner, which {@link ownerOf} names. */
export interface TokenPage {
  readonly owner: string;
  /** Place of the token before the first one of the page, or undefined for the first page. */
  readonly after: TokenPlace | undefined;
  readonly most: number;
}

/** Tokens of callers. */
export interface TokenStore {
  findToken(hash: string): Promise<TokenRecord | undefined>;
  /** Returns the token whose hash begins with an id. */
  findTokenById(id: string): Promise<TokenRecord | undefined>;
  /** Returns tokens of an owner, newest first. */
  findTokenPage(page: TokenPage): Promise<readonly UsedToken[]>;
  hasTokens(): Promise<boolean>;
  putToken(token: TokenRecord): Promise<void>;
  listTokens(): Promise<readonly TokenRecord[]>;
  /** Removes a token. Returns true if there was one. */
  removeToken(hash: string): Promise<boolean>;
  /** Notes a use of a token, in seconds since 1970. Does nothing for one that was removed. */
  noteTokenUse(hash: string, at: number): Promise<void>;
  /** Returns the noted uses of tokens by their hashes. */
  tokenUses(): Promise<ReadonlyMap<string, number>>;
}

/** Returns the owner of a token: its user, or its organization. */
export function ownerOf({ kind = 'personal', user, organization = '' }: TokenRecord): string {
  return kind === 'personal' ? ownerOfUser(user) : ownerOfOrganization(organization);
}

/** Returns a user as an owner of tokens. */
export function ownerOfUser(login: string): string {
  return `user/${login}`;
}

/** Returns an organization as an owner of tokens. */
export function ownerOfOrganization(name: string): string {
  return `organization/${name}`;
}
