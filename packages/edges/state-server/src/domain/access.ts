import { matchesText, matchesStack } from './pattern.js';
import { highest, lower } from './roles.js';
import type { Role } from './roles.js';

/** Member of an organization. `none`: no role of its own, so grants decide. The id is the login. */
export interface OrganizationMember {
  readonly id: string;
  readonly role: Role | 'none';
  /** In seconds since 1970. */
  readonly since: number;
}

/** Team of an organization. The id is its name. */
export interface Team {
  readonly id: string;
  /** Logins. */
  readonly members: readonly string[];
}

/** Holder of a grant. */
export type Grantee = `user:${string}` | `team:${string}`;

/** Stacks that something covers: those of a pattern, those with a tag, or all. */
interface StackScope {
  /** `PROJECT/STACK` with `*`; see `matchesStack`. */
  readonly stacks?: string;
  /** `NAME`, or `NAME=VALUE` with `*` in the value. */
  readonly tag?: string;
}

/** Role on some stacks of an organization. */
export interface Grant extends StackScope {
  readonly id: string;
  readonly to: Grantee;
  readonly role: Role;
}

/** User of the service. The id is the login. */
export interface UserRecord {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
  /** True for one who is an administrator of every organization, and may make new ones. */
  readonly siteAdmin?: boolean;
  /** Account that signs in as this user, as its provider names it. */
  readonly subject?: { readonly issuer: string; readonly id: string };
  /** True if the account with this name that signs in next becomes that of the user. */
  readonly signIn?: boolean;
  /** In seconds since 1970. */
  readonly since: number;
}

/** Organization. The id is its name. */
export interface OrganizationRecord {
  readonly id: string;
  /** In seconds since 1970. */
  readonly since: number;
}

/** Facts about a caller in one organization, as the store has them. */
export interface AccessFacts {
  /** Role as a member, or undefined for a caller who is not a member. */
  readonly member: Role | 'none' | undefined;
  /** Grants to the caller and to the caller's teams. */
  readonly grants: readonly Grant[];
}

/** Limits of a token. */
export interface TokenLimits {
  readonly role: Role;
  /** Patterns of stacks, of which one has to match. Without any, a token covers every stack. */
  readonly stacks?: readonly string[];
}

/** Caller in one organization. */
export interface Access {
  readonly facts: AccessFacts;
  readonly limits: TokenLimits;
}

/** Stack that a caller works with. */
export interface StackTarget {
  readonly project: string;
  readonly stack: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Returns true if a caller is in the organization at all. For others the organization does not exist. */
export function belongs({ facts }: Access): boolean {
  return facts.member !== undefined;
}

/** Returns the role in the whole organization. A token that is limited to stacks has none above reader. */
export function roleInOrganization({ facts, limits }: Access): Role | undefined {
  const role = lower(memberRole(facts), limits.role);
  return limits.stacks === undefined ? role : lower(role, 'reader');
}

/** Returns the role on a stack, or undefined if the caller may not know of it. */
export function roleOnStack(access: Access, target: StackTarget): Role | undefined {
  const { facts, limits } = access;
  const isCovered = limits.stacks?.some((pattern) => matchesStack(pattern, target)) ?? true;
  if (!belongs(access) || !isCovered) return undefined;
  const granted = facts.grants.filter((grant) => covers(grant, target)).map(({ role }) => role);
  return lower(highest([memberRole(facts), ...granted]), limits.role);
}

/** Returns the highest role that the caller has on any stack that there may be. */
export function roleOnSome(access: Access): Role | undefined {
  const { facts, limits } = access;
  if (!belongs(access)) return undefined;
  return lower(highest([memberRole(facts), ...facts.grants.map(({ role }) => role)]), limits.role);
}

/** Returns true if the role on a stack may depend on its tags. */
export function needsTags({ facts }: Access): boolean {
  return facts.grants.some(({ tag }) => tag !== undefined);
}

/** Returns true if a scope covers a stack. */
export function covers({ stacks, tag }: StackScope, target: StackTarget): boolean {
  if (stacks !== undefined && !matchesStack(stacks, target)) return false;
  if (tag === undefined) return true;
  const [name = '', ...value] = tag.split('=');
  if (!Object.hasOwn(target.tags, name)) return false;
  return value.length === 0 || matchesText(value.join('='), target.tags[name] as string);
}

function memberRole({ member }: AccessFacts): Role | undefined {
  return member === 'none' ? undefined : member;
}
