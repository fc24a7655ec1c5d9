import { existsSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  MANIFEST,
  S,
  endServices,
  isShared,
  resource,
  startUpdate,
  startWithStacks,
  storeTest,
} from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

const DAY = 24 * 3_600_000;

/** Number of files of journals, bases, states and events. */
function filesOf({ folder }: TestService): number {
  const root = isShared() ? 'stacks' : '.pulumi/service/updates';
  const all = readdirSync(path.join(folder, root), { recursive: true, withFileTypes: true });
  return all.filter((each) => each.isFile() && each.name !== 'update.json').length;
}

async function runUpdate(service: TestService, sequence: number): Promise<string> {
  const { route, auth } = await startUpdate(service);
  const entries = [
    {
      ...{ version: 1, kind: 1, sequenceID: 1, operationID: 1 },
      state: resource(`r${sequence}`),
    },
  ];
  await service.call('PATCH', `${route}/journalentries`, { auth, body: { entries } });
  await service.call('POST', `${route}/events/batch`, {
    auth,
    body: { events: [{ sequence: 1, note: 'seen' }] },
  });
  expect(
    (await service.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } })).status,
  ).toBe(200);
  return route;
}

storeTest('journals of updates that ended go, and everything that can be asked for stays', async () => {
  const service = await startWithStacks({ stacks: ['dev', 'prod'] });
  const ended = await runUpdate(service, 1);
  const running = await startUpdate(service, { stack: 'prod' });
  const entries = [{ version: 1, kind: 1, sequenceID: 1, operationID: 1, state: resource('p') }];
  await service.call('PATCH', `${running.route}/journalentries`, { auth: running.auth, body: { entries } });
  const asked = async (): Promise<readonly string[]> =>
    Promise.all(
      [`${S}/export`, `${S}/export/1`, `${S}/updates`, `${ended}/events`, ended].map(
        async (route) => (await service.call('GET', route)).text,
      ),
    );
  const before = await asked();
  const files = filesOf(service);
  const later = (days: number) => () => new Date(Date.now() + days * DAY);
  await service.store.clean({ eventsMs: undefined, statesMs: undefined, now: later(3) });
  expect(filesOf(service)).toBeLessThan(files);
  expect(await asked()).toEqual(before);
  const { auth } = running;
  expect(
    (await service.call('POST', `${running.route}/complete`, { auth, body: { status: 'succeeded' } })).status,
  ).toBe(200);
  expect((await service.call('GET', `${S.slice(0, -3)}prod/export`)).text).toContain('::p"');
  // A state that was there before, and went, is stored again.
  const state = { version: 3, deployment: { manifest: MANIFEST } };
  for (const resources of [[], [resource('x')], []])
    await service.call('POST', `${S}/import`, {
      body: { ...state, deployment: { manifest: MANIFEST, resources } },
    });
  expect((await service.call('GET', `${S}/export`)).status).toBe(200);
});

storeTest('events go after their time, and not before', async () => {
  const service = await startWithStacks();
  const ended = await runUpdate(service, 1);
  const events = async (): Promise<unknown> => (await service.call('GET', `${ended}/events`)).body['events'];
  await service.store.clean({ eventsMs: DAY, statesMs: undefined, now: () => new Date() });
  expect(await events()).toEqual([{ sequence: 1, note: 'seen' }]);
  await service.pass(3 * DAY);
  await service.store.clean({
    eventsMs: DAY,
    statesMs: undefined,
    now: () => new Date(Date.now() + 3 * DAY),
  });
  expect(await events()).toEqual([]);
});

storeTest('previews go after the time of events, with their events, and updates stay', async () => {
  const service = await startWithStacks();
  const ended = await startUpdate(service, { dryRun: true });
  await service.call('POST', `${ended.route}/events/batch`, {
    ...{ auth: ended.auth, body: { events: [{ sequence: 1 }] } },
  });
  await service.call('POST', `${ended.route}/complete`, { auth: ended.auth, body: { status: 'succeeded' } });
  const listed = async (): Promise<number> =>
    ((await service.call('GET', `${S}/updates/latest/previews`)).body['updates'] as unknown[]).length;
  await service.store.clean({ eventsMs: DAY, statesMs: undefined, now: () => new Date() });
  expect(await listed()).toBe(1);
  await service.pass(3 * DAY);
  await service.store.clean({
    eventsMs: DAY,
    statesMs: undefined,
    now: () => new Date(Date.now() + 3 * DAY),
  });
  expect(await listed()).toBe(0);
  expect((await service.call('GET', ended.route)).status).toBe(404);
  const update = await runUpdate(service, 1);
  expect((await service.call('GET', update)).body['status']).toBe('succeeded');
});

/** Version that began some days ago. */
async function addVersion(service: TestService, version: number, days: number): Promise<void> {
  const startTime = Math.floor((Date.now() - days * DAY) / 1000);
  const info = { kind: 'update', startTime, endTime: startTime + 1, version, result: 'succeeded' };
  const state = { version: 3, deployment: { manifest: MANIFEST, resources: [resource(`v${version}`)] } };
  const auth = `token ${await service.tokenFor('admin')}`;
  expect((await service.call('POST', `${S}/versions`, { auth, body: { info, state } })).status).toBe(200);
}

storeTest('states of old versions go, the history and the newest state stay', async () => {
  const service = await startWithStacks();
  for (const [version, days] of [
    ...[
      [1, 90],
      [2, 60],
      [3, 50],
    ],
  ] as const)
    await addVersion(service, version, days);
  const statuses = async (): Promise<readonly number[]> =>
    Promise.all([1, 2, 3].map(async (each) => (await service.call('GET', `${S}/export/${each}`)).status));
  const updates = async (): Promise<unknown> => (await service.call('GET', `${S}/updates`)).body['updates'];
  const [before, newest] = [await updates(), (await service.call('GET', `${S}/export`)).text];
  const clean = (days: number, later = 0): Promise<void> =>
    service.store.clean({
      ...{ eventsMs: undefined, statesMs: days * DAY, now: () => new Date(Date.now() + later * DAY) },
    });
  await clean(100);
  expect(await statuses()).toEqual([200, 200, 200]);
  await clean(70);
  expect(await statuses()).toEqual([404, 200, 200]);
  expect(await service.call('GET', `${S}/export/1`)).toMatchObject({
    body: { code: 404, message: expect.stringContaining('after update 1 is not stored') },
  });
  await clean(1);
  expect(await statuses()).toEqual([404, 404, 200]);
  expect(await updates()).toEqual(before);
  expect((await service.call('GET', `${S}/export`)).text).toBe(newest);
  // A new version makes the one before it old.
  const update = await runUpdate(service, 1);
  await clean(1);
  expect(await statuses()).toEqual([404, 404, 404]);
  expect((await service.call('GET', update)).status).toBe(200);
  expect((await service.call('GET', `${S}/export/4`)).status).toBe(200);
});

storeTest(
  'a blob goes a day after the last row that names it, and a state that came back stays',
  async () => {
    const service = await startWithStacks();
    await addVersion(service, 1, 90);
    await addVersion(service, 2, 60);
    const first = { version: 3, deployment: { manifest: MANIFEST, resources: [resource('v1')] } };
    // The newest state has the same bytes as the oldest.
    expect((await service.call('POST', `${S}/import`, { body: first })).status).toBe(200);
    const clean = (later: number): Promise<void> =>
      service.store.clean({
        ...{ eventsMs: undefined, statesMs: DAY, now: () => new Date(Date.now() + later * DAY) },
      });
    await clean(0);
    const files = filesOf(service);
    await clean(3);
    if (isShared()) expect(filesOf(service)).toBeLessThan(files);
    expect((await service.call('GET', `${S}/export`)).body['deployment']).toMatchObject({
      resources: [resource('v1')],
    });
    expect((await service.call('GET', `${S}/export/3`)).status).toBe(200);
  },
);

/** Lets time pass on the clock of the store. */
async function passInStore(service: TestService, ms: number): Promise<void> {
  await service.pass(ms);
  if (isShared()) return;
  const root = path.join(service.folder, '.pulumi/service');
  const looked = path.join(root, 'looked.json');
  if (existsSync(looked)) {
    const { until } = JSON.parse(readFileSync(looked, 'utf8')) as { readonly until: number };
    writeFileSync(looked, JSON.stringify({ until: until - ms }));
  }
  const then = (Date.now() - ms) / 1000;
  for (const each of readdirSync(root, { recursive: true, withFileTypes: true }))
    if (each.isFile()) utimesSync(path.join(each.parentPath, each.name), then, then);
}

const clean = (service: TestService): Promise<void> =>
  service.store.clean({ eventsMs: undefined, statesMs: undefined, now: () => new Date() });

storeTest('an update that is never started goes after a day, and others stay', async () => {
  const service = await startWithStacks();
  const created = async (): Promise<string> => {
    const { body } = await service.call('POST', `${S}/update`, { body: { options: { dryRun: false } } });
    return `${S}/update/${String(body['updateID'])}`;
  };
  const [ended, left] = [await runUpdate(service, 1), await created()];
  const running = await startUpdate(service);
  const statuses = (...routes: readonly string[]): Promise<readonly number[]> =>
    Promise.all(routes.map(async (route) => (await service.call('GET', route)).status));
  await clean(service);
  expect(await statuses(ended, left, running.route)).toEqual([200, 200, 200]);
  await passInStore(service, 1.5 * DAY);
  const young = await created();
  await clean(service);
  await clean(service);
  expect(await statuses(ended, left, running.route, young)).toEqual([200, 404, 200, 200]);
});

storeTest('the files of a removed stack go after a day, and those of others stay', async () => {
  const service = await startWithStacks({ stacks: ['dev', 'prod'] });
  await runUpdate(service, 1);
  const prod = await startUpdate(service, { stack: 'prod' });
  await service.call('POST', `${prod.route}/complete`, { auth: prod.auth, body: { status: 'succeeded' } });
  const folders = (): number =>
    isShared()
      ? 1
      : readdirSync(path.join(service.folder, '.pulumi/service/updates'), { recursive: true }).filter(
          (name) => String(name).endsWith('update.json'),
        ).length;
  const before = folders();
  expect((await service.call('DELETE', `${S}?force=true`)).status).toBe(200);
  await clean(service);
  expect(folders()).toBe(before);
  await passInStore(service, 1.5 * DAY);
  await clean(service);
  expect(folders()).toBe(1);
  expect((await service.call('GET', prod.route)).status).toBe(200);
});
