import { randomUUID } from 'node:crypto';
import { TestDatabases, postgresKind, run, why } from './postgres-kind.js';
import {
  MANIFEST,
  S,
  endServices,
  newFolder,
  resource,
  send,
  startTestService,
  startUpdate,
} from './service.js';
import { storeTest, useStore } from './service.js';
import type { Answer, TestService } from './service.js';

const databases = new TestDatabases({ syncs: true });
useStore(postgresKind(databases), why);
afterEach(endServices);

/** Sizes of a run in CI. Larger ones are by hand. */
const RACES = Number(process.env['CAIRN_RACES'] ?? 100);
const UPDATES = Number(process.env['CAIRN_FAULT_UPDATES'] ?? 6);
jest.setTimeout(300_000);

/** Success entry that adds a root resource. */
function adds(sequenceID: number, name = `r${sequenceID}`): object {
  const more = { operationID: sequenceID, removeOld: null, removeNew: null, state: resource(name) };
  return { version: 1, kind: 1, sequenceID, ...more };
}

interface Pair {
  readonly a: TestService;
  readonly b: TestService;
}

/** Two services over one database, with a stack. */
async function pair(): Promise<Pair> {
  const folder = newFolder();
  const a = await startTestService(folder);
  const b = await startTestService(folder);
  expect((await a.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } })).status).toBe(
    200,
  );
  return { a, b };
}

function sendBatch(service: TestService, route: string, auth: string, entries: object[]): Promise<Answer> {
  return service.call('PATCH', `${route}/journalentries`, { auth, body: { entries } });
}

async function names(service: TestService): Promise<readonly string[]> {
  const { deployment } = (await service.call('GET', `${S}/export`)).body as {
    deployment: { resources?: { urn: string }[] };
  };
  return (deployment.resources ?? []).map(({ urn }) => urn.split('::').at(-1) as string);
}

storeTest(`of two that claim one stack, one gets it, ${RACES} times`, async () => {
  const { a, b } = await pair();
  for (let race = 0; race < RACES; race += 1) {
    const starts = await Promise.all([startUpdate(a), startUpdate(b)]);
    expect([race, ...starts.map(({ answer }) => answer.status).sort()]).toEqual([race, 200, 409]);
    const winner = starts.find(({ answer }) => answer.status === 200);
    expect((await b.call('GET', S)).body).toMatchObject({ activeUpdate: winner?.id });
    expect((await b.call('POST', `${String(winner?.route)}/cancel`)).status).toBe(200);
  }
  expect((await a.call('GET', S)).body).toMatchObject({ version: RACES });
});

storeTest('batches that race a cancellation are acknowledged and kept, or refused and gone', async () => {
  const { a, b } = await pair();
  for (let race = 0; race < 10; race += 1) {
    const { route, auth } = await startUpdate(a);
    const before = await names(a);
    const batches = Array.from({ length: 12 }, async (_each, index) => {
      const name = `x${race}-${index}`;
      const { status } = await sendBatch(index % 2 === 0 ? a : b, route, auth, [adds(index + 1, name)]);
      return { name, status };
    });
    const cancel = await b.call('POST', `${route}/cancel`);
    const answers = await Promise.all(batches);
    expect([cancel.status, answers.filter(({ status }) => status !== 200 && status !== 409)]).toEqual([
      200,
      [],
    ]);
    const kept = answers.filter(({ status }) => status === 200).map(({ name }) => name);
    expect([...(await names(b))].sort()).toEqual([...kept, ...before].sort());
  }
});

storeTest('the same batch at three places is stored once, and of two contradicting ones one', async () => {
  const { a, b } = await pair();
  const { route, auth } = await startUpdate(a);
  const same = await Promise.all([a, b, a].map((each) => sendBatch(each, route, auth, [adds(1), adds(2)])));
  expect(same.map(({ status }) => status)).toEqual([200, 200, 200]);
  const other = await Promise.all([
    sendBatch(a, route, auth, [adds(3, 'one'), adds(4)]),
    sendBatch(b, route, auth, [adds(3, 'two'), adds(5)]),
  ]);
  expect(other.map(({ status }) => status).sort()).toEqual([200, 400]);
  const first = other[0]?.status === 200;
  expect(await names(b)).toEqual(['r1', 'r2', first ? 'one' : 'two', first ? 'r4' : 'r5']);
});

storeTest('each entry of batches that wait together is looked for once', async () => {
  const folder = newFolder();
  const service = await startTestService(folder);
  const updates = await Promise.all(
    Array.from({ length: 24 }, async (_each, index) => {
      const stack = `many${index}`;
      await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: stack } });
      return startUpdate(service, { stack });
    }),
  );
  // In a small table, nothing is looked for in the index.
  await run(
    await databases.url(folder),
    `insert into cairn.journal
     select id, 1000 + seq, null, repeat('x', 1000)
       from (select id from cairn.updates limit 1) u, generate_series(1, 20000) seq;
     analyze cairn.journal`,
  );
  for (let first = 1; first < 40; first += 10) {
    const entries = Array.from({ length: 10 }, (_each, index) => adds(first + index));
    const answers = await Promise.all(
      updates.map(({ route, auth }) => sendBatch(service, route, auth, entries)),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  }
  // The server counts what a connection did when that ends.
  await service.stop();
  const counted = `select idx_scan::integer as scans from pg_stat_user_tables where relname = 'journal'`;
  const [row] = (await run(await databases.url(folder), counted)) as { scans: number }[];
  expect(row?.scans).toBeLessThan(3 * updates.length * 40);
});

storeTest('a call whose answer was lost is done once, whichever process gets it again', async () => {
  const { a, b } = await pair();
  const twice = async (method: string, path: string, auth: string, body?: object): Promise<void> => {
    for (const service of [a, b])
      expect([path, (await service.call(method, path, { auth, body })).status]).toEqual([path, 200]);
  };
  const { route, auth } = await startUpdate(a);
  await twice('PATCH', `${route}/journalentries`, auth, { entries: [adds(1)] });
  await twice('POST', `${route}/events/batch`, auth, { events: [{ sequence: 0, timestamp: 1 }] });
  await twice('POST', `${route}/renew_lease`, auth, { duration: 300 });
  await twice('POST', `${route}/complete`, auth, { status: 'succeeded' });
  expect((await b.call('GET', `${route}/events`)).body).toEqual({
    events: [{ sequence: 0, timestamp: 1 }],
    continuationToken: null,
  });
  const whole = await startUpdate(b, { journal: false });
  const state = { version: 3, deployment: { manifest: MANIFEST, resources: [resource('whole')] } };
  await twice('PATCH', `${whole.route}/checkpoint`, whole.auth, state);
  await twice('POST', `${whole.route}/cancel`, `token ${a.token}`);
  expect([await names(a), (await a.call('GET', S)).body['version']]).toEqual([['whole'], 2]);
});

storeTest(
  'calls about history, secrets and the queue are done once, whichever process gets them again',
  async () => {
    const { a, b } = await pair();
    const admin = `token ${await a.tokenFor('admin')}`;
    const twice = async (method: string, more: string, body?: object): Promise<readonly Answer[]> => {
      const answers: Answer[] = [];
      for (const service of [a, b]) answers.push(await service.call(method, S + more, { auth: admin, body }));
      expect([more, ...answers.map(({ status }) => status)]).toEqual([more, 200, 200]);
      return answers;
    };
    const info = {
      kind: 'update',
      startTime: 1,
      endTime: 2,
      message: 'past',
      result: 'succeeded',
      version: 1,
    };
    const state = { version: 3, deployment: { manifest: MANIFEST, resources: [resource('past')] } };
    await twice('POST', '/versions', { info: { ...info, environment: {}, config: {} }, state });
    expect([(await a.call('GET', S)).body['version'], await names(b)]).toEqual([1, ['past']]);
    const plaintext = Buffer.from('a secret').toString('base64');
    const sealed = await twice('POST', '/encrypt', { plaintext });
    for (const { body } of sealed)
      for (const opened of await twice('POST', '/decrypt', body)) expect(opened.body).toEqual({ plaintext });
    const [ticket, other] = [randomUUID(), randomUUID()];
    const places = [
      ...(await twice('POST', `/queue/${ticket}`)),
      ...(await twice('POST', `/queue/${other}`)),
    ];
    expect(places.map(({ body }) => (body['before'] as object[]).length)).toEqual([0, 0, 1, 1]);
    await twice('DELETE', `/queue/${ticket}`);
    const [first] = await twice('POST', `/queue/${other}`);
    expect(first?.body['before']).toEqual([]);
  },
);

storeTest('a process whose clock is an hour ahead takes no lease from another', async () => {
  const folder = newFolder();
  const a = await startTestService(folder);
  await a.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const ahead = await startTestService(folder, { now: () => new Date(Date.now() + 3_600_000) });
  const { route, auth } = await startUpdate(a);
  await ahead.service.sweep();
  expect((await startUpdate(ahead)).answer.status).toBe(409);
  const renewed = await ahead.call('POST', `${route}/renew_lease`, { auth, body: { duration: 300 } });
  expect(renewed.status).toBe(200);
  const left = Number(renewed.body['tokenExpiration']) - Date.now() / 1000;
  expect([left, left > 0 && left < 600]).toEqual([left, true]);
  expect((await sendBatch(a, route, auth, [adds(1)])).status).toBe(200);
  await a.pass(331_000);
  expect((await sendBatch(a, route, auth, [adds(2)])).status).toBe(403);
  expect((await sendBatch(ahead, route, auth, [adds(2)])).status).toBe(403);
  expect(await names(ahead)).toEqual(['r1']);
});

storeTest('two sweepers end a lapsed update once', async () => {
  const { a, b } = await pair();
  const { route, auth } = await startUpdate(a);
  await sendBatch(a, route, auth, [adds(1)]);
  await a.pass(331_000);
  await Promise.all([a.service.sweep(), b.service.sweep()]);
  expect((await a.call('GET', `${S}/updates`)).body).toMatchObject({
    updates: [{ version: 1, result: 'failed' }],
  });
  expect([await names(b), (await startUpdate(b)).answer.status]).toEqual([['r1'], 200]);
});

storeTest(
  'PostgreSQL dies while updates run: what was acknowledged is there, and they continue',
  async () => {
    const { a, b } = await pair();
    const stacks = ['dev', ...Array.from({ length: UPDATES - 1 }, (_each, index) => `s${index}`)];
    for (const stackName of stacks.slice(1))
      await a.call('POST', '/api/stacks/organization/shop', { body: { stackName } });
    const updates = await Promise.all(stacks.map((stack) => startUpdate(a, { stack })));
    const kept = await runThrough(updates, [a, b], async () => (await databases.server()).crash());
    for (const [index, stack] of stacks.entries()) {
      const { route, auth } = updates[index] as (typeof updates)[number];
      const path = S.replace(/dev$/, stack);
      expect(
        (await a.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } })).status,
      ).toBe(200);
      expect((await b.call('GET', path)).body).toMatchObject({ version: 1 });
      const { body } = await b.call('GET', `${path}/export`);
      const { resources = [] } = body['deployment'] as { resources?: unknown[] };
      expect(resources.length).toBe(kept);
    }
  },
);

const BATCHES = 30;

/** Sends batches of every update, each until it is acknowledged. Runs `fault` in the middle. */
async function runThrough(
  updates: readonly { readonly route: string; readonly auth: string }[],
  services: readonly TestService[],
  fault: () => Promise<void>,
): Promise<number> {
  let refused = 0;
  let fallen: Promise<void> | undefined;
  await Promise.all(
    updates.map(async ({ route, auth }, place) => {
      for (let batch = 1; batch <= BATCHES;) {
        if (batch === BATCHES / 2) fallen ??= fault();
        const service = services[(place + batch) % services.length] as TestService;
        const { status } = await sendBatch(service, route, auth, [adds(batch)]);
        if (status === 200) batch += 1;
        else expect([status, (refused += 1) < 100_000]).toEqual([503, true]);
      }
    }),
  );
  await fallen;
  expect(refused).toBeGreaterThan(0);
  return BATCHES;
}

storeTest('processes that start together migrate once, and a newer schema is refused', async () => {
  const folder = newFolder();
  const stores = await Promise.all([1, 2, 3].map(() => databases.open(folder)));
  const url = await databases.url(folder);
  expect(await run(url, 'select version from cairn.migrations where version = 1')).toEqual([{ version: 1 }]);
  await stores[0]?.ping();
  await run(url, 'insert into cairn.migrations values (99)');
  await expect(stores[0]?.ping()).rejects.toMatchObject({ diagnostics: [{ code: 'CAIRN-STATE-TOO-NEW' }] });
  await expect(databases.open(folder)).rejects.toMatchObject({
    diagnostics: [{ code: 'CAIRN-STATE-TOO-NEW' }],
  });
  await Promise.all(stores.map((store) => store.close()));
});

storeTest('a blob that is gone or altered is no state', async () => {
  const { a, b } = await pair();
  const folder = a.folder;
  const { route, auth } = await startUpdate(a);
  await sendBatch(a, route, auth, [adds(1)]);
  await a.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } });
  const url = await databases.url(folder);
  await run(url, "update cairn.stacks set sha256 = 'x'");
  expect(await b.call('GET', `${S}/export`)).toMatchObject({ status: 500, body: { code: 500 } });
  expect(a.lines.concat(b.lines).join('')).toContain('its bytes are not those that were stored');
  expect((await send(a.url, 'GET', '/readyz', {})).status).toBe(200);
});
