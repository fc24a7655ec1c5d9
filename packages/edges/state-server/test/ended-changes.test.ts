import { stateDigest } from '@cairn/backends';
import { S, endServices, startTestService, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';
import { ENDED_CHANGE } from './valid-bodies.js';

/** Changes that ended elsewhere are added under their numbers. */

afterEach(endServices);

async function serviceWithStack(): Promise<TestService> {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  return service;
}

async function add(service: TestService, body: object, number = 7): Promise<Answer> {
  const auth = `token ${await service.tokenFor('admin')}`;
  return service.call('POST', `${S}/changes/${number}`, { body, gzip: true, auth });
}

const listed = async (service: TestService): Promise<readonly Record<string, object>[]> =>
  (await service.call('GET', `${S}/changes`)).body['changes'] as Record<string, object>[];

/** Digest of the state in the body of a request. */
const BASE = stateDigest({
  version: 3,
  features: undefined,
  deployment: JSON.stringify(ENDED_CHANGE.base.deployment),
});

storeTest('an ended change is read back as it was sent, with the name of its state made anew', async () => {
  const service = await serviceWithStack();
  expect((await add(service, ENDED_CHANGE)).status).toBe(200);
  const [change] = await listed(service);
  expect(change).toMatchObject({
    number: 7,
    operation: { change: '00000007', ...ENDED_CHANGE.operation, base: BASE },
    sealed: { ...ENDED_CHANGE.end, checkpoint: 'l' },
  });
  const get = (route: string): Promise<Answer> => service.call('GET', `${S}/changes/7/${route}`);
  expect((await get('records')).body).toEqual({ records: ENDED_CHANGE.records, entries: [] });
  expect((await get('records?after=3')).body['records']).toEqual(ENDED_CHANGE.records.slice(3));
  expect((await get('messages')).body['messages']).toEqual(ENDED_CHANGE.messages);
  expect((await get('base')).body['deployment']).toEqual(ENDED_CHANGE.base.deployment);
});

storeTest('the same change again changes nothing, and another one of its number is refused', async () => {
  const service = await serviceWithStack();
  await add(service, ENDED_CHANGE);
  const before = await listed(service);
  expect((await add(service, ENDED_CHANGE)).status).toBe(200);
  const other = { ...ENDED_CHANGE, operation: { ...ENDED_CHANGE.operation, startTime: 2 } };
  expect((await add(service, other)).body).toMatchObject({
    ...{ code: 409, message: expect.stringContaining('Change 7 of the stack is another operation') },
  });
  expect(await listed(service)).toEqual(before);
});

storeTest(
  'numbers of later changes follow, and those that are removed take their records along',
  async () => {
    const service = await serviceWithStack();
    await add(service, { ...ENDED_CHANGE, base: undefined });
    expect((await service.call('GET', `${S}/changes/7/base`)).body).toMatchObject({ code: 404 });
    const created = await service.call('POST', `${S}/update`, {
      body: {
        ...{ options: { dryRun: false }, config: {}, metadata: { message: '', environment: {} } },
        change: { operation: 'up', process: { pid: 1, hostname: 'h' } },
      },
    });
    const route = `${S}/update/${String(created.body['updateID'])}`;
    const started = await service.call('POST', route, { body: { journalVersion: 1 } });
    expect(started.body).toMatchObject({ change: { number: 8 } });
    const running = await add(service, ENDED_CHANGE, 6);
    expect(running.body).toMatchObject({ code: 409, message: expect.stringContaining('Another update') });
    expect((await service.call('POST', `${route}/cancel`)).status).toBe(200);
    expect((await service.call('DELETE', S, {})).status).toBe(200);
  },
);

const [opened, task, ...rest] = ENDED_CHANGE.records;

storeTest.each<[string, object]>([
  ['records with a gap', { records: [opened, ...rest] }],
  ['a record that does not fit those before it', { records: [opened, { ...rest[0], seq: 2, tx: 2 }] }],
  ['a transaction that is not complete', { records: [opened, { ...task, more: true }] }],
  ['an entry that is not there', { records: [opened, task, { ...rest[0], entry: 1 }] }],
  ['an unknown message', { messages: [{ t: 'other', by: 'ann' }] }],
  ['an unknown result', { end: { ...ENDED_CHANGE.end, result: 'in-progress' } }],
  ['a state without a deployment', { base: { version: 3 } }],
  ['a state that is none', { base: { version: 3, deployment: { resources: 7 } } }],
  ['a time beyond all calendars', { operation: { ...ENDED_CHANGE.operation, startTime: 1e15 } }],
])('%s is refused, and nothing is kept', async (_title, part) => {
  const service = await serviceWithStack();
  expect((await add(service, { ...ENDED_CHANGE, ...part })).body).toMatchObject({ code: 400 });
  expect(await listed(service)).toEqual([]);
});
