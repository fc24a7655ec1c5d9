import type { Needs } from '@cairn/http-api';

/** Role of a token, each with the rights of the one before it. */
export type Role = 'reader' | 'writer' | 'admin';

/** Roles in ascending order. */
const ROLES: readonly Role[] = ['reader', 'writer', 'admin'];

/** Returns true if a role is enough for a route that asks for a user. */
export function mayCall(role: Role, needs: Exclude<Needs, 'update' | 'anyone'>): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needs);
}
