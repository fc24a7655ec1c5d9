import { S, endServices, resource, startTestService, startUpdate, storeTest } from './service.js';

afterEach(endServices);

storeTest('the history has the order of the updates when the clock of the process moves back', async () => {
  const HOUR = 3_600_000;
  let moved = HOUR;
  const service = await startTestService(undefined, { now: () => new Date(Date.now() + moved) });
  const call = (method: string, more: string, body?: object) => service.call(method, S + more, { body });
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const names = ['first', 'second', 'third'];
  for (const [index, name] of names.entries()) {
    moved = HOUR - index * HOUR;
    const { route, auth } = await startUpdate(service);
    const state = {
      version: 1,
      kind: 1,
      operationID: 1,
      removeOld: null,
      removeNew: null,
      state: resource(name),
    };
    const entries = [{ ...state, sequenceID: 1 }];
    await service.call('PATCH', `${route}/journalentries`, { auth, body: { entries } });
    const status = index === 1 ? 'failed' : 'succeeded';
    expect((await service.call('POST', `${route}/complete`, { auth, body: { status } })).status).toBe(200);
  }
  expect((await call('POST', '/import', { version: 3, deployment: {} })).status).toBe(200);
  const { updates } = (await call('GET', '/updates')).body as { updates: object[] };
  expect(updates).toMatchObject([
    ...[
      { version: 4, kind: 'import' },
      { version: 3, result: 'succeeded' },
    ],
    ...[
      { version: 2, result: 'failed' },
      { version: 1, result: 'succeeded' },
    ],
  ]);
  for (const [index] of names.entries()) {
    const { deployment } = (await call('GET', `/export/${index + 1}`)).body as {
      deployment: { resources: object[] };
    };
    // Resources of the journal come before those of the base.
    expect(deployment.resources).toEqual(
      names
        .slice(0, index + 1)
        .reverse()
        .map((name) => resource(name)),
    );
  }
});
