import type { Route } from './route.js';

const STACK = '/api/stacks/{org}/{project}/{stack}';
const PLACE = `${STACK}/deployments`;
const ONE = `${PLACE}/{deployment}`;
const AGENTS = '/api/orgs/{org}/agents';

/** Path of the keys with which tokens of runs can be checked. */
export const ISSUER_KEYS_PATH = '/oidc/jwks';

/** Path of links that approve a run of an organization, below the address of the service. */
export const APPROVAL_PATH = '/approve';

const read = { method: 'GET', needs: 'reader', permission: 'stack:read', maxBody: 0 } as const;
const post = { method: 'POST', needs: 'writer', permission: 'stack:write', maxBody: 1 << 20 } as const;
const remove = { ...post, method: 'DELETE', maxBody: 0 } as const;

/** Routes for operations that agents run: settings, requests, schedules and drift of stacks, and the agents. */
export const DEPLOYMENT_ROUTES = {
  deploymentSettings: { ...read, path: `${PLACE}/settings` },
  changeDeploymentSettings: {
    ...{ ...post, path: `${PLACE}/settings` },
    audit: 'changed the deployment settings',
  },
  removeDeploymentSettings: {
    ...{ ...remove, path: `${PLACE}/settings` },
    audit: 'removed the deployment settings',
  },
  listSchedules: { ...read, path: `${PLACE}/schedules` },
  createSchedule: { ...post, path: `${PLACE}/schedules`, audit: 'made a schedule' },
  createDriftSchedule: { ...post, path: `${PLACE}/drift/schedules`, audit: 'made a schedule' },
  createTtlSchedule: { ...post, path: `${PLACE}/ttl/schedules`, audit: 'made a schedule' },
  getSchedule: { ...read, path: `${PLACE}/schedules/{schedule}` },
  changeSchedule: { ...post, path: `${PLACE}/schedules/{schedule}`, audit: 'changed a schedule' },
  changeDriftSchedule: { ...post, path: `${PLACE}/drift/schedules/{schedule}`, audit: 'changed a schedule' },
  changeTtlSchedule: { ...post, path: `${PLACE}/ttl/schedules/{schedule}`, audit: 'changed a schedule' },
  removeSchedule: { ...remove, path: `${PLACE}/schedules/{schedule}`, audit: 'removed a schedule' },
  pauseSchedule: { ...post, path: `${PLACE}/schedules/{schedule}/pause`, audit: 'paused a schedule' },
  resumeSchedule: { ...post, path: `${PLACE}/schedules/{schedule}/resume`, audit: 'resumed a schedule' },
  listDeployments: { ...read, path: PLACE },
  createDeployment: { ...post, path: PLACE, audit: 'asked for an operation' },
  getDeploymentVersion: { ...read, path: `${PLACE}/version/{version}` },
  getDeployment: { ...read, path: ONE },
  deploymentLogs: { ...read, path: `${ONE}/logs` },
  deploymentUpdates: { ...read, path: `${ONE}/updates` },
  cancelDeployment: { ...post, path: `${ONE}/cancel`, audit: 'cancelled a deployment' },
  approveDeployment: { ...post, path: `${ONE}/approve`, audit: 'approved a deployment' },
  denyDeployment: { ...post, path: `${ONE}/deny`, audit: 'denied a deployment' },
  attendDeployment: { ...post, path: `${ONE}/attend`, maxBody: 32 << 20 },
  attendLook: { ...post, path: `${PLACE}/source`, audit: 'found a commit that asks for an operation' },
  issueRunToken: { ...post, path: `${ONE}/token`, audit: 'got an OpenID Connect token for a run' },
  issuerSettings: { method: 'GET', path: '/.well-known/openid-configuration', needs: 'anyone', maxBody: 0 },
  issuerKeys: { method: 'GET', path: ISSUER_KEYS_PATH, needs: 'anyone', maxBody: 0 },
  driftStatus: { ...read, path: `${STACK}/drift/status` },
  driftRuns: { ...read, path: `${STACK}/drift/runs` },
  claimRun: {
    ...{ method: 'POST', path: `${AGENTS}/claim`, needs: 'writer', maxBody: 1 << 20 },
    audit: 'took a run with its secrets',
  },
  listAgents: { method: 'GET', path: AGENTS, needs: 'reader', maxBody: 0 },
  drainAgent: {
    ...{ method: 'POST', path: `${AGENTS}/{agent}/drain`, needs: 'writer', maxBody: 1 << 20 },
    audit: 'drained an agent',
  },
  openApproval: { method: 'GET', path: `${APPROVAL_PATH}/{org}/{hook}/{token}`, needs: 'anyone', maxBody: 0 },
  followApproval: {
    ...{ method: 'POST', path: `${APPROVAL_PATH}/{org}/{hook}/{token}`, needs: 'anyone', maxBody: 1024 },
    audit: 'approved a deployment',
  },
  listNotices: { method: 'GET', path: '/api/orgs/{org}/notices', needs: 'reader', maxBody: 0 },
  acknowledgeNotice: {
    ...{ method: 'POST', path: '/api/orgs/{org}/notices/acknowledge', needs: 'writer', maxBody: 1 << 20 },
    audit: 'acknowledged a notice',
  },
} as const satisfies Readonly<Record<string, Route>>;
