import { TERRAFORM_ROUTES } from './terraform.js';

/**
 * Caller that a route asks for. `anyone`: no token. `user`: any valid token of a user, a team or an organization.
 * `reader`, `writer`, `admin`: such a token with at least this role on the stack that the path names. If it names no
 * stack, the role has to be in the organization; if it ends at a project, on some stack. `update`: the token of the
 * update that the path names.
 */
type Needs = 'anyone' | 'user' | 'reader' | 'writer' | 'admin' | 'update';

/** One route. `{name}` in a path is one segment; `{name:a|b}` is one of the words. `maxBody` is in bytes, unpacked. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'LOCK' | 'UNLOCK';
  readonly path: string;
  readonly needs: Needs;
  readonly maxBody: number;
}

const NONE = 0;
const SMALL = 1 << 20;
const MEDIUM = 32 << 20;
const LARGE = 256 << 20;

const STACK = '/api/stacks/{org}/{project}/{stack}';
const KIND = '{kind:update|preview|refresh|destroy|import}';
const UPDATE = `${STACK}/${KIND}/{update}`;
const CHANGE = `${STACK}/changes/{number}`;

/**
 * Every route of the service. The server mounts from this table and has one handler for each row; a HEAD request is
 * answered as GET without its body. Where two rows match a path, the earlier one counts.
 */
export const ROUTES = {
  health: { method: 'GET', path: '/healthz', needs: 'anyone', maxBody: NONE },
  readiness: { method: 'GET', path: '/readyz', needs: 'anyone', maxBody: NONE },
  setup: { method: 'POST', path: '/setup/{secret}', needs: 'anyone', maxBody: SMALL },
  capabilities: { method: 'GET', path: '/api/capabilities', needs: 'anyone', maxBody: NONE },
  user: { method: 'GET', path: '/api/user', needs: 'user', maxBody: NONE },
  defaultOrganization: {
    method: 'GET',
    path: '/api/user/organizations/default',
    needs: 'user',
    maxBody: NONE,
  },
  listStacks: { method: 'GET', path: '/api/user/stacks', needs: 'user', maxBody: NONE },
  projectExists: { method: 'GET', path: '/api/stacks/{org}/{project}', needs: 'reader', maxBody: NONE },
  createStack: { method: 'POST', path: '/api/stacks/{org}/{project}', needs: 'writer', maxBody: MEDIUM },
  getStack: { method: 'GET', path: STACK, needs: 'reader', maxBody: NONE },
  deleteStack: { method: 'DELETE', path: STACK, needs: 'writer', maxBody: NONE },
  renameStack: { method: 'POST', path: `${STACK}/rename`, needs: 'writer', maxBody: SMALL },
  setTags: { method: 'PATCH', path: `${STACK}/tags`, needs: 'writer', maxBody: SMALL },
  exportState: { method: 'GET', path: `${STACK}/export`, needs: 'reader', maxBody: NONE },
  exportVersion: { method: 'GET', path: `${STACK}/export/{version}`, needs: 'reader', maxBody: NONE },
  importState: { method: 'POST', path: `${STACK}/import`, needs: 'writer', maxBody: LARGE },
  encrypt: { method: 'POST', path: `${STACK}/encrypt`, needs: 'writer', maxBody: MEDIUM },
  batchEncrypt: { method: 'POST', path: `${STACK}/batch-encrypt`, needs: 'writer', maxBody: MEDIUM },
  decrypt: { method: 'POST', path: `${STACK}/decrypt`, needs: 'writer', maxBody: MEDIUM },
  batchDecrypt: { method: 'POST', path: `${STACK}/batch-decrypt`, needs: 'writer', maxBody: MEDIUM },
  listUpdates: { method: 'GET', path: `${STACK}/updates`, needs: 'reader', maxBody: NONE },
  latestUpdate: { method: 'GET', path: `${STACK}/updates/latest`, needs: 'reader', maxBody: NONE },
  createUpdate: {
    method: 'POST',
    path: `${STACK}/{kind:update|preview|refresh|destroy}`,
    needs: 'writer',
    maxBody: MEDIUM,
  },
  startUpdate: { method: 'POST', path: UPDATE, needs: 'writer', maxBody: SMALL },
  updateStatus: { method: 'GET', path: UPDATE, needs: 'reader', maxBody: NONE },
  cancelUpdate: { method: 'POST', path: `${UPDATE}/cancel`, needs: 'writer', maxBody: SMALL },
  updateEvents: { method: 'GET', path: `${UPDATE}/events`, needs: 'reader', maxBody: NONE },
  renewLease: { method: 'POST', path: `${UPDATE}/renew_lease`, needs: 'update', maxBody: SMALL },
  checkpoint: { method: 'PATCH', path: `${UPDATE}/checkpoint`, needs: 'update', maxBody: LARGE },
  journalEntries: { method: 'PATCH', path: `${UPDATE}/journalentries`, needs: 'update', maxBody: MEDIUM },
  addEvents: { method: 'POST', path: `${UPDATE}/events/batch`, needs: 'update', maxBody: MEDIUM },
  completeUpdate: { method: 'POST', path: `${UPDATE}/complete`, needs: 'update', maxBody: MEDIUM },
  ...TERRAFORM_ROUTES,
  listChanges: { method: 'GET', path: `${STACK}/changes`, needs: 'reader', maxBody: NONE },
  changeRecords: { method: 'GET', path: `${CHANGE}/records`, needs: 'reader', maxBody: NONE },
  changeBase: { method: 'GET', path: `${CHANGE}/base`, needs: 'reader', maxBody: NONE },
  changeMessages: { method: 'GET', path: `${CHANGE}/messages`, needs: 'reader', maxBody: NONE },
  sendMessage: { method: 'POST', path: `${CHANGE}/messages`, needs: 'writer', maxBody: SMALL },
} as const satisfies Readonly<Record<string, Route>>;

/** Name of a route, which is the name of its handler. */
export type RouteName = keyof typeof ROUTES;

/** Largest number of entries in one journal batch. A larger batch is answered with 413, and the client halves it. */
export const MOST_ENTRIES = 1000;
