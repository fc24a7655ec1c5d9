import { ACCESS_ROUTES } from './access-routes.js';
import { CONSOLE_ROUTES } from './console/routes.js';
import { DEPLOYMENT_ROUTES } from './deployment-routes.js';
import { HOOK_ROUTES } from './hooks.js';
import { QUEUE_ROUTES } from './queue.js';
import type { Route } from './route.js';
import { TERRAFORM_ROUTES } from './terraform.js';

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
  setup: {
    method: 'POST',
    path: '/setup/{secret}',
    needs: 'anyone',
    maxBody: SMALL,
    audit: 'became the first administrator',
  },
  ...ACCESS_ROUTES,
  ...HOOK_ROUTES,
  capabilities: { method: 'GET', path: '/api/capabilities', needs: 'anyone', maxBody: NONE },
  user: { method: 'GET', path: '/api/user', needs: 'user', maxBody: NONE },
  defaultOrganization: {
    method: 'GET',
    path: '/api/user/organizations/default',
    needs: 'user',
    maxBody: NONE,
  },
  listTemplates: { method: 'GET', path: '/api/registry/templates', needs: 'user', maxBody: NONE },
  listPackages: { method: 'GET', path: '/api/registry/packages', needs: 'user', maxBody: NONE },
  listStacks: { method: 'GET', path: '/api/user/stacks', needs: 'user', maxBody: NONE },
  projectExists: {
    method: 'GET',
    path: '/api/stacks/{org}/{project}',
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  createStack: {
    method: 'POST',
    path: '/api/stacks/{org}/{project}',
    needs: 'writer',
    permission: 'stack:create',
    maxBody: MEDIUM,
    audit: 'created a stack',
  },
  getStack: { method: 'GET', path: STACK, needs: 'reader', permission: 'stack:read', maxBody: NONE },
  deleteStack: {
    method: 'DELETE',
    path: STACK,
    needs: 'writer',
    permission: 'stack:delete',
    maxBody: NONE,
    audit: 'removed the stack',
  },
  renameStack: {
    method: 'POST',
    path: `${STACK}/rename`,
    needs: 'writer',
    permission: 'stack:rename',
    maxBody: SMALL,
    audit: 'renamed the stack',
  },
  setTags: {
    method: 'PATCH',
    path: `${STACK}/tags`,
    needs: 'writer',
    permission: 'stack_tags:update',
    maxBody: SMALL,
    audit: 'changed the tags of the stack',
  },
  getStackConfig: {
    method: 'GET',
    path: `${STACK}/config`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  putStackConfig: {
    method: 'PUT',
    path: `${STACK}/config`,
    needs: 'writer',
    permission: 'stack:write',
    maxBody: SMALL,
    audit: 'changed the place of the configuration of the stack',
  },
  deleteStackConfig: {
    method: 'DELETE',
    path: `${STACK}/config`,
    needs: 'writer',
    permission: 'stack:write',
    maxBody: NONE,
    audit: 'removed the place of the configuration of the stack',
  },
  exportState: {
    method: 'GET',
    path: `${STACK}/export`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  exportVersion: {
    method: 'GET',
    path: `${STACK}/export/{version}`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  importState: {
    method: 'POST',
    path: `${STACK}/import`,
    needs: 'writer',
    permission: 'stack:import',
    maxBody: LARGE,
    audit: 'imported a state',
  },
  importVersion: {
    method: 'POST',
    path: `${STACK}/versions`,
    needs: 'admin',
    maxBody: LARGE,
    audit: 'added an update of the past',
  },
  encrypt: {
    method: 'POST',
    path: `${STACK}/encrypt`,
    needs: 'writer',
    permission: 'stack:encrypt',
    maxBody: MEDIUM,
  },
  batchEncrypt: {
    method: 'POST',
    path: `${STACK}/batch-encrypt`,
    needs: 'writer',
    permission: 'stack:encrypt',
    maxBody: MEDIUM,
  },
  decrypt: {
    method: 'POST',
    path: `${STACK}/decrypt`,
    needs: 'writer',
    permission: 'stack:decrypt',
    maxBody: MEDIUM,
    audit: 'opened secrets',
    auditFirst: true,
  },
  batchDecrypt: {
    method: 'POST',
    path: `${STACK}/batch-decrypt`,
    needs: 'writer',
    permission: 'stack:decrypt',
    maxBody: MEDIUM,
    audit: 'opened secrets',
    auditFirst: true,
  },
  listUpdates: {
    method: 'GET',
    path: `${STACK}/updates`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  latestUpdate: {
    method: 'GET',
    path: `${STACK}/updates/latest`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  latestPreviews: {
    method: 'GET',
    path: `${STACK}/updates/latest/previews`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  createUpdate: {
    method: 'POST',
    path: `${STACK}/{kind:update|preview|refresh|destroy}`,
    needs: 'writer',
    permission: 'stack:write',
    maxBody: MEDIUM,
  },
  startUpdate: {
    method: 'POST',
    path: UPDATE,
    needs: 'writer',
    permission: 'stack:write',
    maxBody: SMALL,
    audit: 'started an update',
  },
  updateStatus: { method: 'GET', path: UPDATE, needs: 'reader', permission: 'stack:read', maxBody: NONE },
  cancelUpdate: {
    method: 'POST',
    path: `${UPDATE}/cancel`,
    needs: 'writer',
    permission: 'stack:cancel_update',
    maxBody: SMALL,
    audit: 'cancelled an update',
  },
  updateEvents: {
    method: 'GET',
    path: `${UPDATE}/events`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  renewLease: { method: 'POST', path: `${UPDATE}/renew_lease`, needs: 'update', maxBody: SMALL },
  checkpoint: { method: 'PATCH', path: `${UPDATE}/checkpoint`, needs: 'update', maxBody: LARGE },
  journalEntries: { method: 'PATCH', path: `${UPDATE}/journalentries`, needs: 'update', maxBody: MEDIUM },
  addEvents: { method: 'POST', path: `${UPDATE}/events/batch`, needs: 'update', maxBody: MEDIUM },
  completeUpdate: {
    method: 'POST',
    path: `${UPDATE}/complete`,
    needs: 'update',
    maxBody: MEDIUM,
    audit: 'ended an update',
  },
  ...QUEUE_ROUTES,
  ...DEPLOYMENT_ROUTES,
  ...TERRAFORM_ROUTES,
  listChanges: {
    method: 'GET',
    path: `${STACK}/changes`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  changeRecords: {
    method: 'GET',
    path: `${CHANGE}/records`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  changeBase: {
    method: 'GET',
    path: `${CHANGE}/base`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  changeMessages: {
    method: 'GET',
    path: `${CHANGE}/messages`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  sendMessage: {
    method: 'POST',
    path: `${CHANGE}/messages`,
    needs: 'writer',
    permission: 'stack:write',
    maxBody: SMALL,
    audit: 'sent a message to an operation',
  },
  importChange: {
    method: 'POST',
    path: CHANGE,
    needs: 'admin',
    maxBody: LARGE,
    audit: 'added a change of the past',
  },
  ...CONSOLE_ROUTES,
} as const satisfies Readonly<Record<string, Route>>;

/** Name of a route, which is the name of its handler. */
export type RouteName = keyof typeof ROUTES;

/** Largest number of entries in one journal batch. A larger batch is answered with 413, and the client halves it. */
export const MOST_ENTRIES = 1000;
