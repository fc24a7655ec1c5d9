import { MANIFEST, S, endServices, resource, startTestService, startUpdate, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';

afterEach(endServices);

/** Update of the past, as a client sends it. */
function past(version: number, more: object = {}): object {
  return {
    ...{
      kind: 'update',
      startTime: 1000 + version,
      endTime: 2000 + version,
      message: `m${version}`,
      version,
    },
    ...{
      environment: { 'exec.kind': 'cli' },
      config: {},
      result: 'succeeded',
      resourceChanges: { create: version },
    },
    ...more,
  };
}

const state = (name: string): object => ({
  version: 3,
  deployment: { manifest: MANIFEST, resources: [resource(name)] },
});

async function started(): Promise<{
  readonly service: TestService;
  readonly add: (info: object, state?: object) => Promise<Answer>;
}> {
  const service = await startTestService();
  const auth = `token ${await service.tokenFor('admin')}`;
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  return {
    service,
    add: (info, text) => service.call('POST', `${S}/versions`, { auth, body: { info, state: text } }),
  };
}

storeTest(
  'updates of the past become versions with their states, and the newest state is that of the stack',
  async () => {
    const { service, add } = await started();
    expect((await add(past(1), state('a'))).status).toBe(200);
    // Its state is not known any more.
    expect((await add(past(2, { result: 'failed' }))).status).toBe(200);
    expect((await add(past(3), state('c'))).status).toBe(200);
    const { updates } = (await service.call('GET', `${S}/updates`)).body;
    expect(updates).toEqual([past(3), past(2, { result: 'failed' }), past(1)]);
    const names = async (route: string): Promise<unknown> => {
      const { status, text } = await service.call('GET', route);
      return status === 200 ? /Thing::(\w+)/.exec(text)?.[1] : status;
    };
    expect(await Promise.all([1, 2, 3].map((version) => names(`${S}/export/${version}`)))).toEqual([
      'a',
      404,
      'c',
    ]);
    expect(await names(`${S}/export`)).toBe('c');
    const { answer } = await startUpdate(service);
    expect([answer.status, answer.body['version']]).toEqual([200, 4]);
  },
);

storeTest(
  'the same update again changes nothing; another one, a gap and a running update are refused',
  async () => {
    const { service, add } = await started();
    for (const again of [1, 2])
      expect([again, (await add(past(1), state('a'))).status]).toEqual([again, 200]);
    expect((await add(past(1, { endTime: 9 }), state('b'))).body).toMatchObject({
      code: 409,
      message: expect.stringContaining('Version 1 of the stack is another update'),
    });
    expect((await add(past(3), state('c'))).body).toMatchObject({
      code: 409,
      message: expect.stringContaining('The next version of the stack is 2, not 3'),
    });
    for (const odd of [{ version: 0 }, { kind: 'x' }, { startTime: -1 }, { result: 'x' }, { endTime: 1e300 }])
      expect([odd, (await add(past(2, odd), state('c'))).status]).toEqual([odd, 400]);
    expect((await add(past(2), { version: 9 })).status).toBe(400);
    await startUpdate(service);
    expect((await add(past(2), state('c'))).status).toBe(409);
    expect((await service.call('GET', `${S}/updates`)).body).toMatchObject({ updates: [past(1)] });
  },
);

storeTest('a writer adds no updates of the past', async () => {
  const { service } = await started();
  expect((await service.call('POST', `${S}/versions`, { body: { info: past(1) } })).status).toBe(403);
});
