import { verifyAudit } from '../src/calls/audit-log.js';
import { stackKeys } from '../src/crypto/stack-keys.js';
import { takeRecords } from '../src/operations/take-records.js';
import type { ServiceStore } from '../src/index.js';
import { TestDatabases, postgresKind, why } from './postgres-kind.js';
import {
  MASTER_KEY,
  bucketKind,
  endServices,
  isShared,
  newFolder,
  startTestService,
  storeTest,
} from './service.js';
import type { Answer, TestService } from './service.js';

/** Records go from a store of one kind into one of the other. */

const databases = new TestDatabases();
const opened: ServiceStore[] = [];
// The other kind needs PostgreSQL in any case.
const bothTest = why === undefined ? storeTest : test.skip;

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await endServices();
});
afterAll(() => databases.close());

async function otherStore(folder = newFolder()): Promise<ServiceStore> {
  const { store } = await (isShared() ? bucketKind : postgresKind(databases)).open(folder);
  opened.push(store);
  return store;
}

const keys = stackKeys(MASTER_KEY);
const LOCK = { ID: 'ann-1', Operation: 'OperationTypeApply', Who: 'ann', Created: '2030-01-01T00:00:00Z' };

/** Service with an organization, a team, a grant, and two states of Terraform, one of which is locked. */
async function filled(): Promise<TestService> {
  const service = await startTestService();
  const auth = `token ${await service.tokenFor('admin')}`;
  const call = async (method: string, route: string, body: object): Promise<Answer> => {
    const answer = await service.call(method, route, { auth, body });
    expect([route, answer.status < 300]).toEqual([route, true]);
    return answer;
  };
  const org = '/api/orgs/organization';
  await call('POST', `${org}/members/bobby`, { role: 'none' });
  await call('POST', `${org}/teams`, { name: 'ops', members: ['bobby'] });
  await call('POST', `${org}/grants`, { to: 'team:ops', role: 'writer', stacks: 'shop/*' });
  for (const serial of [1, 2]) await call('POST', '/tf/organization/shop/network', { version: 4, serial });
  await call('POST', '/tf/organization/shop/held', { version: 4, serial: 1 });
  await call('LOCK', '/tf/organization/shop/held', LOCK);
  const password = { id: 'bobby', key: 'a key', digest: '$scrypt$', since: 1 };
  await service.store.changeAccess('', (access) => access.putAccess('passwords', password));
  return service;
}

/** Everything that is to be the same in both stores. */
async function contents(store: ServiceStore): Promise<unknown> {
  const name = { project: 'shop', stack: 'network' };
  const record = await store.terraform.find(name);
  const sealed =
    record && (await Promise.all([1, 2].map((each) => store.terraform.sealedVersion(record, each))));
  const members = await store.listAccess('members', 'organization');
  return {
    members: members.map(({ id, role }) => `${id} ${role}`).sort(),
    teams: await store.listAccess('teams', 'organization'),
    grants: await store.listAccess('grants', 'organization'),
    users: (await store.listAccess('users', '')).map(({ id }) => id).sort(),
    passwords: await store.listAccess('passwords', ''),
    tokens: (await store.listTokens()).map(({ hash, user }) => `${hash} ${user}`).sort(),
    versions: record && (await store.terraform.versions(record, { from: 2, count: 10 })),
    sealed: sealed?.map((bytes) => Buffer.from(bytes ?? '').toString('hex')),
    audit: await store.auditRows({ newestFirst: false, most: 100 }),
  };
}

bothTest('users, tokens, states of Terraform and the audit log go to a store of the other kind', async () => {
  const { store: from } = await filled();
  const into = await otherStore();
  const { taken, left } = await takeRecords({ from, into, keys });
  expect(left).toEqual(['the state of Terraform shop/held: it is locked by ann-1']);
  expect(taken.get('states of Terraform')).toBe(1);
  expect([taken.get('grants'), taken.get('passwords')]).toEqual([1, 1]);
  expect(taken.get('rows of the audit log')).toBeGreaterThan(5);
  expect(await contents(into)).toEqual(await contents(from));
  expect(await verifyAudit(into)).not.toHaveProperty('fault');
  expect(await into.terraform.find({ project: 'shop', stack: 'held' })).toBeUndefined();
  const again = await takeRecords({ from, into, keys });
  expect([again.taken.size, again.left.length]).toEqual([0, 1]);
});

bothTest('what is there stays, and a log with rows of its own takes no others', async () => {
  const { store: from } = await filled();
  const into = await otherStore();
  const event = { at: 1, organization: '', event: 'own', description: '', user: 'ann', sourceIp: '' };
  const own = { ...event, tokenId: '', tokenName: '', stack: '' };
  await into.audited({ event: () => own, first: true }, async () => undefined);
  const member = { id: 'bobby', role: 'admin', since: 1 };
  await into.changeAccess('organization', (access) => access.putAccess('members', member));
  const { left } = await takeRecords({ from, into, keys });
  expect(left[0]).toBe('the audit log: the store has rows of its own');
  expect(await into.auditRows({ newestFirst: false, most: 100 })).toHaveLength(1);
  expect(await into.findAccess('members', 'organization', 'bobby')).toEqual(member);
});
