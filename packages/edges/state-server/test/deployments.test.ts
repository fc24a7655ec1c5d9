import { S, endServices, isShared, newFolder, startTestService, startUpdate, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';

afterEach(endServices);

const D = `${S}/deployments`;
const AGENTS = '/api/orgs/organization/agents';
const PLAN = { digest: 'd1', base: 'b1', steps: [] };

/** Service with a stack that has settings. `now` is the wall clock. */
async function world(settings: object = {}) {
  let skew = 0;
  const folder = newFolder();
  const service = await startTestService(folder, { now: () => new Date(Date.now() + skew) });
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const call = (method: string, route: string, body?: object): Promise<Answer> =>
    service.call(method, route, body === undefined ? {} : { body });
  if (Object.keys(settings).length > 0) await call('POST', `${D}/settings`, settings);
  const ask = async (operation: string, more: object = {}): Promise<string> =>
    String((await call('POST', D, { operation, ...more })).body['id']);
  const claim = async (agent: string, more: object = {}): Promise<Claimed | undefined> => {
    const { status, body } = await call('POST', `${AGENTS}/claim`, { agent, ...more });
    expect(status).toBe(200);
    return (body['run'] ?? undefined) as Claimed | undefined;
  };
  /** Reports the statuses of a run, one after the other. */
  const report = (run: Claimed, agent: string, statuses: readonly string[], more: object = {}) =>
    call('POST', `${D}/${run.deployment}/attend`, {
      ...{
        agent,
        fence: run.fence,
        rows: statuses.map((status) => ({ ...run.row, ...PLAN, status })),
        ...more,
      },
    });
  const status = async (id: string): Promise<unknown> => (await call('GET', `${D}/${id}`)).body['status'];
  const pass = async (ms: number): Promise<void> => {
    skew += ms;
    await service.pass(ms);
  };
  return { service, folder, call, ask, claim, report, status, pass };
}

interface Claimed {
  readonly deployment: string;
  readonly fence: number;
  readonly operation: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly token: string;
}

const SETTINGS = {
  sourceContext: { git: { repoUrl: 'https://git.test/shop.git', branch: 'main' } },
  operationContext: { environmentVariables: { SIZE: '3', KEY: { secret: 'psst' } }, preRunCommands: ['ls'] },
};

storeTest(
  'a call that waits gets nothing after its agent was started again, and ends with a drain',
  async () => {
    const { call, ask, claim, status } = await world(SETTINGS);
    const isKnown = async (): Promise<boolean> =>
      ((await call('GET', AGENTS)).body['agents'] as readonly object[]).length > 0;
    const early = claim('one', { wait: 25 });
    while (!(await isKnown()));
    expect(await claim('one', { starts: true })).toBeUndefined();
    const id = await ask('update');
    expect(await early).toBeUndefined();
    expect(await status(id)).toBe('running');
    expect((await claim('one'))?.deployment).toBe(id);
    const began = performance.now();
    const waiting = call('POST', `${AGENTS}/claim`, { agent: 'one', wait: 25 });
    await call('POST', `${AGENTS}/one/drain`, {});
    await waiting;
    expect(performance.now() - began).toBeLessThan(20_000);
    expect((await call('POST', `${AGENTS}/claim`, { agent: 'one', wait: 25 })).body['drain']).toBe(true);
  },
);

storeTest(
  'an idle agent that is silent has one notice for each silence, and one that ends has none',
  async () => {
    const { call, claim, pass, service } = await world(SETTINGS);
    const passed = async (ms: number): Promise<void> => {
      await pass(ms);
      await service.service.sweep();
    };
    const lost = async (): Promise<readonly unknown[]> =>
      ((await call('GET', '/api/orgs/organization/notices')).body['notices'] as readonly { type: string }[])
        .filter(({ type }) => type === 'agent-lost')
        .map(({ type: _type, ...notice }) => notice);
    await claim('one');
    await claim('two');
    await claim('two', { ends: true });
    await passed(20_000);
    expect(await lost()).toEqual([]);
    await passed(600_000);
    await passed(600_000);
    expect(await lost()).toMatchObject([{ key: 'one', occurrences: 1, 'last-data': { agent: 'one' } }]);
    const { agents } = (await call('GET', AGENTS)).body as { agents: readonly { alive: boolean }[] };
    expect(agents.map(({ alive }) => alive)).toEqual([false, false]);
    await claim('one');
    await passed(600_000);
    expect(await lost()).toMatchObject([{ key: 'one', occurrences: 2 }]);
  },
);

storeTest('settings are merged, their secrets are sealed, and null removes', async () => {
  const { call } = await world();
  expect((await call('GET', `${D}/settings`)).status).toBe(404);
  await call('POST', `${D}/settings`, SETTINGS);
  const shown = await call('GET', `${D}/settings`);
  expect(shown.body).toMatchObject({ sourceContext: SETTINGS.sourceContext });
  expect(shown.text).not.toContain('psst');
  const change = {
    sourceContext: { git: { branch: 'next' } },
    operationContext: { environmentVariables: { SIZE: null } },
  };
  const { body } = await call('POST', `${D}/settings`, change);
  expect(body).toEqual({
    sourceContext: { git: { repoUrl: 'https://git.test/shop.git', branch: 'next' } },
    operationContext: {
      environmentVariables: { KEY: { ciphertext: expect.any(String) as string } },
      preRunCommands: ['ls'],
    },
  });
  // What a client read and sends back is the same secret.
  expect((await call('POST', `${D}/settings`, body)).status).toBe(200);
  const forged = { operationContext: { environmentVariables: { KEY: { ciphertext: 'Zm9yZ2Vk' } } } };
  expect((await call('POST', `${D}/settings`, forged)).body['message']).toContain(
    'does not belong to this stack',
  );
  await call('DELETE', `${D}/settings`);
  expect((await call('GET', `${D}/settings`)).status).toBe(404);
});

storeTest('an agent takes a run with open secrets, reports it, and its token ends with it', async () => {
  const { call, ask, claim, report, status, service } = await world(SETTINGS);
  const id = await ask('update', {
    operationContext: { environmentVariables: { MORE: 'yes' }, preRunCommands: null },
    sourceContext: { git: { branch: '', repoUrl: null } },
  });
  expect(await status(id)).toBe('running');
  const waitsFor = async (): Promise<unknown> =>
    ((await call('GET', `${D}/${id}`)).body['cairn'] as { readonly waitsFor?: string }).waitsFor;
  expect(await waitsFor()).toBe('an agent, and none is there');
  expect(await claim('blue', { free: false })).toBeUndefined();
  expect(await waitsFor()).toBe('an agent');
  const run = (await claim('one')) as Claimed;
  expect(await waitsFor()).toBeUndefined();
  expect(run).toMatchObject({
    ...{ deployment: id, operation: 'update', fence: 1 },
    row: {
      status: 'planning',
      kind: 'up',
      approved: true,
      stack: 'organization/shop/dev',
      by: 'writer-user',
    },
    settings: {
      ...{ sourceContext: SETTINGS.sourceContext },
      operationContext: {
        environmentVariables: { SIZE: '3', KEY: { secret: 'psst' }, MORE: 'yes' },
        preRunCommands: ['ls'],
      },
    },
  });
  expect(await claim('two')).toBeUndefined();
  const admin = { auth: `token ${await service.tokenFor('admin')}` };
  const log = '/api/orgs/organization/auditlogs?eventType=claim-run';
  expect((await service.call('GET', log, admin)).body['auditLogEvents']).toMatchObject([
    { description: `took a run with its secrets: one: shop/dev ${id}` },
  ]);
  const auth = `token ${run.token}`;
  expect((await service.call('GET', S, { auth })).status).toBe(200);
  expect((await service.call('GET', '/api/stacks/organization/shop/other', { auth })).status).toBe(404);
  expect((await service.call('POST', `${AGENTS}/claim`, { auth, body: { agent: 'x' } })).status).toBe(403);
  expect((await report(run, 'one', ['ready', 'applying'], { lines: [{ line: 'begins' }] })).status).toBe(200);
  expect((await report(run, 'one', ['planning'])).body['message']).toContain('cannot become planning');
  expect((await report(run, 'one', ['succeeded'], { lines: [{ line: 'ends' }] })).status).toBe(200);
  expect([await status(id), (await call('GET', `${D}/${id}/logs`)).body]).toEqual([
    'succeeded',
    { lines: [{ line: 'begins' }, { line: 'ends' }] },
  ]);
  expect((await service.call('GET', S, { auth })).status).toBe(401);
  expect((await report(run, 'one', [])).status).toBe(409);
});

storeTest('requests of a stack run one after the other, and the newest of a kind wins', async () => {
  const { call, ask, claim, report, status } = await world(SETTINGS);
  const first = await ask('update');
  const run = (await claim('one')) as Claimed;
  const [second, third, refresh] = [await ask('update'), await ask('update'), await ask('refresh')];
  expect((await call('GET', `${D}/${third}`)).body).toMatchObject({
    ...{ status: 'not-started', version: 3, cairn: { waitsFor: 'run 1' } },
  });
  expect(await claim('two')).toBeUndefined();
  await report(run, 'one', ['failed'], {});
  expect(await Promise.all([first, second, third, refresh].map(status))).toEqual([
    ...['failed', 'skipped', 'running', 'not-started'],
  ]);
  const { body } = await call('GET', `${D}?page=1&pageSize=2`);
  expect(body).toMatchObject({ itemsPerPage: 2, total: 4, deployments: [{ version: 4 }, { version: 3 }] });
  expect((await call('GET', `${D}/version/2`)).body).toMatchObject({ id: second });
  expect((await call('GET', `${D}/version/9`)).status).toBe(404);
});

storeTest('what changes a stack waits for an update that is no run, and a preview does not', async () => {
  const { service, call, ask, claim, report, pass } = await world({ ...SETTINGS, cairn: { policy: {} } });
  const complete = async ({ route, auth }: Awaited<ReturnType<typeof startUpdate>>): Promise<void> => {
    const ended = { auth, body: { status: 'succeeded' } };
    expect((await service.call('POST', `${route}/complete`, ended)).status).toBe(200);
    await pass(1000);
  };
  const waitsFor = async (id: string): Promise<unknown> =>
    (await call('GET', `${D}/${id}`)).body['cairn'] as unknown;
  const own = await startUpdate(service);
  await ask('preview');
  const preview = (await claim('one')) as Claimed;
  expect(preview.row).toMatchObject({ kind: 'preview' });
  await report(preview, 'one', ['failed']);
  const id = await ask('update');
  expect(await waitsFor(id)).toMatchObject({ waitsFor: 'the update of writer-user' });
  expect(await claim('one')).toBeUndefined();
  await complete(own);
  const run = (await claim('one')) as Claimed;
  expect(run.row).toMatchObject({ kind: 'up' });

  // The approval comes while another update runs.
  await report(run, 'one', ['waiting']);
  const second = await startUpdate(service);
  const approval = { digest: PLAN.digest, base: PLAN.base, commit: null };
  expect((await call('POST', `${D}/${id}/approve`, approval)).status).toBe(200);
  expect(await claim('one')).toBeUndefined();
  await complete(second);
  expect(((await claim('one')) as Claimed).row).toMatchObject({ status: 'ready' });
});

storeTest(
  'the run of an agent that is gone goes to another one, and the first one writes no more',
  async () => {
    const { ask, claim, report, pass, call } = await world(SETTINGS);
    const id = await ask('update');
    const run = (await claim('one')) as Claimed;
    await report(run, 'one', ['ready', 'applying']);
    await pass(20_000);
    await report(run, 'one', []);
    await pass(20_000);
    expect(await claim('two')).toBeUndefined();
    await pass(15_000);
    const again = (await claim('two')) as Claimed;
    expect(again).toMatchObject({
      deployment: id,
      fence: 2,
      row: { status: 'lost', why: ['agent one is gone'] },
    });
    const { body } = await call('GET', '/api/orgs/organization/notices');
    expect(body['notices']).toMatchObject([
      {
        ...{ type: 'agent-lost', key: 'organization/shop/dev 1', occurrences: 1 },
        'last-data': { agent: 'one', status: 'applying' },
      },
    ]);
    expect((await report(run, 'one', ['succeeded'])).status).toBe(409);
    expect((await report(again, 'two', ['ready', 'applying', 'succeeded'])).status).toBe(200);
    expect((await call('GET', `${D}/${id}`)).body['status']).toBe('succeeded');
  },
);

storeTest('of two agents with one name each run has one, and a status shows one row', async () => {
  const { ask, claim, report, pass, call } = await world(SETTINGS);
  const id = await ask('update');
  const here = (await claim('one')) as Claimed;
  expect(await claim('one')).toBeUndefined();
  await report(here, 'one', ['ready', 'applying']);
  await pass(35_000);
  const there = (await claim('one')) as Claimed;
  expect(there).toMatchObject({ deployment: id, fence: 2, row: { status: 'lost' } });
  for (const statuses of [[], ['succeeded']])
    expect((await report(here, 'one', statuses, { lines: [{ line: 'late' }] })).status).toBe(409);
  expect((await call('GET', `${D}/${id}`)).body).toMatchObject({ cairn: { run: { status: 'lost' } } });
  expect((await report(there, 'one', ['ready', 'applying', 'failed'])).status).toBe(200);
  expect((await call('GET', `${D}/${id}`)).body['status']).toBe('failed');
  expect((await call('GET', `${D}/${id}/logs`)).text).not.toContain('late');
  expect((await call('GET', AGENTS)).body['agents']).toEqual([
    { name: 'one', seen: expect.any(String) as string, alive: true },
  ]);
});

storeTest.each([3_600_000, -3_600_000])(
  'a run of an agent whose clock is %d ms off is not lost, and not taken twice',
  async (off) => {
    const { ask, claim, report, pass, status } = await world(SETTINGS);
    const late = (run: Claimed, statuses: readonly string[]): Promise<Answer> => {
      const at = new Date(Date.now() + off).toISOString();
      const rows = statuses.map((each) => ({ ...run.row, ...PLAN, status: each, looked: at, ended: at }));
      return report(run, 'one', [], { rows, lines: [{ timestamp: at, line: 'works' }] });
    };
    const [first, second] = [await ask('update'), await ask('refresh')];
    const run = (await claim('one')) as Claimed;
    for (const statuses of [['ready', 'applying'], [], []]) {
      expect((await late(run, statuses)).status).toBe(200);
      await pass(29_000);
      expect(await claim('two')).toBeUndefined();
    }
    expect((await late(run, ['succeeded'])).status).toBe(200);
    expect(await status(first)).toBe('succeeded');
    const silent = (await claim('one')) as Claimed;
    expect((await late(silent, ['ready', 'applying'])).status).toBe(200);
    await pass(31_000);
    expect(await claim('two')).toMatchObject({ deployment: second, fence: 2 });
    expect(await claim('three')).toBeUndefined();
    expect((await late(silent, ['succeeded'])).status).toBe(409);
  },
);

storeTest('an agent that hands its run over, or is silent without one, is not lost', async () => {
  const { ask, claim, report, pass, call } = await world(SETTINGS);
  await ask('update');
  const run = (await claim('one')) as Claimed;
  expect((await report(run, 'one', ['ready', 'applying'], { release: true })).status).toBe(200);
  await pass(45_000);
  expect(await claim('two')).toMatchObject({ fence: 2 });
  expect((await call('GET', '/api/orgs/organization/notices')).body['notices']).toEqual([]);
});

storeTest('an update that a lost run has made is ended, and updates of runs are listed', async () => {
  const { ask, claim, report, pass, call, service } = await world(SETTINGS);
  const id = await ask('update');
  const run = (await claim('one')) as Claimed;
  await report(run, 'one', ['ready', 'applying']);
  const environment = { 'ci.system': 'Cairn agent', 'ci.build.id': id };
  const { route } = await startUpdate(service, { environment });
  expect((await call('GET', `${D}/${id}/updates`)).body).toMatchObject([
    { updateID: route.split('/').at(-1), version: 1 },
  ]);
  const { body } = await call('GET', `${D}/${id}/logs`);
  expect(body).toMatchObject({
    lines: [{ header: 'pulumi update' }],
    nextToken: expect.any(String) as string,
  });
  await pass(45_000);
  expect(await claim('two')).toMatchObject({ row: { status: 'lost' } });
  expect((await call('GET', route)).body['status']).toBe('failed');
});

storeTest(
  'a comment approves as the settings say, if its plan, state and commit are those of the run',
  async () => {
    const comments = {
      relay: 'writer-user',
      people: {
        'lab:ada': 'admin-user',
        'lab:bob': 'bob',
        'lab:eve': 'reader-user',
        'lab:max': 'writer-user',
      },
    };
    const cairn = { policy: { rules: [], approvals: 2, others: true }, comments };
    const { ask, claim, report, call, service } = await world({ ...SETTINGS, cairn });
    expect(
      (await call('POST', `${D}/settings`, { cairn: { comments: { relay: 3 } } })).body['message'],
    ).toContain('cairn.comments: needs "relay"');
    await service.tokenFor('reader');
    const commit = '1'.repeat(40);
    const id = await ask('update', { cairn: { commit, pull: 'lab/1', author: 'lab:ada' } });
    const run = (await claim('one')) as Claimed;
    // Who asks at the forge is the person as whom comments count, and approves nothing of it.
    expect(run.row).toMatchObject({ by: 'admin-user', needed: 2, commit });
    const now = { digest: 'd1', base: 'b1', commit };
    // Its own processes have a token for the stack, and approve nothing.
    const own = { auth: `token ${run.token}`, body: now };
    expect((await service.call('POST', `${D}/${id}/approve`, own)).body['message']).toContain(
      'A run approves',
    );
    const settings = { auth: own.auth, body: { cairn: { policy: null } } };
    expect((await service.call('POST', `${D}/settings`, settings)).body['message']).toContain(
      'A run approves',
    );
    await report(run, 'one', ['waiting'], { plan: 'the plan' });
    const say = async (comment: string, named: object = now, role: 'writer' | 'admin' = 'writer') => {
      const auth = `token ${await service.tokenFor(role)}`;
      const body = { ...named, cairn: { comment } };
      return (await service.call('POST', `${D}/${id}/approve`, { auth, body })).body['message'];
    };
    expect(await say('lab:mallory')).toContain('the settings name no user for lab:mallory');
    expect(await say('lab:bob', now, 'admin')).toContain(
      'the settings let writer-user pass comments on, not admin-user',
    );
    expect(await say('lab:bob')).toContain('bob may not approve runs of the stack');
    expect(await say('lab:eve')).toContain('reader-user may not approve runs of the stack');
    expect(await say('lab:ada')).toContain('another person than the one who asked');
    expect(await say('lab:max', { ...now, digest: 'd0' })).toContain('it has another plan by now');
    expect(await say('lab:max', { ...now, base: 'b0' })).toContain('the state of the stack has moved');
    expect(await say('lab:max', { ...now, commit: '2'.repeat(40) })).toContain('the commit has moved');
    expect(await say('lab:max')).toBeUndefined();
    expect(await say('lab:max')).toContain('writer-user has approved it already');
    expect((await call('GET', `${D}/${id}`)).body).toMatchObject({
      cairn: { run: { status: 'waiting', approvals: [{ by: 'writer-user', via: 'comment' }] } },
    });
  },
);

storeTest('with a policy a run waits, and an approval names plan, state and commit', async () => {
  const policy = { rules: [], approvals: 2, others: true };
  const { ask, claim, report, call, status, service } = await world({ ...SETTINGS, cairn: { policy } });
  const id = await ask('destroy');
  const run = (await claim('one')) as Claimed;
  expect(run.row).not.toHaveProperty('approved');
  expect(run.row).toMatchObject({ needed: 2 });
  await report(run, 'one', ['waiting'], {
    plan: 'the plan',
    notices: [{ type: 'approval-wanted', key: '1', data: { stack: 'dev' } }],
  });
  expect((await call('GET', `${D}/${id}`)).body).toMatchObject({ status: 'running', paused: true });
  expect(await claim('one')).toBeUndefined();
  const approve = async (role: 'writer' | 'admin', body: object) =>
    service.call('POST', `${D}/${id}/approve`, { auth: `token ${await service.tokenFor(role)}`, body });
  expect((await approve('writer', { digest: 'd1', base: 'b1' })).body['message']).toContain('another person');
  expect((await approve('admin', { digest: 'd0', base: 'b1' })).body['message']).toContain('another plan');
  expect((await approve('admin', { digest: 'd1', base: 'b1' })).status).toBe(200);
  expect((await approve('admin', { digest: 'd1', base: 'b1' })).body['message']).toContain(
    'has approved it already',
  );
  expect(await claim('one')).toBeUndefined();
  const notices = await call('GET', '/api/orgs/organization/notices?after=2020-01-01T00:00:00Z');
  expect(notices.body).toMatchObject({
    notices: [{ type: 'approval-wanted', key: 'organization/shop/dev 1', occurrences: 1 }],
  });
  const seen = { type: 'approval-wanted', key: 'organization/shop/dev 1' };
  const acknowledge = (body: object) => call('POST', '/api/orgs/organization/notices/acknowledge', body);
  expect((await acknowledge(seen)).status).toBe(200);
  expect((await acknowledge({ ...seen, key: 'another' })).status).toBe(404);
  const listed = async () =>
    (await call('GET', '/api/orgs/organization/notices')).body['notices'] as object[];
  expect(await listed()).toEqual([expect.objectContaining({ acknowledged: expect.objectContaining({}) })]);
  await call('POST', `${D}/${id}/deny`, { reason: 'not today' });
  expect([await status(id), (await call('GET', `${D}/${id}`)).body]).toEqual([
    'failed',
    expect.objectContaining({
      cairn: {
        agent: 'one',
        run: expect.objectContaining({
          status: 'denied',
          why: ['denied by writer-user: not today'],
        }) as object,
      },
    }),
  ]);
});

storeTest('a run that is ready is denied, and the agent that has it applies nothing [AGT-1]', async () => {
  const policy = { rules: [] };
  const { ask, claim, report, call, status, service } = await world({ ...SETTINGS, cairn: { policy } });
  const deny = (id: string) => call('POST', `${D}/${id}/deny`, { reason: 'not today' });
  const auth = `token ${await service.tokenFor('reader')}`;
  const runOf = async (id: string) => (await call('GET', `${D}/${id}`)).body['cairn'];
  const denied = { run: { status: 'denied', why: ['denied by writer-user: not today'] } };

  const held = await ask('update');
  const run = (await claim('one')) as Claimed;
  expect((await deny(held)).body['message']).toContain('its status is planning');
  await report(run, 'one', ['ready']);
  const refused = await service.call('POST', `${D}/${held}/deny`, { auth, body: {} });
  expect([refused.status, await status(held)]).toEqual([403, 'running']);
  const own = { auth: `token ${run.token}` };
  expect((await service.call('GET', S, own)).status).toBe(200);
  expect((await deny(held)).status).toBe(200);
  expect(await runOf(held)).toMatchObject(denied);
  expect([await status(held), (await report(run, 'one', ['applying'])).status]).toEqual(['failed', 409]);
  expect((await service.call('GET', S, own)).status).toBe(401);
  expect((await deny(held)).body['message']).toContain('its status is denied');

  const free = await ask('update');
  const other = (await claim('one')) as Claimed;
  await report(other, 'one', ['waiting'], { plan: 'the plan' });
  await call('POST', `${D}/${free}/approve`, { digest: 'd1', base: 'b1' });
  expect((await deny(free)).status).toBe(200);
  expect(await runOf(free)).toMatchObject(denied);
  expect(await claim('one')).toBeUndefined();
});

storeTest('a deployment is cancelled before it begins, and while it runs', async () => {
  const { ask, claim, report, call, status, service } = await world(SETTINGS);
  const [first, second] = [await ask('update'), await ask('refresh')];
  await call('POST', `${D}/${second}/cancel`);
  const run = (await claim('one')) as Claimed;
  await report(run, 'one', ['ready', 'applying']);
  const environment = { 'ci.system': 'Cairn agent', 'ci.build.id': first };
  const { route } = await startUpdate(service, { environment });
  for (let times = 0; times < 2; times += 1)
    expect((await call('POST', `${D}/${first}/cancel`)).status).toBe(200);
  expect([await status(first), await status(second)]).toEqual(['failed', 'failed']);
  expect((await call('GET', route)).body['status']).toBe('failed');
  expect((await report(run, 'one', ['succeeded'])).status).toBe(409);
  expect(await claim('one')).toBeUndefined();
});

storeTest('schedules ask for operations at their times, once for all that were missed', async () => {
  const { call, claim, pass } = await world();
  const cron = { scheduleCron: '0 3 * * *', request: { operation: 'refresh' } };
  expect((await call('POST', `${D}/schedules`, cron)).body['message']).toContain('no deployment settings');
  await call('POST', `${D}/settings`, SETTINGS);
  const bad = { scheduleCron: '0 0 30 2 *', request: { operation: 'refresh' } };
  expect((await call('POST', `${D}/schedules`, bad)).body['message']).toContain('is never due');
  const made = await call('POST', `${D}/schedules`, cron);
  const id = String(made.body['id']);
  expect(made.body).toMatchObject({
    ...{ kind: 'deployment', scheduleCron: '0 3 * * *', paused: false },
    definition: { request: { operation: 'refresh' } },
    nextExecution: expect.stringMatching(/T03:00:00/) as string,
  });
  const clock = { zone: 'Europe/Berlin', jitter: '10m' };
  const zoned = await call('POST', `${D}/drift/schedules`, { scheduleCron: '0 12 1 7 *', cairn: clock });
  expect(zoned.body['cairn']).toEqual(clock);
  const next = String(zoned.body['nextExecution']);
  // Noon in Berlin is 10:00 in UTC in summer; a delay is at most ten minutes.
  expect(next.slice(4)).toMatch(/^-07-01T10:(0\d|10:00)/);
  for (const [wrong, words] of [
    [{ zone: 'Mars/Base' }, 'cairn.zone'],
    [{ jitter: 'soon' }, 'cairn.jitter'],
  ] as const) {
    const refused = await call('POST', `${D}/schedules`, { ...cron, cairn: wrong });
    expect(refused.body['message']).toContain(words);
  }
  await call('DELETE', `${D}/schedules/${String(zoned.body['id'])}`);
  const drift = await call('POST', `${D}/drift/schedules`, {
    scheduleCron: '0 4 * * *',
    autoRemediate: true,
  });
  expect((await call('GET', `${D}/schedules`)).body['schedules']).toHaveLength(2);
  await call('POST', `${D}/schedules/${String(drift.body['id'])}/pause`);
  expect((await call('GET', `${D}/schedules/${String(drift.body['id'])}`)).body).not.toHaveProperty(
    'nextExecution',
  );
  expect(await claim('one')).toBeUndefined();
  await pass(3 * 24 * 3_600_000);
  expect(await claim('one')).toMatchObject({ operation: 'refresh', row: { by: 'schedule' } });
  expect(await claim('two')).toBeUndefined();
  expect((await call('GET', D)).body['total']).toBe(1);
  const changed = { scheduleCron: '0 5 * * *', request: { operation: 'update' } };
  expect((await call('POST', `${D}/schedules/${id}`, changed)).body).toMatchObject({
    scheduleCron: '0 5 * * *',
  });
  expect((await call('POST', `${D}/drift/schedules/${id}`, { scheduleCron: '0 5 * * *' })).status).toBe(400);
  await call('DELETE', `${D}/schedules/${id}`);
  expect((await call('GET', `${D}/schedules/${id}`)).status).toBe(404);
});

storeTest('a time to live destroys the stack once', async () => {
  const { call, claim, pass } = await world(SETTINGS);
  const timestamp = new Date(Date.now() + 3_600_000).toISOString();
  await call('POST', `${D}/ttl/schedules`, { timestamp, deleteAfterDestroy: true });
  expect(await claim('one')).toBeUndefined();
  await pass(3_700_000);
  expect(await claim('one')).toMatchObject({
    ...{ operation: 'destroy', row: { by: 'expiry', kind: 'destroy' } },
    settings: { operationContext: { options: { deleteAfterDestroy: true } } },
  });
});

storeTest('every preview of a refresh is a look for drift', async () => {
  const { call, service, claim, report, ask, pass } = await world(SETTINGS);
  const look = async (
    events: readonly object[],
    status = 'succeeded',
    environment: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const { route, id, auth } = await startUpdate(service, { dryRun: true, kind: 'refresh', environment });
    const sent = events.map((event, sequence) => ({ sequence, timestamp: 1, ...event }));
    await service.call('POST', `${route}/events/batch`, { auth, body: { events: sent } });
    expect((await service.call('POST', `${route}/complete`, { auth, body: { status } })).status).toBe(200);
    return id;
  };
  expect((await call('GET', `${S}/drift/status`)).body).toMatchObject({
    driftDetected: false,
    runInProgress: false,
  });
  const id = await ask('detect-drift');
  const run = (await claim('one')) as Claimed;
  expect((await call('GET', `${S}/drift/status`)).body).toMatchObject({ runInProgress: true });
  const urn = 'urn:pulumi:dev::shop::test:index:Thing::a';
  const events = [
    { resOutputsEvent: { metadata: { urn, op: 'update', detailedDiff: { size: {} } } } },
    { diagnosticEvent: { urn, severity: 'info', message: 'last changed by ada' } },
    // Any client may send such events.
    ...[{ resOutputsEvent: null }, { resOutputsEvent: { metadata: 7 } }, { diagnosticEvent: { urn: 1 } }],
    { summaryEvent: { resourceChanges: { same: 1, update: 2 } } },
  ];
  const environment = { 'ci.system': 'Cairn agent', 'ci.build.id': id };
  const latest = await look(events, 'succeeded', environment);
  await report(run, 'one', ['succeeded'], {
    drift: {
      at: 'now',
      run: '1',
      resources: [{ urn: 'u', type: 't', kind: 'update', keys: [], since: 'now' }],
    },
  });
  // A client of Pulumi fails at a header with this operation.
  expect((await call('GET', `${D}/${id}/logs`)).body).toEqual({ lines: [] });
  expect((await call('GET', `${S}/drift/status`)).body).toEqual({
    ...{ driftDetected: true, runInProgress: false, latestDriftRun: latest },
    cairn: {
      resources: [
        {
          ...{ urn, type: 'test:index:Thing', kind: 'update', keys: ['size'] },
          ...{ says: ['last changed by ada'], since: expect.stringMatching(/^20.*Z$/) as string },
        },
      ],
    },
  });
  // A look that fails, and one that finds the same, forget nothing.
  const since = async (): Promise<unknown> => {
    const { cairn } = (await call('GET', `${S}/drift/status`)).body as {
      readonly cairn?: { readonly resources: readonly { readonly since: string }[] };
    };
    return cairn?.resources.map((each) => each.since);
  };
  const first = await since();
  await pass(60_000);
  await look([], 'failed');
  expect(await since()).toBeUndefined();
  await look(events);
  expect(await since()).toEqual(first);
  expect((await call('GET', `${S}/drift/runs?page=1&pageSize=5`)).body).toMatchObject({
    ...{ total: 3, itemsPerPage: 5 },
    driftRuns: [
      { driftDetected: true, status: 'succeeded', cairn: {} },
      { driftDetected: false, status: 'failed' },
      { driftDetected: true, status: 'succeeded', deploymentId: id, deploymentVersion: 1 },
    ],
  });
});

storeTest('a look for drift that was asked to repair asks for an update', async () => {
  const { call, claim, report, pass } = await world(SETTINGS);
  await call('POST', `${D}/drift/schedules`, { scheduleCron: '0 * * * *', autoRemediate: true });
  await pass(3_700_000);
  const run = (await claim('one')) as Claimed;
  const drift = {
    at: 'now',
    run: '1',
    resources: [{ urn: 'u', type: 't', kind: 'update', keys: [], since: 'now' }],
  };
  await report(run, 'one', ['succeeded'], { drift });
  expect(await claim('one')).toMatchObject({
    operation: 'remediate-drift',
    row: { kind: 'up', by: 'drift', refresh: true },
  });
});

storeTest(
  'an agent gets the run of a stack by its new name, and none of a stack that was removed',
  async () => {
    const { call, ask, claim } = await world(SETTINGS);
    await ask('preview');
    expect((await call('POST', `${S}/rename`, { newName: 'moved' })).status).toBe(200);
    expect(await claim('one')).toMatchObject({ stack: 'moved', operation: 'preview' });
    expect((await call('DELETE', S.replace(/dev$/, 'moved'))).status).toBe(200);
    expect(await claim('one')).toBeUndefined();
  },
);

storeTest('an agent that has found a stack when it is removed goes on', async () => {
  const { service, call, ask, claim } = await world(SETTINGS);
  await ask('preview');
  const { store } = service;
  const found = await store.dueStacks(1);
  expect((await call('DELETE', S)).status).toBe(200);
  jest.spyOn(store, 'dueStacks').mockResolvedValueOnce(found);
  expect(await claim('one')).toBeUndefined();
});

storeTest('pools, agents, and an agent that is drained', async () => {
  const { call, ask, claim } = await world(SETTINGS);
  await ask('update', { agentPoolID: 'blue' });
  expect(await claim('green-1', { pool: 'green' })).toBeUndefined();
  expect(await claim('none')).toBeUndefined();
  await call('POST', `${AGENTS}/blue-1/drain`);
  await call('POST', `${AGENTS}/claim`, { agent: 'blue-1', pool: 'blue', free: false });
  expect((await call('POST', `${AGENTS}/blue-1/drain`)).status).toBe(200);
  expect((await call('POST', `${AGENTS}/claim`, { agent: 'blue-1', pool: 'blue' })).body).toEqual({
    drain: true,
  });
  const again = { agent: 'blue-1', pool: 'blue', free: false, starts: true };
  expect((await call('POST', `${AGENTS}/claim`, again)).body).toEqual({ drain: false });
  expect(await claim('blue-2', { pool: 'blue' })).toBeDefined();
  expect((await call('GET', AGENTS)).body).toMatchObject({
    agents: [
      { name: 'blue-1', pool: 'blue', alive: true },
      { name: 'blue-2', alive: true },
      { name: 'green-1', pool: 'green' },
      { name: 'none' },
    ],
  });
});

storeTest('a call that waits gets what comes meanwhile', async () => {
  const { ask, claim } = await world(SETTINGS);
  const waiting = claim('one', { wait: 20 });
  await ask('preview');
  expect(await waiting).toMatchObject({ operation: 'preview' });
});

storeTest('everything is there after a restart of the service', async () => {
  const { folder, ask, claim, service, call } = await world(SETTINGS);
  await call('POST', `${D}/ttl/schedules`, { timestamp: '2999-01-01T00:00:00Z' });
  const [first, second] = [await ask('update'), await ask('refresh')];
  const run = (await claim('one')) as Claimed;
  await service.stop();
  const next = await startTestService(folder);
  const again = (method: string, route: string, body?: object) =>
    next.call(method, route, body ? { body } : {});
  expect((await again('GET', `${D}/${first}`)).body).toMatchObject({
    status: 'running',
    cairn: { agent: 'one' },
  });
  const done = { agent: 'one', fence: run.fence, rows: [{ ...run.row, status: 'failed' }] };
  expect((await again('POST', `${D}/${first}/attend`, done)).status).toBe(200);
  const claimed = await again('POST', `${AGENTS}/claim`, { agent: 'two' });
  expect(claimed.body).toMatchObject({ run: { deployment: second } });
  expect((await again('GET', `${D}/schedules`)).body['schedules']).toHaveLength(1);
});

storeTest('agents of several servers take each run once', async () => {
  if (!isShared()) return;
  const { ask, claim, folder } = await world(SETTINGS);
  await ask('update');
  const other: TestService = await startTestService(folder);
  const claims = await Promise.all([
    ...[1, 2, 3].map((each) => claim(`here-${each}`)),
    ...[1, 2, 3].map(async (each) => {
      const { body } = await other.call('POST', `${AGENTS}/claim`, { body: { agent: `there-${each}` } });
      return body['run'];
    }),
  ]);
  expect(claims.filter((each) => each !== undefined && each !== null)).toHaveLength(1);
});
