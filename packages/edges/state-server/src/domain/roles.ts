/** Role on stacks or in an organization, each with the rights of the one before it. */
export type Role = 'reader' | 'writer' | 'admin';

/** Roles in ascending order. */
export const ROLES: readonly Role[] = ['reader', 'writer', 'admin'];

/** Returns true if a role includes the rights of another one. No role includes none. */
export function includes(role: Role | undefined, wanted: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}

/** Returns the role with the most rights, or undefined if there is none. */
export function highest(roles: readonly (Role | undefined)[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}

/** Returns the role with the fewer rights of two. */
export function lower(role: Role | undefined, limit: Role): Role | undefined {
  return role !== undefined && includes(role, limit) ? limit : role;
}
