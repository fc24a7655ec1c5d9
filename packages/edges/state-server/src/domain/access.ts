import { PERMISSIONS } from '@cairn/http-api';
import type { Permission } from '@cairn/http-api';
import type { CustomRole } from './custom-roles.js';
import { matchesText, matchesStack } from './pattern.js';
import { ROLES, highest, includes, lower } from './roles.js';
import type { Role } from './roles.js';

/** Id of a role: one of the service, that of a {@link CustomRole}, or `none`. */
export type RoleId = string;

/** Member of an organization. `none`: no role of its own, so grants decide. The id is the login. */
export interface OrganizationMember {
  readonly id: string;
  readonly role: RoleId;
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
  readonly role: RoleId;
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
  readonly member: RoleId | undefined;
  /** Grants to the caller and to the caller's teams. */
  readonly grants: readonly Grant[];
  /** Roles of the organization that these name. */
  readonly roles: readonly CustomRole[];
}

/** Rights of a caller: everything that a role includes, and some permissions besides. */
export interface Rights {
  readonly role: Role | undefined;
  readonly permissions: ReadonlySet<Permission>;
}

/** Right that a call needs: the role, or the permission if there is one that is enough. */
export interface Needed {
  readonly role: Role;
  readonly permission?: Permission | undefined;
}

/** Returns true if rights are enough for a call. */
export function permits({ role, permissions }: Rights, needed: Needed): boolean {
  return (
    includes(role, needed.role) || (needed.permission !== undefined && permissions.has(needed.permission))
  );
}

/** Limits of a token. */
export interface TokenLimits {
  readonly role: Role;
  /** Patterns of stacks, of which one has to match. Without any, a token covers every stack. */
  readonly stacks?: readonly string[];
  /** Patterns of further stacks, which it covers for reading with secrets and for nothing else. */
  readonly reads?: readonly string[];
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

/**
 * Returns the rights in the whole organization: those of the member, and permissions of grants on all stacks. A token
 * that is limited to stacks has no role above reader, and no permissions.
 */
export function rightsInOrganization({ facts, limits }: Access): Rights {
  const own = rightsOf(facts, [facts.member]);
  if (limits.stacks !== undefined)
    return limited({ ...own, permissions: NONE }, lower(limits.role, 'reader'));
  const everywhere = facts.grants.filter(({ stacks, tag }) => stacks === undefined && tag === undefined);
  const { permissions } = rightsOf(facts, [facts.member, ...everywhere.map(({ role }) => role)]);
  return limited({ ...own, permissions }, limits.role);
}

/** Returns the rights on a stack, or undefined if the caller may not know of it. */
export function rightsOnStack(access: Access, target: StackTarget): Rights | undefined {
  const { facts, limits } = access;
  const isCovered = limits.stacks?.some((pattern) => matchesStack(pattern, target)) ?? true;
  const isRead = limits.reads?.some((pattern) => matchesStack(pattern, target)) ?? false;
  if (!belongs(access) || !(isCovered || isRead)) return undefined;
  const granted = facts.grants.filter((grant) => covers(grant, target)).map(({ role }) => role);
  const rights = limited(rightsOf(facts, [facts.member, ...granted]), limits.role);
  return someRights(isCovered ? rights : readingRights(rights));
}

/** Returns the rights that the caller has on any stack that there may be. */
export function rightsOnSome(access: Access): Rights {
  const { facts, limits } = access;
  if (!belongs(access)) return { role: undefined, permissions: NONE };
  return limited(rightsOf(facts, [facts.member, ...facts.grants.map(({ role }) => role)]), limits.role);
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

const NONE: ReadonlySet<Permission> = new Set();

/** Adds up what roles give. One that does not exist any more gives nothing. */
function rightsOf({ roles }: AccessFacts, ids: readonly (RoleId | undefined)[]): Rights {
  const custom = roles.filter(({ id }) => ids.includes(id));
  return {
    role: highest(ROLES.filter((role) => ids.includes(role))),
    permissions: new Set(custom.flatMap(({ permissions }) => permissions.filter(isPermission))),
  };
}

function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSIONS, name);
}

/** Returns rights as far as a token has them. */
function limited({ role, permissions }: Rights, limit: Role | undefined): Rights {
  return {
    role: limit && lower(role, limit),
    permissions: new Set([...permissions].filter((permission) => includes(limit, PERMISSIONS[permission]))),
  };
}

/** Returns the part of rights by which outputs and their secrets are read. */
function readingRights(rights: Rights): Rights {
  const decrypts = permits(rights, { role: PERMISSIONS['stack:decrypt'], permission: 'stack:decrypt' });
  const kept = [...limited(rights, 'reader').permissions, ...(decrypts ? (['stack:decrypt'] as const) : [])];
  return { role: rights.role && lower(rights.role, 'reader'), permissions: new Set(kept) };
}

/** Returns rights, or undefined if there are none at all on stacks. */
function someRights(rights: Rights): Rights | undefined {
  const isSome =
    rights.role !== undefined || [...rights.permissions].some((each) => each.startsWith('stack'));
  return isSome ? rights : undefined;
}
