import { makeToken } from '../src/index.js';
import { S, endServices, newFolder, startTestService, storeTest } from './service.js';
import type { Answer } from './service.js';

afterEach(endServices);

const D = `${S}/deployments`;
const ORG = '/api/orgs/organization';
const GIT = { repoUrl: 'https://git.test/shop.git', branch: 'main' };
const SETTINGS = {
  sourceContext: { git: GIT },
  operationContext: { environmentVariables: { KEY: { secret: 'psst' } } },
  cairn: { onCommit: 'up', source: { every: '2m' } },
};
const commit = (digit: string): string => digit.repeat(40);

interface Look {
  readonly fence: number;
  readonly settings: object;
}

interface Claimed {
  readonly deployment: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly token: string;
}

/** Service with stacks `dev`, which has settings, and `net`. `now` is the wall clock. */
async function world(settings: object = SETTINGS) {
  let skew = 0;
  const now = (): Date => new Date(Date.now() + skew);
  const service = await startTestService(newFolder(), { now });
  for (const stackName of ['dev', 'net', 'other'])
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName } });
  const call = (method: string, route: string, body?: object, auth?: string): Promise<Answer> =>
    service.call(method, route, {
      ...(body !== undefined && { body }),
      ...(auth !== undefined && { auth: `token ${auth}` }),
    });
  expect((await call('POST', `${D}/settings`, settings)).status).toBe(200);
  const claim = async (agent: string, more: object = { looks: true }): Promise<Answer['body']> =>
    (await call('POST', `${ORG}/agents/claim`, { agent, ...more })).body;
  const look = async (agent: string): Promise<Look | undefined> => (await claim(agent))['look'] as Look;
  const report = (agent: string, fence: number, more: object): Promise<Answer> =>
    call('POST', `${D}/source`, { agent, fence, ...more });
  const found = (agent: string, { fence }: Look, digit: string, tree = digit): Promise<Answer> =>
    report(agent, fence, { head: { commit: commit(digit), tree } });
  /** Token of a user who may write on some stacks only. */
  const limited = (...stacks: readonly string[]): Promise<string> =>
    makeToken({ ...service, now }, { user: 'ann', name: 'some', role: 'writer', stacks });
  const pass = async (ms: number): Promise<void> => {
    skew += ms;
    await service.pass(ms);
  };
  return { service, call, claim, look, report, found, limited, pass };
}

storeTest(
  'one agent looks for commits, and a new tree asks for an update that waits for people',
  async () => {
    const { call, claim, look, found, pass, service } = await world();
    expect((await claim('old', {}))['look']).toBeUndefined();
    const first = (await look('one')) as Look;
    expect(first.settings).toEqual({ sourceContext: { git: GIT }, cairn: { source: { every: '2m' } } });
    expect(await look('two')).toBeUndefined();
    expect((await found('two', first, 'a')).status).toBe(409);
    const { deployment } = (await found('one', first, 'a')).body;
    expect((await call('GET', `${D}/${String(deployment)}`)).body).toMatchObject({
      ...{ pulumiOperation: 'update', initiator: 'source', requestedBy: { name: 'source' } },
    });
    const run = (await claim('one'))['run'] as Claimed;
    expect(run).toMatchObject({ deployment, row: { commit: commit('a'), by: 'source' } });
    // No person has asked: without a policy the commit approves nothing, and a newer one moves it.
    expect([run.row['approved'], run.row['pinned']]).toEqual([undefined, undefined]);
    expect(await look('two')).toBeUndefined();
    await call('POST', `${D}/${run.deployment}/cancel`);
    await pass(121_000);
    const second = (await look('two')) as Look;
    expect((await found('two', second, 'b', 'a')).body).toEqual({});
    const admin = { auth: `token ${await service.tokenFor('admin')}` };
    const log = await service.call('GET', `${ORG}/auditlogs?eventType=attend-look`, admin);
    expect(log.body['auditLogEvents']).toMatchObject([
      { description: `found a commit that asks for an operation: ${commit('a')} ${String(deployment)}` },
    ]);
  },
);

storeTest('of commits that have not begun the newest one runs', async () => {
  const { call, claim, look, found, pass } = await world({
    ...{ ...SETTINGS, cairn: { onCommit: 'preview', source: { every: '1s' } } },
  });
  await call('POST', D, { operation: 'update' });
  expect((await claim('one'))['run']).toBeDefined();
  const ids: unknown[] = [];
  for (const digit of ['a', 'b', 'c']) {
    ids.push((await found('one', (await look('one')) as Look, digit)).body['deployment']);
    await pass(1_001);
  }
  const [first, second, third] = await Promise.all(
    ids.map(async (id) => (await call('GET', `${D}/${String(id)}`)).body),
  );
  expect([first?.['status'], second?.['status']]).toEqual(['skipped', 'skipped']);
  expect(third).toMatchObject({ status: 'not-started', pulumiOperation: 'preview' });
});

storeTest('the look of an agent that is gone goes to another one', async () => {
  const { look, report, found, pass } = await world();
  const lost = (await look('one')) as Look;
  await pass(20_000);
  expect((await report('one', lost.fence, {})).status).toBe(200);
  await pass(20_000);
  expect(await look('two')).toBeUndefined();
  await pass(11_000);
  const taken = (await look('two')) as Look;
  expect(taken.fence).toBe(lost.fence + 1);
  expect((await found('one', lost, 'a')).status).toBe(409);
  expect((await found('two', taken, 'b')).status).toBe(200);
});

storeTest('a source that cannot be read is reported once, and looked at again', async () => {
  const { call, look, report, pass } = await world();
  const counts: unknown[] = [];
  for (const why of ['no route', 'no route', 'no such branch']) {
    const { fence } = (await look('one')) as Look;
    expect((await report('one', fence, { why })).status).toBe(200);
    const { body } = await call('GET', `${ORG}/notices`);
    counts.push((body['notices'] as object[])[0]);
    await pass(121_000);
  }
  expect(counts).toMatchObject([
    { type: 'source-failed', occurrences: 1, 'last-data': { why: 'no route' } },
    { occurrences: 1 },
    { occurrences: 2, 'last-data': { why: 'no such branch' } },
  ]);
});

storeTest('new settings are looked at at once, and those that ask for nothing never', async () => {
  const { call, look, found, report } = await world();
  const first = (await look('one')) as Look;
  await call('POST', `${D}/settings`, { sourceContext: { git: { branch: 'next' } } });
  expect((await found('one', first, 'a')).status).toBe(409);
  const second = (await look('one')) as Look;
  expect(second.settings).toMatchObject({ sourceContext: { git: { branch: 'next' } } });
  expect((await found('one', second, 'a')).status).toBe(200);
  for (const change of [
    { cairn: { onCommit: 'nothing' } },
    { cairn: { onCommit: 'up' }, sourceContext: { git: { commit: commit('a') } } },
    { cairn: { source: { directory: '/srv/shop' } } },
  ]) {
    await call('POST', `${D}/settings`, change);
    await call('POST', `${D}/settings`, { sourceContext: { git: { branch: 'main' } } });
    expect((await look('one')) ?? 'none').toBe('none');
  }
  const source = { directory: null, archive: 's3://programs/shop.tar.gz' };
  await call('POST', `${D}/settings`, { cairn: { source }, sourceContext: null });
  const archive = (await look('one')) as Look;
  expect(archive.settings).toMatchObject({ cairn: { source: { archive: source.archive } } });
  const version = 'a'.repeat(64);
  const { body } = await report('one', archive.fence, { head: { commit: version, tree: version } });
  expect(body['deployment']).toBeDefined();
});

const NET = S.replace(/dev$/, 'net');
const READS = { cairn: { reads: ['shop/net'] } };

storeTest('a run reads the stacks that its settings name, and changes nothing there', async () => {
  const { call, claim, limited } = await world(READS);
  await call('POST', D, { operation: 'update' });
  const { token } = (await claim('one'))['run'] as Claimed;
  const secret = Buffer.from('hunter2').toString('base64');
  const { ciphertext } = (await call('POST', `${NET}/encrypt`, { plaintext: secret })).body;
  expect((await call('GET', `${NET}/export`, undefined, token)).status).toBe(200);
  expect((await call('POST', `${NET}/decrypt`, { ciphertext }, token)).body).toEqual({ plaintext: secret });
  expect((await call('POST', `${NET}/encrypt`, { plaintext: secret }, token)).status).toBe(403);
  expect((await call('POST', `${NET}/update`, {}, token)).status).toBe(403);
  expect((await call('DELETE', NET, undefined, token)).status).toBe(403);
  expect((await call('GET', `${S.replace(/dev$/, 'other')}/export`, undefined, token)).status).toBe(404);
  // An agent passes nothing on that it may not read itself.
  const some = await limited('shop/dev');
  await call('POST', D, { operation: 'preview' });
  const claimed = await call('POST', `${ORG}/agents/claim`, { agent: 'two' }, some);
  expect(claimed.status).toBe(403);
});

storeTest('who names a stack, or brings a program of their own, must be able to read it', async () => {
  const { call, claim, limited } = await world();
  const [dev, both] = [await limited('shop/dev'), await limited('shop/dev', 'shop/net')];
  expect((await call('POST', `${D}/settings`, READS, dev)).status).toBe(404);
  expect((await call('POST', `${D}/settings`, READS, both)).status).toBe(200);
  const commands = { operationContext: { preRunCommands: ['sh steal.sh'] } };
  expect((await call('POST', `${D}/settings`, commands, dev)).status).toBe(404);
  const update = { operation: 'update' };
  expect((await call('POST', D, { ...update, ...commands }, dev)).status).toBe(404);
  expect((await call('POST', D, { ...update, cairn: { commit: commit('a') } }, dev)).status).toBe(404);
  const once = { scheduleOnce: '2030-01-01T00:00:00Z', request: { ...update, ...commands } };
  expect((await call('POST', `${D}/schedules`, once, dev)).status).toBe(404);
  expect((await call('POST', D, update, dev)).status).toBe(200);
  // A name that is gone from the settings, and one of a request, give nothing.
  await call('POST', `${D}/settings`, { cairn: { reads: null } });
  await call('POST', D, { operation: 'refresh', cairn: { reads: ['shop/net'] } }, dev);
  const { token } = (await claim('one'))['run'] as Claimed;
  expect((await call('GET', `${NET}/export`, undefined, token)).status).toBe(404);
  for (const reads of ['shop/net', ['shop/*'], ['net'], [7]])
    expect((await call('POST', `${D}/settings`, { cairn: { reads } })).status).toBe(400);
});
