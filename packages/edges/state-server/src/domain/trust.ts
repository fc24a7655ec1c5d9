import { matchesText } from './pattern.js';
import type { Role } from './roles.js';

/** Holder of the tokens that a trust gives. */
export type TrustHolder = 'organization' | `team:${string}` | `user:${string}`;

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
  /** Longest lifetime of a token. */
  readonly minutes: number;
}

/** Returns true if the verified claims of a token are for the audience of a trust. */
export function hasAudience({ audience }: Pick<Trust, 'audience'>, verified: Claims): boolean {
  return textsOf(verified['aud']).includes(audience);
}

/** Returns true if verified claims match all patterns of a trust. */
export function matchesClaims({ claims }: Pick<Trust, 'claims'>, verified: Claims): boolean {
  return Object.entries(claims).every(([name, pattern]) =>
    textsOf(Object.hasOwn(verified, name) ? verified[name] : undefined).some((text) =>
      matchesText(pattern, text),
    ),
  );
}

type Claims = Readonly<Record<string, unknown>>;

/** A claim with several values matches with one of them. Values other than texts, numbers and booleans do not match. */
function textsOf(claim: unknown): readonly string[] {
  if (Array.isArray(claim))
    return claim.flatMap((each: unknown) => (Array.isArray(each) ? [] : textsOf(each)));
  return ['string', 'number', 'boolean'].includes(typeof claim) ? [String(claim)] : [];
}
