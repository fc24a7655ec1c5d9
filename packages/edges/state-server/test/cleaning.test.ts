import { readdirSync } from 'node:fs';
import path from 'node:path';
import {
  MANIFEST,
  S,
  endServices,
  isShared,
  resource,
  startTestService,
  startUpdate,
  storeTest,
} from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

const DAY = 24 * 3_600_000;
const CREATE = '/api/stacks/organization/shop';

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
  const service = await startTestService();
  for (const stackName of ['dev', 'prod']) await service.call('POST', CREATE, { body: { stackName } });
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
  await service.store.clean({ eventsMs: undefined, now: later(3) });
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
  const service = await startTestService();
  await service.call('POST', CREATE, { body: { stackName: 'dev' } });
  const ended = await runUpdate(service, 1);
  const events = async (): Promise<unknown> => (await service.call('GET', `${ended}/events`)).body['events'];
  await service.store.clean({ eventsMs: DAY, now: () => new Date() });
  expect(await events()).toEqual([{ sequence: 1, note: 'seen' }]);
  await service.pass(3 * DAY);
  await service.store.clean({ eventsMs: DAY, now: () => new Date(Date.now() + 3 * DAY) });
  expect(await events()).toEqual([]);
});
