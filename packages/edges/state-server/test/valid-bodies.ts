import { EXCHANGE } from '@cairn/http-api';
import type { RouteName } from '@cairn/http-api';
import { MANIFEST, resource } from './service.js';

export const SECRET = Buffer.from('hunter2 is a secret').toString('base64');
/** Password of the user of the tests. */
export const PASSWORD = 'hunter2 counts horses';
export const TERRAFORM_STATE = { version: 4, serial: 1, lineage: 'a', resources: [] };
export const LOCK = { ID: 'l', Operation: 'apply', Who: 'ann' };

/** Names in a path and what the service gave out for them. */
export interface World {
  readonly update: string;
  readonly created: string;
  readonly holder: string;
  readonly ciphertext: string;
  /** Webhook of the organization, and of the stack. */
  readonly hook: string;
  readonly stackHook: string;
  /** Deployment of the stack, and a schedule of it. */
  readonly deployment: string;
  readonly schedule: string;
  /** Place in a queue. */
  readonly ticket: string;
}

export const deployment = (name: string): object => ({
  ...{ manifest: MANIFEST, resources: [resource(name), resource(`${name}2`)] },
});

const entry = (kind: number, sequenceID: number, more: object): object => ({
  ...{ version: 1, kind, sequenceID, operationID: sequenceID, removeOld: null, removeNew: null, ...more },
});

export const CHANGE = {
  ...{ operation: 'up', options: { targets: ['a'] }, goalKey: 'v1:key' },
  process: { pid: 7, hostname: 'h1', machine: 'm1', started: 's1' },
};
const TASKS = { total: 1, done: 0, undone: 0, failed: 1, held: 0, waiting: 0, doubt: 0 };
/** Records of a change, as they come beside the entries of its journal. */
const RECORDS = [
  { record: 'change', id: '1', kind: 'up', summary: '', scope: 's' },
  { record: 'task', id: '1', kind: 'create', summary: 'create j' },
  { record: 'intent', task: '1', direction: 'do', status: 'doing', attempt: 1, entry: 1 },
  { record: 'outcome', task: '1', direction: 'do', result: 'ok', status: 'done', ms: 1, entry: [2] },
].map((record, index) => ({ seq: index + 1, tx: index + 1, at: '2030-01-01T00:00:00.000Z', ...record }));
/** Change that has ended, as another place has it. */
export const ENDED_CHANGE = {
  operation: {
    ...{ pid: 7, hostname: 'h1', kind: 'update', message: 'past', startTime: 1, operation: 'up' },
    ...{
      environment: { a: 'b' },
      config: { 'shop:size': '3' },
      options: { targets: ['a'] },
      goalKey: 'v1:k',
    },
  },
  end: { result: 'succeeded', status: 'done', tasks: TASKS, ended: '2030-01-01T00:00:00.000Z' },
  states: { base: 'b', left: 'l' },
  messages: [{ t: 'approve', task: '1', by: 'ann' }],
  records: RECORDS.map((record) => ('entry' in record ? { ...record, entry: [] } : record)),
  base: { version: 3, deployment: deployment('q') },
};
const PAST = {
  ...{ version: 3, kind: 'update', result: 'succeeded', startTime: 1, endTime: 2, message: 'past' },
  ...{ environment: { a: 'b' }, config: { 'shop:size': { string: '3', secret: false, object: false } } },
  resourceChanges: { create: 2 },
};
/** Token of an issuer without a trust. */
const FORGED = [
  { alg: 'RS256', kid: 'k' },
  { iss: 'https://elsewhere.test', sub: 'a', aud: 'b', exp: 9_999_999_999 },
  {},
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');
const ROLE = {
  ...{ name: 'deployer', description: 'deploys', resourceType: 'stack' },
  details: { __type: 'PermissionDescriptorAllow', permissions: ['stack:read', 'stack:write'] },
};
export const HOOK = {
  ...{ displayName: 'chat', payloadUrl: 'https://hooks.test/a?b', active: true, format: 'slack' },
  ...{ filters: ['update_failed'], groups: ['deployments'], secret: 'a secret' },
};
export const DEPLOYMENT_SETTINGS = {
  sourceContext: { git: { repoUrl: 'https://git.test/shop.git', branch: 'main', repoDir: 'infra' } },
  operationContext: {
    environmentVariables: { SIZE: '3', KEY: { secret: 'a secret' } },
    preRunCommands: ['npm ci'],
  },
};
export const RAW_SCHEDULE = { scheduleCron: '0 3 * * *', request: { operation: 'refresh' } };
const TOKEN = { name: 'a job', expires: 0, role: 'writer', stacks: ['shop/dev', 'other'] };

/** Body of a valid request of each route that takes one. */
export const BODIES: Partial<Record<RouteName, (world: World) => object | string>> = {
  setup: () => ({ user: 'admin' }),
  exchangeToken: () =>
    new URLSearchParams({
      ...{ grant_type: EXCHANGE.grantType, subject_token_type: EXCHANGE.subjectTokenType },
      ...{ audience: `${EXCHANGE.audiencePrefix}organization`, subject_token: FORGED, expiration: '600' },
      requested_token_type: `${EXCHANGE.tokenTypePrefix}organization`,
    }).toString(),
  consolePasswordSignIn: () => ({ user: 'ann', password: PASSWORD }),
  consoleChangePassword: () => ({ current: PASSWORD, next: PASSWORD }),
  createOwnToken: () => TOKEN,
  createToken: () => TOKEN,
  createTeamToken: () => TOKEN,
  createOrganization: () => ({ name: 'other' }),
  addMember: () => ({ role: 'writer' }),
  changeMember: () => ({ fgaRoleId: 'reader' }),
  createTeam: () => ({ name: 'ops', members: ['bob'] }),
  changeTeam: () => ({ memberAction: 'add', member: 'bob' }),
  createRole: () => ROLE,
  changeRole: () => ROLE,
  giveTeamRole: () => ({}),
  createGrant: () => ({ to: 'team:ops', role: 'writer', stacks: 'shop/*', tag: 'team=a*' }),
  createTrust: () => ({
    ...{ name: 'deploys', issuer: 'https://issuer.test', audience: 'here', claims: { sub: 'repo:acme/*' } },
    ...{ to: 'team:ops', role: 'writer', stacks: ['shop'], minutes: 30 },
  }),
  createHook: () => HOOK,
  createStackHook: () => HOOK,
  changeHook: () => ({ ...HOOK, displayName: 'changed' }),
  changeStackHook: () => ({ ...HOOK, displayName: 'changed' }),
  keepPlace: () => ({ wait: 0.01 }),
  changeDeploymentSettings: () => DEPLOYMENT_SETTINGS,
  createDeployment: () => ({ operation: 'update', inheritSettings: true, agentPoolID: 'blue' }),
  createSchedule: () => RAW_SCHEDULE,
  changeSchedule: () => RAW_SCHEDULE,
  createDriftSchedule: () => ({ scheduleCron: '0 0 * * *', autoRemediate: true }),
  createTtlSchedule: () => ({ timestamp: '2999-01-01T00:00:00Z', deleteAfterDestroy: true }),
  pauseSchedule: () => ({}),
  resumeSchedule: () => ({}),
  cancelDeployment: () => ({}),
  approveDeployment: () => ({ digest: 'd', base: 'b', commit: 'c' }),
  denyDeployment: () => ({ reason: 'not today' }),
  attendDeployment: () => ({
    agent: 'agent',
    fence: 7,
    lines: [{ line: 'said' }],
    rows: [{ status: 'ready' }],
  }),
  attendLook: () => ({ agent: 'agent', fence: 7, head: { commit: 'a'.repeat(40), tree: 'b' }, why: 'c' }),
  issueRunToken: () => ({ fence: 7, audience: 'sts.amazonaws.com' }),
  claimRun: () => ({ agent: 'agent', pool: 'green', wait: 0 }),
  drainAgent: () => ({}),
  acknowledgeNotice: () => ({ type: 'run-waits', key: 'shop/dev 1' }),
  sendMessage: () => ({ t: 'resolve', task: '1', answer: { created: 'id-1' }, by: 'ann' }),
  importChange: () => ENDED_CHANGE,
  importVersion: () => ({ info: PAST, state: { version: 3, deployment: deployment('p') } }),
  createStack: () => ({
    stackName: 'made',
    tags: { a: 'b' },
    state: { version: 3, deployment: deployment('m') },
  }),
  renameStack: () => ({ newName: 'moved', newProject: '' }),
  putStackConfig: () => ({ environment: 'shop/dev', secretsProvider: 'passphrase' }),
  setTags: () => ({ team: 'a', 'pulumi:runtime': 'nodejs' }),
  importState: () => ({ version: 3, deployment: deployment('i') }),
  encrypt: () => ({ plaintext: SECRET }),
  batchEncrypt: () => ({ plaintexts: [SECRET, '', null] }),
  decrypt: ({ ciphertext }) => ({ ciphertext }),
  batchDecrypt: ({ ciphertext }) => ({ ciphertexts: [ciphertext] }),
  createUpdate: () => ({
    ...{ name: 'shop', runtime: 'nodejs', options: { dryRun: false, color: 'raw' } },
    config: { 'shop:size': { string: '3', secret: false, object: false } },
    metadata: { message: 'm', environment: { 'exec.kind': 'cli' } },
    change: CHANGE,
  }),
  startUpdate: () => ({ tags: { a: 'b' }, journalVersion: 1 }),
  cancelUpdate: () => ({}),
  renewLease: () => ({ token: '', duration: 300 }),
  checkpoint: () => ({ version: 3, deployment: deployment('c') }),
  journalEntries: () => ({
    entries: [
      entry(0, 1, { operation: { resource: resource('j'), type: 'creating' } }),
      entry(1, 2, { state: resource('j'), removeOld: 1 }),
      entry(2, 3, { removeNew: 2 }),
    ],
    records: RECORDS,
  }),
  addEvents: () => ({
    events: [{ sequence: 1, timestamp: 2, summaryEvent: { resourceChanges: { same: 1 } } }],
  }),
  completeUpdate: () => ({
    status: 'failed',
    change: {
      result: 'failed',
      status: 'error',
      tasks: TASKS,
      message: 'm',
      environment: { c: 'd' },
      order: [1, 0],
    },
  }),
  writeTerraform: () => TERRAFORM_STATE,
  lockTerraform: () => LOCK,
  unlockTerraform: () => LOCK,
};
