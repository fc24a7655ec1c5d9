import { stateDigest } from '@cairn/backends';
import { S, endServices, isShared, resource, startTestService, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';

afterEach(endServices);

const CHANGE = {
  operation: 'up',
  options: { targets: ['a'] },
  goalKey: 'v1:key',
  process: { pid: 7, hostname: 'h1', machine: 'm1', started: 's1' },
};
const AT = '2030-01-01T00:00:00.000Z';
const TASKS = { total: 1, done: 1, undone: 0, failed: 0, held: 0, waiting: 0, doubt: 0 };

/** Records of a change that creates one resource, and their entries. The journal has the entries 1 and 2. */
const OPENED = { seq: 1, tx: 1, at: AT, record: 'change', id: '1', kind: 'up', summary: '', scope: 's' };
const TASK = { seq: 2, tx: 2, at: AT, record: 'task', id: '1', kind: 'create', summary: 'create a' };
const INTENT = {
  ...{ seq: 3, tx: 3, at: AT, record: 'intent', task: '1', direction: 'do' },
  ...{ status: 'doing', attempt: 1, entry: 1 },
};
const OUTCOME = {
  ...{ seq: 4, tx: 4, at: AT, record: 'outcome', task: '1', direction: 'do' },
  ...{ result: 'ok', status: 'done', ms: 1, entry: [2] },
};
const BEGIN = {
  ...{ version: 1, kind: 0, sequenceID: 1, operationID: 1, removeOld: null, removeNew: null },
  operation: { resource: resource('a'), type: 'creating' },
};
const SUCCESS = {
  ...{ version: 1, kind: 1, sequenceID: 2, operationID: 1, removeOld: null, removeNew: null },
  state: resource('a'),
};

interface Running {
  readonly service: TestService;
  readonly answer: Answer;
  send(batch: object): Promise<Answer>;
  complete(change?: object): Promise<Answer>;
  cancel(): Promise<Answer>;
  get(route: string): Promise<Answer>;
}

async function stackOf(service: TestService): Promise<void> {
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
}

/** Starts an update with a change. */
async function running(given?: TestService, change: object | null = CHANGE): Promise<Running> {
  const service = given ?? (await startTestService());
  if (given === undefined) await stackOf(service);
  const created = await service.call('POST', `${S}/update`, {
    body: {
      options: { dryRun: false },
      config: { 'shop:key': { string: 'v1:abc', secret: true, object: false } },
      metadata: { message: '', environment: { 'exec.kind': 'cli' } },
      ...(change && { change }),
    },
  });
  const route = `${S}/update/${String(created.body['updateID'])}`;
  const answer = await service.call('POST', route, { body: { journalVersion: 1 } });
  const auth = `update-token ${String(answer.body['token'])}`;
  return {
    ...{ service, answer },
    send: (body) => service.call('PATCH', `${route}/journalentries`, { auth, gzip: true, body }),
    complete: (end) =>
      service.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded', change: end } }),
    cancel: () => service.call('POST', `${route}/cancel`),
    get: (at) => service.call('GET', `${S}/${at}`),
  };
}

const WHOLE = { entries: [BEGIN, SUCCESS], records: [OPENED, TASK, INTENT, OUTCOME] };

/** Digest of the stored state, as clients make it. */
async function digestNow({ get }: Running): Promise<string> {
  const { version, deployment } = JSON.parse((await get('export')).text) as Record<string, unknown>;
  return stateDigest({
    version: Number(version),
    features: undefined,
    deployment: JSON.stringify(deployment),
  });
}

storeTest(
  'the records of a change are kept beside its journal, and read back with their entries',
  async () => {
    const update = await running();
    const base = await digestNow(update);
    expect(update.answer.body).toMatchObject({ change: { number: 1, base } });
    expect((await update.send({ entries: [BEGIN], records: [OPENED, TASK, INTENT] })).status).toBe(200);
    expect((await update.send({ entries: [SUCCESS], records: [OUTCOME] })).status).toBe(200);
    const { body } = await update.get('changes');
    expect(body).toMatchObject({
      running: expect.any(String),
      changes: [
        {
          number: 1,
          operation: {
            ...{ change: '00000001', lock: body['running'], username: 'writer-user', base },
            ...{ pid: 7, hostname: 'h1', machine: 'm1', started: 's1', operation: 'up', goalKey: 'v1:key' },
            ...{ options: { targets: ['a'] }, config: { 'shop:key': { secure: 'v1:abc' } } },
          },
        },
      ],
    });
    expect((await update.get('changes/1/records')).body).toEqual({
      records: WHOLE.records,
      entries: [BEGIN, SUCCESS],
    });
    expect((await update.get('changes/1/records?after=3')).body).toEqual({
      records: [OUTCOME],
      entries: [SUCCESS],
    });
    expect((await update.get('changes/1/base')).text).toContain('"deployment":');
    const end = {
      result: 'succeeded',
      status: 'done',
      tasks: TASKS,
      message: 'a commit',
      environment: { more: 'x', 'cairn.user': 'root' },
    };
    expect((await update.complete(end)).status).toBe(200);
    const [change] = (await update.get('changes')).body['changes'] as { sealed: object }[];
    expect(change?.sealed).toMatchObject({
      ...{ lock: body['running'], result: 'succeeded', status: 'done', tasks: TASKS },
      checkpoint: await digestNow(update),
    });
    const [info] = (await update.get('updates')).body['updates'] as object[];
    expect(info).toMatchObject({
      message: 'a commit',
      environment: { 'exec.kind': 'cli', more: 'x', 'cairn.user': 'writer-user' },
    });
  },
);

storeTest.each<[string, object, number]>([
  ['the same records again', WHOLE, 200],
  ['a part of them with new ones', { entries: [SUCCESS], records: [INTENT, OUTCOME] }, 200],
  ['another record of a number', { records: [{ ...TASK, summary: 'other' }] }, 400],
  ['a gap', { entries: [SUCCESS], records: [{ ...OUTCOME, seq: 6 }] }, 400],
  ['two of one number', { records: [OUTCOME, { ...OUTCOME, ms: 2 }] }, 400],
  ['an unknown kind', { records: [{ ...OUTCOME, record: 'other' }] }, 400],
  ['a missing member', { records: [{ ...OUTCOME, task: undefined }] }, 400],
  ['no object', { records: [1] }, 400],
  ['no list', { records: 'x' }, 400],
  ['an entry that is refused', { entries: [{ ...SUCCESS, removeOld: 9 }], records: [OUTCOME] }, 400],
  ['a new state in the middle of the journal', { entries: [write()], records: [] }, 200],
])('a batch with %s is stored whole or not at all', async (_title, batch, status) => {
  const update = await running();
  const first = { entries: [BEGIN], records: [OPENED, TASK, INTENT] };
  expect((await update.send(first)).status).toBe(200);
  const before = (await update.get('changes/1/records')).text;
  const answer = await update.send(batch);
  expect([answer.status, answer.body['code'] ?? 200]).toEqual([status, status]);
  if (status !== 200) expect((await update.get('changes/1/records')).text).toBe(before);
  const rest = { entries: [SUCCESS], records: [OUTCOME] };
  expect((await update.send(rest)).status).toBe(200);
  expect((await update.get('changes/1/records')).body['records']).toEqual(WHOLE.records);
});

function write(): object {
  const newSnapshot = { manifest: { time: AT, magic: '', version: '' } };
  return { ...BEGIN, kind: 5, sequenceID: 3, operationID: 0, operation: undefined, newSnapshot };
}

storeTest(
  'an update of a client without changes takes no records, and none in the middle of its journal',
  async () => {
    const update = await running(undefined, null);
    expect(update.answer.body['change']).toBe(undefined);
    expect((await update.send({ entries: [BEGIN], records: [OPENED] })).status).toBe(409);
    expect((await update.send({ entries: [BEGIN] })).status).toBe(200);
    expect((await update.send({ entries: [write()] })).status).toBe(400);
    expect((await update.get('changes')).body).toMatchObject({ changes: [] });
    expect((await update.get('changes/1/records')).status).toBe(404);
  },
);

storeTest('lists show what a client without changes has left in doubt, until it is settled', async () => {
  const update = await running(undefined, null);
  const { service } = update;
  const inDoubt = async (): Promise<unknown> => {
    const { stacks } = (await service.call('GET', '/console/stacks')).body;
    return (stacks as { readonly inDoubt: number }[]).map((row) => row.inDoubt);
  };
  await update.send({ entries: [BEGIN] });
  expect(await inDoubt()).toEqual([0]);
  await update.cancel();
  expect(await inDoubt()).toEqual([1]);
  expect((await service.call('GET', S.replace('/api', '/console'))).body['doubts']).toHaveLength(1);
  const state = (await update.get('export')).body as { readonly deployment: object };
  const settled = { ...state, deployment: { ...state.deployment, pending_operations: [] } };
  expect((await service.call('POST', `${S}/import`, { body: settled })).status).toBe(200);
  expect(await inDoubt()).toEqual([0]);
});

storeTest('a change whose client is gone is closed by its records', async () => {
  const update = await running();
  await update.send({ entries: [BEGIN], records: [OPENED, TASK, INTENT] });
  await update.service.pass(331_000);
  await update.service.service.sweep();
  const second = await running(update.service);
  await second.cancel();
  const sealed = ((await update.get('changes')).body['changes'] as { sealed: object }[]).map(
    (each) => each.sealed,
  );
  expect(sealed).toMatchObject([
    { result: 'interrupted', status: 'doing', tasks: { ...TASKS, done: 0, doubt: 1 } },
    { result: 'nothing', checkpoint: await digestNow(update) },
  ]);
  expect((await update.get('export')).text).toContain('"pending_operations"');
});

storeTest('the resources of a state get the order that the client gives', async () => {
  const update = await running();
  const other = { ...SUCCESS, sequenceID: 3, operationID: 2, state: resource('b') };
  await update.send({ entries: [SUCCESS, other], records: [OPENED] });
  await update.complete({
    result: 'succeeded',
    status: 'hold',
    tasks: { ...TASKS, total: 0 },
    order: [1, 0],
  });
  const { deployment } = (await update.get('export')).body as {
    deployment: { resources: { urn: string }[] };
  };
  expect(deployment.resources.map(({ urn }) => urn.split('::').at(-1))).toEqual(['b', 'a']);
});

storeTest('messages to a change are kept in their order, and only messages', async () => {
  const update = await running();
  const send = async (number: string, body: object): Promise<number> =>
    (await update.service.call('POST', `${S}/changes/${number}/messages`, { body })).status;
  const abort = { t: 'abort', rollback: true, by: 'ann' };
  const resolve = { t: 'resolve', task: '1', answer: { created: 'id' }, by: 'ann' };
  expect([await send('1', abort), await send('1', resolve)]).toEqual([200, 200]);
  for (const wrong of [
    { t: 'stop' },
    { ...abort, rollback: 'yes' },
    { ...resolve, task: '../x' },
    { ...resolve, answer: {} },
  ])
    expect(await send('1', wrong)).toBe(400);
  for (const unknown of ['2', '0', '-1', 'x', '99999999999999999999'])
    expect(await send(unknown, abort)).toBe(404);
  expect((await update.get('changes/1/messages')).body).toEqual({
    messages: [abort, resolve].map((message) => ({ ...message, by: 'writer-user' })),
  });
});

storeTest('the oldest changes go with their records, and numbers grow on', async () => {
  const service = await startTestService(undefined, { retention: 2 });
  await stackOf(service);
  for (let count = 1; count <= 4; count += 1) {
    const update = await running(service);
    expect(update.answer.body).toMatchObject({ change: { number: count } });
    await update.send({ entries: [{ ...SUCCESS, state: resource(`r${count}`) }], records: [OPENED, TASK] });
    await update.complete({ result: 'succeeded', status: 'done', tasks: TASKS });
  }
  const last = await running(service);
  const listed = (await last.get('changes')).body['changes'] as { number: number }[];
  expect(listed.map(({ number }) => number)).toEqual([3, 4, 5]);
  expect((await last.get('changes/1/records')).status).toBe(404);
  expect((await last.get('updates')).body['updates']).toHaveLength(4);
});

storeTest('records that were acknowledged are there after a restart, and are continued', async () => {
  const update = await running();
  await update.send({ entries: [BEGIN], records: [OPENED, TASK, INTENT] });
  const { service } = update;
  if (!isShared()) await service.stop();
  const again = await startTestService(service.folder);
  const get = async (route: string): Promise<Answer> => again.call('GET', `${S}/${route}`);
  expect((await get('changes/1/records')).body['records']).toEqual([OPENED, TASK, INTENT]);
  const id = String((await get('changes')).body['running']);
  const auth = `update-token ${String(update.answer.body['token'])}`;
  const send = (body: object): Promise<Answer> =>
    again.call('PATCH', `${S}/update/${id}/journalentries`, { auth, body });
  expect((await send({ entries: [SUCCESS], records: [INTENT, OUTCOME] })).status).toBe(200);
  expect((await send({ records: [{ ...OUTCOME, ms: 9 }] })).status).toBe(400);
  expect((await get('changes/1/records')).body).toEqual({ ...WHOLE });
});
