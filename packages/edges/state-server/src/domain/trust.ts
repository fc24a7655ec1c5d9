import type { Role } from './roles.js';

/** Holder of the tokens that a trust gives. */
type TrustHolder = 'organization' | `team:${string}` | `user:${string}`;

/** Trust of an organization in the tokens of an issuer, for jobs without a stored token. */
export interface Trust {
  readonly id: string;
  readonly name: string;
  /** Address of the issuer, exactly as its tokens name it. */
  readonly issuer: string;
  readonly audience: string;
  /** Patterns that claims have to match. `*` is any text. */
  readonly claims: Readonly<Record<string, string>>;
  readonly to: TrustHolder;
  readonly role: Role;
  /** Patterns of stacks that the tokens are limited to. */
  readonly stacks?: readonly string[];
  /** Longest life of a token. */
  readonly minutes: number;
}
