import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  S,
  endServices,
  isShared,
  resource,
  startTestService,
  startUpdate,
  startWithStacks,
  storeTest,
} from './service.js';

afterEach(endServices);

/** Two stacks, one of which has two versions. */
const TWO = { stacks: ['dev', 'prod'], states: [['a'], ['a', 'b']] };

/** Replaces a file by other JSON while some work runs. */
async function damaged(file: string, text: string, work: () => Promise<void>): Promise<void> {
  const before = readFileSync(file);
  writeFileSync(file, text);
  await work();
  writeFileSync(file, before);
}

storeTest(
  'files of a bucket that have other JSON than they should are named, and hide nothing else',
  async () => {
    if (isShared()) return;
    const { call, folder, lines } = await startWithStacks(TWO);
    const stacksOf = async (route: string) => {
      const answer = await call('GET', route);
      expect([answer.status, lines.at(-1)]).toEqual([200, expect.not.stringContaining('"level":50')]);
      return (answer.body['stacks'] as readonly Record<string, unknown>[]).map(
        ({ stackName, stack, lostState }) => [stackName ?? stack, lostState],
      );
    };
    const failsWith = async (route: string, text: string, key: string) => {
      const answer = await call('GET', route);
      expect([answer.status, answer.body['code']]).toEqual([500, 500]);
      expect(answer.body['message']).toContain(text);
      expect(lines.at(-1)).toContain(key);
    };
    const LOST = "has lost or damaged a state of stack 'dev'";

    const checkpoint = '.pulumi/stacks/shop/dev.json';
    for (const text of ['{}', '[]', '{"version":3}'])
      await damaged(path.join(folder, checkpoint), text, async () => {
        await failsWith(`${S}/export`, LOST, checkpoint);
        expect((await call('GET', S)).body['lostState']).toMatchObject({ what: 'state' });
      });
    await damaged(path.join(folder, checkpoint), '{"version":99,"checkpoint":{}}', () =>
      failsWith(`${S}/export`, "The state of stack 'dev' was stored by a newer version", checkpoint),
    );
    expect((await call('GET', S)).body['lostState']).toBeUndefined();

    const record = '.pulumi/service/stacks/shop/dev.json';
    for (const text of ['{}', '[]', 'null', '{"id":'])
      await damaged(path.join(folder, record), text, async () => {
        for (const route of [S, `${S}/export`]) await failsWith(route, LOST, record);
        const mark = { at: expect.any(Number) as number, what: 'state' };
        for (const route of ['/api/user/stacks', '/console/stacks'])
          expect(await stacksOf(route)).toEqual([
            ['dev', mark],
            ['prod', undefined],
          ]);
      });

    const access = '.pulumi/service/organizations/organization/access.json';
    for (const text of ['{}', 'null'])
      await damaged(path.join(folder, access), text, () => failsWith(S, 'The log has the cause', access));
    expect((await call('GET', `${S}/export`)).status).toBe(200);
  },
);

storeTest('a damaged record is marked from when it was found on, with one row of the audit log', async () => {
  if (isShared()) return;
  let hours = 0;
  const now = () => new Date(Date.UTC(2030, 0, 1, hours));
  const service = await startWithStacks({ ...TWO, now });
  const admin = `token ${await service.tokenFor('admin')}`;
  const file = path.join(service.folder, '.pulumi/service/stacks/shop/dev.json');
  const marks = async () => {
    hours += 1;
    const { body } = await service.call('GET', '/api/user/stacks');
    return (body['stacks'] as readonly { lostState?: object }[]).map(({ lostState }) => lostState);
  };
  const rows = async () => {
    const { body } = await service.call('GET', '/api/orgs/organization/auditlogs?eventType=state-lost', {
      auth: admin,
    });
    return (body['auditLogEvents'] as readonly { timestamp: number }[]).map(({ timestamp }) => timestamp);
  };
  const at = (hour: number) => Date.UTC(2030, 0, 1, hour) / 1000;
  await damaged(file, '{}', async () => {
    for (const _ of [1, 2]) expect(await marks()).toEqual([{ at: at(1), what: 'state' }, undefined]);
    await service.stop();
    Object.assign(service, await startTestService(service.folder, { now }));
    expect((await service.call('GET', `${S}/export`)).status).toBe(500);
    expect(await marks()).toEqual([{ at: at(1), what: 'state' }, undefined]);
    await service.store.clean({ eventsMs: undefined, statesMs: undefined, now });
    expect([await rows(), await marks()]).toEqual([[at(1)], [{ at: at(1), what: 'state' }, undefined]]);
  });
  await service.store.clean({ eventsMs: undefined, statesMs: undefined, now });
  expect(await marks()).toEqual([undefined, undefined]);
  await damaged(file, '[]', async () => {
    expect((await service.call('GET', `${S}/export`)).status).toBe(500);
    const again = at(hours);
    expect([await marks(), (await rows()).sort()]).toEqual([
      [{ at: again, what: 'state' }, undefined],
      [at(1), again],
    ]);
  });
});

storeTest(
  'an entry of the history with other values than it should have is listed without them',
  async () => {
    if (isShared()) return;
    const { call, folder } = await startWithStacks(TWO);
    const history = path.join(folder, '.pulumi/history/shop/dev');
    const newest = readdirSync(history)
      .filter((name) => name.endsWith('.history.json'))
      .sort()
      .at(-1);
    const odd = {
      ...{ kind: 7, startTime: 'x', message: [1], environment: ['a'], config: 7, result: {}, endTime: -1 },
      resourceChanges: { create: 'x', same: 2 },
    };
    writeFileSync(path.join(history, newest ?? ''), JSON.stringify(odd));
    expect((await call('GET', `${S}/updates`)).body['updates']).toMatchObject([
      { version: 2, kind: 'update', message: '', environment: {}, config: {}, resourceChanges: { same: 2 } },
      { version: 1, kind: 'import' },
    ]);
  },
);

storeTest('a state that lacks a resource is used as it is, and marked once it is stored', async () => {
  if (isShared()) return;
  const { call, service, folder, ...rest } = await startWithStacks(TWO);
  const child = { ...resource('c'), parent: 'urn:pulumi:dev::shop::test:index:Thing::gone' };
  const file = path.join(folder, '.pulumi/stacks/shop/dev.json');
  const stored = JSON.parse(readFileSync(file, 'utf8')) as {
    checkpoint: { latest: { resources: object[] } };
  };
  stored.checkpoint.latest.resources = [child];
  writeFileSync(file, JSON.stringify(stored));
  expect((await call('GET', `${S}/export`)).text).toContain('Thing::gone');
  const { route, auth, answer } = await startUpdate({ call, service, folder, ...rest });
  expect(answer.status).toBe(200);
  const entries = [
    { version: 1, kind: 1, sequenceID: 1, operationID: 1, state: resource('d'), removeOld: null },
  ];
  expect((await call('PATCH', `${route}/journalentries`, { auth, body: { entries } })).status).toBe(200);
  const ended = await call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } });
  expect(ended.status).toBe(200);
  const { text } = await call('GET', `${S}/export`);
  expect(text).toContain('integrity_error');
  expect(text).toContain('Thing::d');
});
