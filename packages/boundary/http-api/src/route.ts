import type { Permission } from './permissions.js';

/**
 * Caller that a route asks for. `anyone`: no token. `user`: any valid token of a user, a team or an organization.
 * `reader`, `writer`, `admin`: such a token with at least this role on the stack that the path names. If it names no
 * stack, the role has to be in the organization; if it ends at a project, on some stack. `update`: the token of the
 * update that the path names.
 */
type Needs = 'anyone' | 'user' | 'reader' | 'writer' | 'admin' | 'update';

/** One route. `{name}` in a path is one segment; `{name:a|b}` is one of the words. `maxBody` is in bytes, unpacked. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'LOCK' | 'UNLOCK';
  readonly path: string;
  readonly needs: Needs;
  readonly maxBody: number;
  /** Permission that is enough on its own: callers whose roles have it do not need the role. */
  readonly permission?: Permission;
  /** Deed of its callers, for the audit log. Without it, calls are not recorded there. */
  readonly audit?: string;
  /** True if the record comes before the call, because the answer shows something secret. */
  readonly auditFirst?: true;
}
