import './use-postgres.js';
import { makeToken } from '../src/index.js';
import { endServices, startTestService, startUpdate, storeTest } from './service.js';
import { watchedReads } from './watched-reads.js';

afterEach(endServices);

storeTest('a list of stacks asks the database once for all of a page', async () => {
  const calls: string[] = [];
  const service = await startTestService(undefined, {
    store: (store) => watchedReads(store, calls),
  });
  for (let count = 0; count < 12; count += 1)
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: `s${count}` } });
  await startUpdate(service, { stack: 's3' });
  calls.length = 0;
  const { stacks } = (await service.call('GET', '/api/user/stacks')).body as {
    stacks: readonly Record<string, unknown>[];
  };
  expect(calls.filter((name) => name === 'overviews')).toHaveLength(1);
  expect(calls.filter((name) => ['summary', 'runningUpdate', 'tags'].includes(name))).toEqual([]);
  expect(stacks).toHaveLength(12);
  expect(stacks.filter(({ lastUpdate }) => lastUpdate === 0)).toEqual([
    expect.objectContaining({ stackName: 's3', resourceCount: 0 }),
  ]);
});

storeTest('the list of the console asks once for all rows of a page', async () => {
  const calls: string[] = [];
  const service = await startTestService(undefined, { store: (store) => watchedReads(store, calls) });
  for (let count = 0; count < 60; count += 1)
    await service.call('POST', '/api/stacks/organization/shop', {
      body: { stackName: `s${String(count).padStart(2, '0')}`, tags: { team: count % 2 ? 'web' : 'ops' } },
    });
  await startUpdate(service, { stack: 's03' });
  const look = await startUpdate(service, { stack: 's04', kind: 'refresh', dryRun: true });
  const events = [{ sequence: 0, summaryEvent: { resourceChanges: { same: 3, update: 2 } } }];
  const { auth } = look;
  await service.call('POST', `${look.route}/events/batch`, { auth, body: { events } });
  await service.call('POST', `${look.route}/complete`, { auth, body: { status: 'succeeded' } });
  const list = async (
    query: string,
  ): Promise<{ readonly stacks: readonly object[]; readonly next: string }> => {
    calls.length = 0;
    const { body } = await service.call('GET', `/console/stacks${query}`);
    for (const name of ['listedStacks', 'findStacks'])
      expect(calls.filter((call) => call === name)).toHaveLength(1);
    for (const name of ['summary', 'runningUpdate', 'tags', 'history', 'tickets', 'change'])
      expect(calls).not.toContain(name);
    return body as Awaited<ReturnType<typeof list>>;
  };
  const first = await list('');
  expect([first.stacks.length, first.stacks[3]]).toEqual([
    50,
    expect.objectContaining({ stack: 's03', running: true, resources: 0, inDoubt: 0, tags: { team: 'web' } }),
  ]);
  expect(first.stacks[4]).toMatchObject({ stack: 's04', drift: { resources: 2 } });
  const second = await list(`?after=${first.next}`);
  expect([second.stacks.length, second.next]).toEqual([10, null]);
  expect((await list('?filter=TEAM=web+s0')).stacks).toHaveLength(5);
});

storeTest(
  'a list by tag, and one of a caller with grants by tag, is one query of an organization',
  async () => {
    const calls: string[] = [];
    const service = await startTestService(undefined, { store: (store) => watchedReads(store, calls) });
    const odd = '"env":"dev" \\ \u0000 \u007f é';
    for (const [stackName, tags] of [
      ['a1', { env: 'dev' }],
      ['a2', { env: odd, team: 'web' }],
      ['a3', { myenv: 'dev', text: '"env":"dev"', end: '\\' }],
      ['a4', { env: 'dev', team: 'ops' }],
    ] as const)
      await service.call('POST', '/api/stacks/organization/shop', { body: { stackName, tags } });
    const auth = `token ${await service.tokenFor('admin')}`;
    await service.call('POST', '/api/orgs/organization/members/tag-user', { auth, body: { role: 'none' } });
    const grant = { to: 'user:tag-user', role: 'reader', tag: 'team' };
    await service.call('POST', '/api/orgs/organization/grants', { auth, body: grant });
    const ports = { store: service.store, now: () => new Date() };
    const member = `token ${await makeToken(ports, { user: 'tag-user', role: 'reader', name: 'test' })}`;
    const names = async (query: string, caller = auth): Promise<readonly unknown[]> => {
      calls.length = 0;
      const { stacks } = (await service.call('GET', `/api/user/stacks${query}`, { auth: caller })).body;
      expect(calls.filter((name) => name === 'findStacks')).toHaveLength(1);
      expect(calls.filter((name) => name === 'tags' || name === 'listStacks')).toEqual([]);
      return (stacks as readonly { stackName: string }[]).map(({ stackName }) => stackName);
    };
    expect(await names('?tagName=env')).toEqual(['a1', 'a2', 'a4']);
    expect(await names('?tagName=env&tagValue=dev')).toEqual(['a1', 'a4']);
    expect(await names(`?tagName=env&tagValue=${encodeURIComponent(odd)}`)).toEqual(['a2']);
    expect(await names('?tagName=constructor')).toEqual([]);
    expect(await names('', member)).toEqual(['a2', 'a4']);
    expect(await names('?tagName=env&tagValue=dev', member)).toEqual(['a4']);
  },
);
