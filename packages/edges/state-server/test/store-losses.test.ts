import { linkSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './postgres-kind.js';
import {
  MANIFEST,
  S,
  endServices,
  isShared,
  resource,
  startTestService,
  startUpdate,
  startWithStacks,
  storeTest,
  storeUrls,
} from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

const ORG = '/api/orgs/organization';

/** File of the newest state, and the one that had its name before: none where every state has a file of its own. */
interface StateFile {
  readonly file: string;
  readonly before?: string;
}

/** Service with the states of two imports. */
async function withTwoVersions() {
  const service = await startWithStacks();
  const { call } = service;
  const id = String((await call('GET', S)).body['id']);
  const importOf = (name: string) =>
    call('POST', `${S}/import`, {
      body: { version: 3, deployment: { manifest: MANIFEST, resources: [resource(name)] } },
    });
  expect((await importOf('a')).status).toBe(200);
  const folder = isShared() ? path.join(service.folder, 'stacks', id) : '';
  const checkpoint = path.join(service.folder, '.pulumi', 'stacks', 'shop', 'dev.json');
  const names = new Set(isShared() ? readdirSync(folder) : []);
  const before = isShared() ? undefined : path.join(service.folder, 'before.json');
  if (before !== undefined) linkSync(checkpoint, before);
  expect((await importOf('b')).status).toBe(200);
  const made = isShared() ? readdirSync(folder).find((name) => !names.has(name)) : undefined;
  const state: StateFile = {
    file: made === undefined ? checkpoint : path.join(folder, made),
    ...(before && { before }),
  };
  const admin = `token ${await service.tokenFor('admin')}`;
  const losses = async () => {
    const { body } = await call('GET', `${ORG}/auditlogs?eventType=state-lost`, { auth: admin });
    return body['auditLogEvents'] as readonly Record<string, unknown>[];
  };
  return { service, call, importOf, state, losses, id };
}

/** Takes the write of the newest state back, as a store does that acknowledged it and did not keep it. */
function takeBack({ file, before }: StateFile): void {
  if (before === undefined) rmSync(file);
  else renameSync(before, file);
}

const SPOILS: readonly (readonly [string, (state: StateFile) => void])[] = [
  ['was not kept', takeBack],
  ['is gone', ({ file }) => rmSync(file)],
  ['was cut off', ({ file }) => writeFileSync(file, readFileSync(file).subarray(0, 100))],
];

storeTest.each(SPOILS)(
  'a state that was acknowledged and %s is noticed: its stack is named, marked and audited until it has a state',
  async (_how, spoil) => {
    const { call, importOf, state, losses, id } = await withTwoVersions();
    const older = (await call('GET', `${S}/export/1`)).text;
    const newest = (await call('GET', `${S}/export`)).text;
    expect((await call('GET', S)).body['lostState']).toBeUndefined();
    spoil(state);
    const created = await call('POST', `${S}/update`, { body: {} });
    for (const answer of [
      await call('GET', `${S}/export`),
      await call('POST', `${S}/update/${String(created.body['updateID'])}`, { body: { journalVersion: 1 } }),
    ]) {
      expect([answer.status, answer.body['code']]).toEqual([500, 500]);
      expect(answer.body['message']).toContain("has lost or damaged a state of stack 'dev'");
    }
    const mark = { at: expect.any(Number) as number, what: 'state' };
    expect((await call('GET', S)).body).toMatchObject({ id, lostState: mark });
    expect((await call('GET', '/api/user/stacks')).body['stacks']).toMatchObject([
      { stackName: 'dev', lostState: mark },
    ]);
    expect((await call('GET', '/console/stacks')).body['stacks']).toMatchObject([
      { stack: 'dev', lostState: mark },
    ]);
    expect(await losses()).toMatchObject([
      { event: 'state-lost', description: expect.stringContaining('newest state') as string },
    ]);

    expect((await call('POST', `${S}/import`, { body: JSON.parse(older) as object })).status).toBe(200);
    expect((await call('GET', `${S}/export`)).text).toBe(older);
    expect((await call('GET', S)).body['lostState']).toBeUndefined();
    const { route, answer } = await startUpdate({ call } as never);
    expect([answer.status, (await call('POST', `${route}/cancel`)).status]).toEqual([200, 200]);
    expect((await importOf('b')).status).toBe(200);
    expect((await call('GET', `${S}/export`)).text).toBe(newest);
    expect(await losses()).toHaveLength(1);
  },
);

storeTest('the mark of a state goes when the store has it again', async () => {
  const { call, state, losses } = await withTwoVersions();
  const bytes = readFileSync(state.file);
  rmSync(state.file);
  expect((await call('GET', `${S}/export`)).status).toBe(500);
  expect((await call('GET', S)).body['lostState']).toBeDefined();
  writeFileSync(state.file, bytes);
  expect((await call('GET', S)).body['lostState']).toBeUndefined();
  expect((await call('GET', `${S}/export`)).status).toBe(200);
  expect(await losses()).toHaveLength(1);
});

storeTest('what another tool does in the bucket is no loss', async () => {
  if (isShared()) return;
  const { call, state, losses, service } = await withTwoVersions();
  const { file, before } = state as Required<StateFile>;
  const newest = readFileSync(file, 'utf8');
  writeFileSync(file, newest.replace('Thing::b', 'Thing::c'));
  expect((await call('GET', `${S}/export`)).text).toContain('Thing::c');
  // The state before, stored again.
  writeFileSync(file, readFileSync(before));
  expect((await call('GET', `${S}/export`)).text).toContain('Thing::a');
  // A stack that the tool removes has no history any more.
  rmSync(file);
  rmSync(path.join(service.folder, '.pulumi', 'history', 'shop', 'dev'), { recursive: true });
  expect((await call('GET', `${S}/export`)).status).toBe(404);
  expect((await call('GET', S)).status).toBe(404);
  expect(await losses()).toEqual([]);
});

/** Update with entries that make a resource. */
async function withEntries(service: TestService) {
  const update = await startUpdate(service);
  const entries = [
    {
      ...{ version: 1, kind: 0, sequenceID: 1, operationID: 1 },
      operation: { resource: resource('c'), type: 'creating' },
    },
    { version: 1, kind: 1, sequenceID: 2, operationID: 1, state: resource('c'), removeOld: null },
  ];
  const { route, auth } = update;
  const sent = await service.call('PATCH', `${route}/journalentries`, { auth, body: { entries } });
  expect(sent.status).toBe(200);
  return update;
}

storeTest('an update whose base is lost keeps the state that is there, and marks its stack', async () => {
  const { service, id: stackId } = await withTwoVersions();
  const { route, auth, id } = await withEntries(service);
  await service.stop();
  if (isShared()) rmSync(path.join(service.folder, 'stacks', stackId), { recursive: true });
  else rmSync(path.join(service.folder, '.pulumi/service/updates', stackId, id, 'base.json'));
  const { call, service: again, tokenFor } = await startTestService(service.folder);
  const admin = `token ${await tokenFor('admin')}`;
  const ended = await call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } });
  expect(ended.status).toBe(200);
  expect((await call('GET', S)).body['lostState']).toMatchObject({ what: 'update' });
  await again.sweep();
  const { body } = await call('GET', `${ORG}/auditlogs?eventType=state-lost`, { auth: admin });
  expect(body['auditLogEvents']).toHaveLength(1);
  if (!isShared()) expect((await call('GET', `${S}/export`)).text).toContain('Thing::b');
});

/** Damage to a journal that a later process finds. `journal` is the folder of its segments. */
const JOURNAL_DAMAGES: readonly (readonly [string, (journal: string) => void])[] = [
  ['a segment of its journal is gone', (journal) => rmSync(path.join(journal, '000001'))],
  [
    'an entry within its journal is damaged',
    (journal) => {
      const bytes = readFileSync(path.join(journal, '000001'));
      bytes[bytes.indexOf('Thing')] = 0x58;
      writeFileSync(path.join(journal, '000001'), bytes);
    },
  ],
];

storeTest.each(JOURNAL_DAMAGES)(
  'an update that a restarted service ends keeps the state that is there if %s',
  async (_how, damage) => {
    if (isShared()) return;
    const { service, id: stackId } = await withTwoVersions();
    const { route, auth, id } = await withEntries(service);
    const more = (sequenceID: number, name: string) => ({
      entries: [{ version: 1, kind: 1, sequenceID, operationID: sequenceID, state: resource(name) }],
    });
    const send = (to: TestService, body: object) =>
      to.call('PATCH', `${route}/journalentries`, { auth, body });
    expect((await send(service, more(3, 'd'))).status).toBe(200);
    await service.stop();
    const second = await startTestService(service.folder);
    expect((await send(second, more(4, 'e'))).status).toBe(200);
    await second.stop();
    damage(path.join(service.folder, '.pulumi/service/updates', stackId, id, 'journal'));
    const { call } = await startTestService(service.folder);
    const ended = await call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } });
    expect(ended.status).toBe(200);
    expect((await call('GET', S)).body['lostState']).toMatchObject({ what: 'update' });
    expect((await call('GET', `${S}/export`)).text).toContain('Thing::b');
  },
);

storeTest('an update whose journal is lost while it runs leaves what it recorded', async () => {
  if (isShared()) return;
  const { call, service, losses, id: stackId } = await withTwoVersions();
  const { route, auth, id } = await withEntries(service);
  rmSync(path.join(service.folder, '.pulumi/service/updates', stackId, id, 'journal/000001'));
  const ended = await call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } });
  expect(ended.status).toBe(200);
  expect((await call('GET', S)).body['lostState']).toBeUndefined();
  expect(await losses()).toEqual([]);
  expect((await call('GET', `${S}/export`)).text).toContain('Thing::c');
});

const TASKS = { total: 1, done: 1, undone: 0, failed: 0, held: 0, waiting: 0, doubt: 0 };

/** Removes what the newest batch of a stopped service has stored. */
async function removeNewestBatch(folder: string): Promise<void> {
  if (isShared()) {
    const { store } = await storeUrls(folder);
    return void (await run(store, 'delete from cairn.journal where seq = 2'));
  }
  const journals = path.join(folder, '.pulumi/journals');
  const segments = readdirSync(journals, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\d{6}$/.test(name),
  );
  rmSync(path.join(journals, segments.sort().at(-1) ?? ''));
}

storeTest.each([
  ['noticed if the client says that there were more entries', 2, { what: 'update' }, 'Thing::b'],
  ['no loss if the client says that there were no more', 1, undefined, 'Thing::c'],
])('the end of a journal that is gone after a restart is %s', async (_what, entries, mark, has) => {
  const { service, call } = await withTwoVersions();
  const change = { operation: 'up', process: { pid: 7, hostname: 'h1' } };
  const created = await call('POST', `${S}/update`, { body: { change } });
  const route = `${S}/update/${String(created.body['updateID'])}`;
  const started = await call('POST', route, { body: { journalVersion: 1 } });
  const auth = `update-token ${String(started.body['token'])}`;
  const send = async (to: TestService, sequenceID: number, name: string) => {
    const entry = { version: 1, kind: 1, sequenceID, operationID: sequenceID, state: resource(name) };
    const sent = await to.call('PATCH', `${route}/journalentries`, { auth, body: { entries: [entry] } });
    expect(sent.status).toBe(200);
  };
  await send(service, 1, 'c');
  await service.stop();
  const second = await startTestService(service.folder);
  await send(second, 2, 'd');
  await second.stop();
  await removeNewestBatch(service.folder);
  const third = await startTestService(service.folder);
  const end = { result: 'succeeded', status: 'done', tasks: TASKS, entries };
  const ended = await third.call('POST', `${route}/complete`, {
    ...{ auth, body: { status: 'succeeded', change: end } },
  });
  expect(ended.status).toBe(200);
  const { body } = await third.call('GET', S);
  expect(body['lostState']).toEqual(mark && expect.objectContaining(mark));
  const { text } = await third.call('GET', `${S}/export`);
  expect(text).toContain(has);
  expect(text).not.toContain('Thing::d');
});
