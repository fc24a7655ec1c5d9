import { ROUTES } from '@cairn/http-api';
import type { Route, RouteName } from '@cairn/http-api';
import { createOrganization, makeToken } from '../src/index.js';
import { MANIFEST, S, endServices, startTestService, startUpdate, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';

afterEach(endServices);

/**
 * Callers that a route lets in. `anyone`: no token. `user`: each valid token, whatever it belongs to. `reader`,
 * `writer`, `admin`: this role or a higher one. `holder`: the token of the update.
 */
type LetIn = 'anyone' | 'user' | 'reader' | 'writer' | 'admin' | 'holder';

/** Every route with those it lets in. A route without a row does not compile, and fails the test below. */
const ROWS = {
  health: 'anyone',
  readiness: 'anyone',
  setup: 'anyone',
  capabilities: 'anyone',
  exchangeToken: 'anyone',
  signIn: 'anyone',
  issuerSettings: 'anyone',
  issuerKeys: 'anyone',
  openApproval: 'anyone',
  followApproval: 'anyone',
  signInOfClient: 'anyone',
  signInCallback: 'anyone',
  signedIn: 'anyone',
  user: 'user',
  defaultOrganization: 'user',
  listTemplates: 'user',
  listPackages: 'user',
  listStacks: 'user',
  listOwnTokens: 'user',
  createOwnToken: 'user',
  deleteOwnToken: 'user',
  createOrganization: 'user',
  projectExists: 'reader',
  createStack: 'writer',
  getStack: 'reader',
  deleteStack: 'writer',
  renameStack: 'writer',
  setTags: 'writer',
  getStackConfig: 'reader',
  putStackConfig: 'writer',
  deleteStackConfig: 'writer',
  exportState: 'reader',
  exportVersion: 'reader',
  importState: 'writer',
  importVersion: 'admin',
  importChange: 'admin',
  encrypt: 'writer',
  batchEncrypt: 'writer',
  decrypt: 'writer',
  batchDecrypt: 'writer',
  listUpdates: 'reader',
  latestUpdate: 'reader',
  latestPreviews: 'reader',
  createUpdate: 'writer',
  startUpdate: 'writer',
  updateStatus: 'reader',
  cancelUpdate: 'writer',
  updateEvents: 'reader',
  renewLease: 'holder',
  checkpoint: 'holder',
  journalEntries: 'holder',
  addEvents: 'holder',
  completeUpdate: 'holder',
  listMembers: 'reader',
  addMember: 'admin',
  changeMember: 'admin',
  removeMember: 'admin',
  listTeams: 'reader',
  createTeam: 'admin',
  changeTeam: 'admin',
  deleteTeam: 'admin',
  listRoles: 'reader',
  getRole: 'reader',
  createRole: 'admin',
  changeRole: 'admin',
  deleteRole: 'admin',
  giveTeamRole: 'admin',
  listGrants: 'admin',
  createGrant: 'admin',
  deleteGrant: 'admin',
  listTrusts: 'admin',
  createTrust: 'admin',
  deleteTrust: 'admin',
  listTokens: 'admin',
  createToken: 'admin',
  deleteToken: 'admin',
  createTeamToken: 'admin',
  listStackHooks: 'admin',
  createStackHook: 'admin',
  getStackHook: 'admin',
  changeStackHook: 'admin',
  deleteStackHook: 'admin',
  pingStackHook: 'admin',
  stackHookDeliveries: 'admin',
  redeliverStackHook: 'admin',
  listHooks: 'admin',
  createHook: 'admin',
  getHook: 'admin',
  changeHook: 'admin',
  deleteHook: 'admin',
  pingHook: 'admin',
  hookDeliveries: 'admin',
  redeliverHook: 'admin',
  auditLogs: 'admin',
  exportAuditLogs: 'admin',
  listChanges: 'reader',
  changeRecords: 'reader',
  changeBase: 'reader',
  changeMessages: 'reader',
  sendMessage: 'writer',
  keepPlace: 'writer',
  leaveQueue: 'writer',
  readTerraform: 'writer',
  writeTerraform: 'writer',
  deleteTerraform: 'writer',
  lockTerraform: 'writer',
  unlockTerraform: 'writer',
  listTerraform: 'reader',
  listTerraformVersions: 'reader',
  readTerraformVersion: 'writer',
  purgeTerraform: 'admin',
  deploymentSettings: 'reader',
  changeDeploymentSettings: 'writer',
  removeDeploymentSettings: 'writer',
  listSchedules: 'reader',
  createSchedule: 'writer',
  createDriftSchedule: 'writer',
  createTtlSchedule: 'writer',
  getSchedule: 'reader',
  changeSchedule: 'writer',
  changeDriftSchedule: 'writer',
  changeTtlSchedule: 'writer',
  removeSchedule: 'writer',
  pauseSchedule: 'writer',
  resumeSchedule: 'writer',
  listDeployments: 'reader',
  createDeployment: 'writer',
  getDeploymentVersion: 'reader',
  getDeployment: 'reader',
  deploymentLogs: 'reader',
  deploymentUpdates: 'reader',
  cancelDeployment: 'writer',
  approveDeployment: 'writer',
  denyDeployment: 'writer',
  attendDeployment: 'writer',
  attendLook: 'writer',
  issueRunToken: 'writer',
  driftStatus: 'reader',
  driftRuns: 'reader',
  claimRun: 'writer',
  listAgents: 'reader',
  drainAgent: 'writer',
  listNotices: 'reader',
  acknowledgeNotice: 'writer',
  consoleStart: 'anyone',
  consoleSignIn: 'anyone',
  consoleEnter: 'anyone',
  consolePasswordSignIn: 'anyone',
  consoleChangePassword: 'user',
  consoleLink: 'user',
  consoleSession: 'user',
  consoleLeave: 'user',
  consoleStacks: 'user',
  consoleStream: 'user',
  consoleStack: 'reader',
  consoleResources: 'reader',
  consoleResource: 'reader',
  consoleResourceHistory: 'reader',
  consoleAccess: 'admin',
  consoleSettings: 'reader',
  consoleCompare: 'reader',
  consoleChange: 'reader',
  consolePreviews: 'reader',
  consolePreview: 'reader',
  consoleContinue: 'writer',
  consoleReveal: 'writer',
} as const satisfies Readonly<Record<RouteName, LetIn>>;

/** Routes that change something and are not in the audit log, each with the reason. */
const NOT_RECORDED: Readonly<Partial<Record<RouteName, string>>> = {
  encrypt: 'seals what the caller knows',
  batchEncrypt: 'seals what the caller knows',
  createUpdate: 'its start is recorded',
  keepPlace: 'waits for the start of an update',
  leaveQueue: 'waits no more',
  attendDeployment: 'the request of the deployment is recorded',
  renewLease: 'its start is recorded',
  checkpoint: 'its start is recorded, and the history has the state',
  journalEntries: 'its start is recorded, and the history has the state',
  addEvents: 'its start is recorded',
  lockTerraform: 'the write under it is recorded',
  unlockTerraform: 'the write under it is recorded',
};

const ROLES = ['reader', 'writer', 'admin'] as const;
const CALLERS = [
  'no token',
  'an unknown token',
  'a token of another organization',
  'a member without role',
  ...ROLES,
  'the token of another update',
  'the token of the update',
] as const;
type TestCaller = (typeof CALLERS)[number];

/** Bodies that the routes of a holder take, so that the token decides. */
const BODIES: Readonly<Partial<Record<RouteName, object>>> = {
  checkpoint: { version: 3, deployment: { manifest: MANIFEST, resources: [] } },
  journalEntries: { entries: [] },
  addEvents: { events: [] },
  completeUpdate: { status: 'succeeded' },
};

const TABLE = Object.entries(ROUTES) as [RouteName, Route][];

test('every route has a row, and each one that changes something is recorded or has a reason', () => {
  expect(Object.keys(ROWS).sort()).toEqual(Object.keys(ROUTES).sort());
  const silent = TABLE.filter(([, { method, audit }]) => method !== 'GET' && audit === undefined);
  expect(silent.map(([name]) => name).sort()).toEqual(Object.keys(NOT_RECORDED).sort());
});

/** Names that exist, and names that do not: a call that is let in changes nothing. */
const THERE = { org: 'organization', project: 'shop', stack: 'dev', version: '1', secret: 'x' };
const NOWHERE = { ...THERE, stack: 'none', update: 'x' };

function pathOf({ path }: Route, values: Readonly<Record<string, string>>): string {
  return path.replace(
    /\{(\w+)(?::(\w+)[\w|]*)?\}/g,
    (_whole, name: string, first?: string) => first ?? values[name] ?? `${name}-x`,
  );
}

/** Returns the status with which a caller is refused, or undefined for one who is let in. */
function refusal(row: LetIn, caller: TestCaller, { path }: Route): number | undefined {
  if (row === 'anyone') return undefined;
  const isUpdate = caller === 'the token of the update' || caller === 'the token of another update';
  if (caller === 'no token') return 401;
  if (row === 'holder') return caller === 'the token of the update' ? undefined : 403;
  if (caller === 'an unknown token' || isUpdate) return 401;
  if (row === 'user') return undefined;
  if (caller === 'a token of another organization') return 404;
  // To a member without role, a stack does not exist. The organization does.
  if (caller === 'a member without role') return path.includes('{stack}') ? 404 : 403;
  const held = ROLES.indexOf(caller as (typeof ROLES)[number]);
  return held >= ROLES.indexOf(row) ? undefined : 403;
}

storeTest(
  'every route with every caller',
  async () => {
    const service = await startTestService();
    const { callers, update } = await prepare(service);
    const wrong: unknown[] = [];
    for (const [name, route] of TABLE)
      for (const caller of CALLERS) {
        const expected = refusal(ROWS[name], caller, route);
        const values = expected === undefined ? NOWHERE : { ...THERE, update };
        const auth = callers[caller];
        const answer = await service.call(route.method, pathOf(route, values), {
          ...{ auth, body: route.method === 'GET' ? undefined : BODIES[name] },
        });
        if (!isExpected(name, expected, answer)) wrong.push([name, caller, expected, answer]);
      }
    expect(wrong).toEqual([]);
    expect((await service.call('GET', S)).body).toMatchObject({ stackName: 'dev', activeUpdate: update });
  },
  300_000,
);

/** A caller who is let in meets what is not there, or is wrong in the request. */
function isExpected(name: RouteName, expected: number | undefined, { status, body }: Answer): boolean {
  if (expected !== undefined) return status === expected && body['code'] === expected;
  // These decide by the body and the user.
  if (name === 'createOrganization' || name === 'createOwnToken') return status !== 401;
  // No webhook has signed the link.
  if (name === 'openApproval' || name === 'followApproval') return status === 403;
  if (name === 'exchangeToken' || name === 'setup') return status === 400 || status === 404;
  const text = String(body['message'] ?? '');
  return status !== 401 && status !== 403 && !text.includes('Organization') && status < 500;
}

async function prepare(service: TestService): Promise<{
  readonly callers: Readonly<Record<TestCaller, string>>;
  readonly update: string;
}> {
  const ports = { store: service.store, now: () => new Date() };
  const token = async (
    user: string,
    role: 'reader' | 'writer' | 'admin',
    more: object = {},
  ): Promise<string> => `token ${await makeToken(ports, { user, role, name: 'test', ...more })}`;
  for (const stackName of ['dev', 'other'])
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName } });
  const own = await startUpdate(service);
  const other = await startUpdate(service, { stack: 'other' });
  await token('second-admin', 'admin');
  const roles = {
    reader: await token('reader-user', 'reader'),
    writer: await token('writer-user', 'writer'),
  };
  const admin = await token('admin-user', 'admin');
  await createOrganization(ports, 'acme', 'outsider');
  const outsider = await token('outsider', 'admin', { organization: 'acme' });
  await service.call('POST', '/api/orgs/organization/members/idle-user', {
    auth: admin,
    body: { role: 'none' },
  });
  return {
    callers: {
      ...{ ...roles, admin, 'no token': '', 'an unknown token': 'token cairn-unknown' },
      'a token of another organization': outsider,
      'a member without role': await token('idle-user', 'admin'),
      'the token of another update': other.auth,
      'the token of the update': own.auth,
    },
    update: own.id,
  };
}

test('a token is refused after its end', async () => {
  const service = await startTestService();
  const now = Math.floor(Date.now() / 1000);
  const statusAt = async (expiresAt: number): Promise<number> => {
    const token = { user: 'ann', name: 'ci', role: 'reader', expiresAt } as const;
    const text = await makeToken({ store: service.store, now: () => new Date() }, token);
    return (await service.call('GET', '/api/user', { auth: `token ${text}` })).status;
  };
  expect([await statusAt(now + 3600), await statusAt(now)]).toEqual([200, 401]);
});

storeTest('tokens that ended more than a day ago are removed', async () => {
  const service = await startTestService();
  const now = Math.floor(Date.now() / 1000);
  for (const [name, expiresAt] of [
    ['old', now - 90_000],
    ['ended', now - 10],
    ['valid', now + 10],
  ] as const)
    await makeToken(
      { store: service.store, now: () => new Date() },
      {
        ...{ user: 'ann-user', name, role: 'reader' as const, expiresAt },
      },
    );
  await service.service.sweep();
  const names = (await service.store.listTokens()).map(({ name }) => name).sort();
  expect(names).toEqual(['ended', 'test', 'valid']);
});

test('every path is in the grammar, and no two routes have the same', () => {
  const paths = TABLE.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths) expect(path).toMatch(/^[A-Z]+ (\/(?:\.?[a-z_-]+|\{\w+(?::\w+(?:\|\w+)*)?\}))+$/);
});
