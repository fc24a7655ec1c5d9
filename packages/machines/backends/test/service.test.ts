import { base64Crypter } from '@cairn/crypters';
import { isCairnError } from '@cairn/diagnostics';
import type { SecretService } from '@cairn/crypters';
import { secretService, stateDigest } from '../src/index.js';
import type { Backend, BackendPorts, OperationLog } from '../src/index.js';
import { openServiceBackend } from '../src/service/open-service-backend.js';
import { ChangeRecorder, effect } from './operations.js';
import { EMPTY, ScriptedService } from './scripted-service.js';
import type { Fault } from './scripted-service.js';
import { VirtualTimer } from './virtual-time.js';
import { DEV, SECRETS, START, portsOf } from './world.js';

let service: ScriptedService;
let waits: number[];
let timer: VirtualTimer;

beforeEach(async () => {
  service = await ScriptedService.start();
  waits = [];
  timer = new VirtualTimer();
});
afterEach(() => service.stop());

async function open(
  more: Partial<BackendPorts> = {},
  token: string | null = 'secret-token',
): Promise<Backend> {
  const ports = { ...portsOf({ pid: 1, dead: new Set() }), timer, ...more };
  const retries = { now: () => 0, random: () => 0.999, sleep: async (ms: number) => void waits.push(ms) };
  return openServiceBackend(
    `${service.url}/`,
    ports,
    { token: token ?? undefined, organization: 'acme', username: 'ann' },
    retries,
  );
}

async function begin(more: Partial<BackendPorts> = {}): Promise<OperationLog> {
  const lease = await (await open(more)).lease(DEV, { openCrypter: async () => base64Crypter });
  return lease.begin(START);
}

const refused = (status: number, message: string, code: unknown = status): Fault => ({
  status,
  body: JSON.stringify({ code, message }),
});

/** Returns the code and the summary of what is thrown. */
async function errorOf(
  work: Promise<unknown>,
): Promise<readonly [code: string | undefined, summary: string]> {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isCairnError(thrown)) throw new Error(`no error of ours: ${String(thrown)}`);
  const [diagnostic] = thrown.diagnostics;
  return [diagnostic?.code, (diagnostic?.summary ?? '').replaceAll(service.url, 'URL')];
}

describe('answers of one call', () => {
  const read = async (): Promise<unknown> => (await open()).read(DEV);
  test.each<
    [title: string, faults: readonly Fault[], code: string | undefined, said: string, attempts: number]
  >([
    ['a failure that passes', [refused(503, 'busy')], undefined, '', 2],
    ['an answer that is lost', ['cut', 'cut'], undefined, '', 3],
    ['too many requests', [refused(429, 'slow down')], undefined, '', 2],
    [
      'a service that stays away',
      Array(4).fill(refused(500, 'no')),
      'CAIRN-STORE-UNAVAILABLE',
      'answered 500: no',
      4,
    ],
    ['no access token', [refused(401, 'who?')], 'CAIRN-STORE-CREDENTIALS', 'answered 401: who?', 1],
    ['too small a role', [refused(403, 'no')], 'CAIRN-STORE-DENIED', 'answered 403: no', 1],
    ['no such stack', [refused(404, 'none')], 'CAIRN-STACK-NOT-FOUND', "no stack named 'dev'", 1],
    [
      'a code that is not the status',
      [refused(400, 'none', 404)],
      'CAIRN-STACK-NOT-FOUND',
      "no stack named 'dev'",
      1,
    ],
    ['a page of a proxy', [{ status: 418, body: '<html>' }], 'CAIRN-STORE-FAILED', 'answered 418: <html>', 1],
    ['no JSON', [{ status: 200, body: 'hello' }], 'CAIRN-STATE-CORRUPT', 'hello', 1],
  ])('%s', async (_title, faults, code, said, attempts) => {
    service.faults.set('GET export', [...faults]);
    if (code === undefined) await read();
    else {
      const [found, summary] = await errorOf(read());
      expect(found).toBe(code);
      if (code !== 'CAIRN-STATE-CORRUPT') expect(summary).toContain(said);
      expect(summary).not.toContain('secret-token');
    }
    expect(service.routes().filter((route) => route === 'GET export')).toHaveLength(attempts);
  });

  test.each<[title: string, faults: readonly Fault[], hint: string]>([
    ['a service that knows no such name', [refused(404, 'no such organization')], 'Check the name'],
    [
      'a service that refuses the request',
      [refused(400, 'name: too long')],
      'Change what the service refuses',
    ],
    ['another server', [{ status: 404, body: '<html>' }], 'Check the address of the service, and that it is'],
  ])('%s: the hint says what to do', async (_title, faults, hint) => {
    service.faults.set('POST shop', [...faults]);
    const thrown: unknown = await (await open()).create(DEV, SECRETS).catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      diagnostics: [{ code: 'CAIRN-STORE-FAILED', hint: expect.stringContaining(hint) as string }],
    });
  });

  test('a hint names a stack as commands take it, with its organization', async () => {
    service.faults.set('GET export', [refused(404, 'none')]);
    const id = { ...DEV, organization: 'acme' };
    const thrown: unknown = await (await open()).read(id).catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      diagnostics: [
        { hint: expect.stringContaining(`\`cairn stack init acme/${DEV.project}/dev\``) as string },
      ],
    });
  });

  test('an address with https where no TLS is spoken says so', async () => {
    const ports = { ...portsOf({ pid: 1, dead: new Set() }), timer };
    const retries = { now: () => 0, random: () => 0.999, sleep: async () => undefined };
    const access = { token: 'secret-token', organization: 'acme', username: 'ann' };
    const url = service.url.replace('http:', 'https:');
    const thrown: unknown = await (
      await openServiceBackend(url, ports, access, retries)
    )
      .read(DEV)
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      diagnostics: [
        {
          summary: expect.stringContaining(`cannot reach ${url}: it does not speak TLS`) as string,
          hint: expect.stringContaining('http://') as string,
        },
      ],
    });
  });

  test('a service says how long to wait', async () => {
    service.faults.set('GET export', [{ status: 429, headers: { 'retry-after': '7' } }, refused(502, '')]);
    await read();
    expect(waits.map(Math.round)).toEqual([7000, 1998]);
  });

  test('calls that change something are sent once', async () => {
    service.faults.set('PATCH tags', [refused(503, 'busy')]);
    const backend = await open();
    expect((await errorOf(backend.editTags(DEV, () => ({ a: 'b' }))))[0]).toBe('CAIRN-STORE-UNAVAILABLE');
    expect(service.bodies('PATCH tags')).toEqual([{ a: 'b' }]);
  });

  test.each<[title: string, route: string, again: boolean, work: (backend: Backend) => Promise<unknown>]>([
    [
      'is made again on another one if the service does it once',
      'GET export',
      true,
      (backend) => backend.read(DEV),
    ],
    [
      'fails if it may have been done',
      'PATCH tags',
      false,
      (backend) => backend.editTags(DEV, () => ({ a: 'b' })),
    ],
  ])('a call on a kept connection that ends before its answer %s', async (_title, route, isAgain, work) => {
    const backend = await open();
    const cut: Fault[] = ['cut kept'];
    service.faults.set(route, cut);
    let failed: unknown;
    while (cut.length > 0) await work(backend).catch((thrown: unknown) => void (failed = thrown));
    if (isAgain) expect(failed).toBeUndefined();
    else expect((await errorOf(Promise.reject(failed as Error)))[0]).toBe('CAIRN-STORE-UNAVAILABLE');
    if (!isAgain) return;
    const [ended, again] = service.calls.slice(-2);
    expect([ended?.route, again?.route]).toEqual([route, route]);
    expect(again?.connection).not.toBe(ended?.connection);
  });

  test('without a token nothing is sent', async () => {
    const backend = await open({}, null);
    const [code, summary] = await errorOf(backend.read(DEV));
    expect([code, summary]).toEqual([
      'CAIRN-STORE-CREDENTIALS',
      'cannot read the state: not logged in to URL',
    ]);
    expect(service.calls).toEqual([]);
  });
});

describe('an operation', () => {
  test('sends what it records, packed, and ends', async () => {
    const log = await begin();
    // Only our own services have pages.
    expect(log.page).toBeUndefined();
    await log.store.append(new ChangeRecorder().creates(effect('a')).records);
    // Only our own services learn of the order.
    await log.finish({ result: 'succeeded', resourceChanges: { create: 1 }, order: [0] });
    expect(service.routes()).toEqual([
      ...['GET dev', 'GET capabilities', 'GET export', 'POST update', 'POST u1', 'GET export'],
      ...['PATCH journalentries', 'POST batch', 'POST complete'],
    ]);
    const [request] = service.bodies('POST update') as [{ config: unknown; metadata: unknown }];
    expect(request.config).toEqual({
      'shop:size': { string: '3', secret: false, object: false },
      'shop:key': { string: 'v1:abc', secret: true, object: false },
    });
    expect(request.metadata).toEqual({ message: START.message, environment: START.environment });
    const [batch] = service.bodies('PATCH journalentries') as [{ entries: { kind: number }[] }];
    expect(batch.entries.map(({ kind }) => kind)).toEqual([0, 1]);
    const last = service.calls.slice(-3).map(({ authorization, encoding }) => [authorization, encoding]);
    expect(last).toEqual([
      ['update-token lease', 'gzip'],
      ['update-token lease', 'gzip'],
      ['update-token lease', undefined],
    ]);
    expect(service.bodies('POST complete')).toEqual([{ status: 'succeeded' }]);
  });

  test('says at its end how many entries a service that keeps changes has acknowledged', async () => {
    const { version, deployment } = EMPTY;
    const base = stateDigest({ version, features: undefined, deployment: JSON.stringify(deployment) });
    service.answers.set('GET capabilities', { capabilities: [{ capability: 'cairn-changes' }] });
    service.answers.set('GET changes', { changes: [] });
    service.answers.set('POST u1', {
      ...{ version: 4, token: 'lease', journalVersion: 1, change: { number: 1, base } },
    });
    const log = await begin();
    service.faults.set('PATCH journalentries', ['cut', refused(413, 'large')]);
    await log.store.append(new ChangeRecorder().creates(effect('a'), effect('b')).records);
    await log.finish({ result: 'succeeded', resourceChanges: { create: 2 } });
    expect(service.bodies('POST complete')).toMatchObject([
      { status: 'succeeded', change: { result: 'succeeded', entries: 4 } },
    ]);
  });

  test('a step begins once its entry is acknowledged; what comes meanwhile is one batch', async () => {
    const log = await begin();
    const recorder = new ChangeRecorder();
    const steps = ['a', 'b', 'c'].map((name) => {
      const from = recorder.records.length;
      recorder.begins(effect(name));
      return recorder.records.slice(from);
    });
    const order: string[] = [];
    await Promise.all(
      steps.map((records, index) => log.store.append(records).then(() => order.push(`step ${index}`))),
    );
    const batches = service.bodies('PATCH journalentries') as { entries: unknown[] }[];
    expect(batches.reduce((sum, { entries }) => sum + entries.length, 0)).toBe(3);
    expect(batches.length).toBeLessThan(3);
    expect(order).toEqual(['step 0', 'step 1', 'step 2']);
  });

  test('halves a batch that is too large, and gives up at one entry', async () => {
    const log = await begin();
    service.faults.set('PATCH journalentries', [refused(413, 'large'), refused(413, 'large')]);
    const records = new ChangeRecorder().creates(effect('a'), effect('b')).records;
    await log.store.append(records);
    const sizes = (service.bodies('PATCH journalentries') as { entries: unknown[] }[]).map(
      (b) => b.entries.length,
    );
    expect(sizes).toEqual([4, 2, 1, 1, 2]);
  });

  test('a lost answer is asked for again', async () => {
    const log = await begin();
    service.faults.set('PATCH journalentries', ['cut']);
    service.faults.set('POST complete', ['cut', refused(502, '')]);
    await log.store.append(new ChangeRecorder().creates(effect('a')).records);
    await log.finish({ result: 'failed', resourceChanges: {} });
    expect(service.bodies('PATCH journalentries')).toHaveLength(2);
    expect(service.bodies('POST complete')).toEqual(Array(3).fill({ status: 'failed' }));
  });

  test('sends whole states to a service that takes no entries', async () => {
    service.answers.set('POST u1', { version: 4, token: 'lease' });
    const log = await begin();
    await log.store.append(new ChangeRecorder().creates(effect('a')).records);
    const [sent] = service.bodies('PATCH checkpoint') as [
      { isInvalid: boolean; deployment: { resources: object[] } },
    ];
    expect([sent.isInvalid, sent.deployment.resources.length]).toEqual([false, 1]);
  });

  test('renews its lease at half of its time, and goes on with the new token', async () => {
    const log = await begin();
    await timer.pass(149_000);
    expect(service.bodies('POST renew_lease')).toEqual([]);
    await timer.pass(2_000);
    await expectSoon(() => service.bodies('POST renew_lease').length === 1);
    await log.finish({ result: 'succeeded', resourceChanges: {} });
    expect(service.calls.at(-1)?.authorization).toBe('update-token renewed');
  });

  test.each<[title: string, status: number, said: string]>([
    ['an expired lease', 403, 'The lease of the update has expired.'],
    ['a cancelled update', 409, 'Conflict: Update was cancelled.'],
  ])('stops at %s and does not end the update', async (_title, status, said) => {
    const log = await begin();
    service.faults.set('PATCH journalentries', [refused(status, said)]);
    const records = new ChangeRecorder().creates(effect('a')).records;
    expect((await errorOf(log.store.append(records)))[0]).toBe('CAIRN-LEASE-LOST');
    expect((await errorOf(log.store.append(records)))[0]).toBe('CAIRN-LEASE-LOST');
    await errorOf(log.finish({ result: 'failed', resourceChanges: {} }));
    expect(service.routes().slice(-2)).toEqual(['GET export', 'PATCH journalentries']);
  });

  test('a lease that cannot be renewed stops the operation at its next step', async () => {
    const log = await begin();
    service.faults.set('POST renew_lease', [refused(403, 'expired')]);
    await timer.pass(151_000);
    await expectSoon(() => service.routes().at(-1) === 'POST renew_lease');
    await timer.settle();
    const records = new ChangeRecorder().creates(effect('a')).records;
    expect((await errorOf(log.store.append(records)))[0]).toBe('CAIRN-LEASE-LOST');
  });

  test('does not begin beside another one', async () => {
    service.faults.set('POST u1', [refused(409, 'Conflict: Another update is currently in progress.')]);
    const failure: unknown = await begin().catch((thrown: unknown) => thrown);
    if (!isCairnError(failure)) throw new Error('the operation began');
    expect(failure.diagnostics[0]?.code).toBe('CAIRN-STATE-LOCKED');
    expect(failure.diagnostics[0]?.hint).toContain(
      'one operation on a stack at a time, whatever its targets',
    );
  });

  test('does not begin on a state that has moved, and leaves no update behind', async () => {
    const lease = await (await open()).lease(DEV, { openCrypter: async () => base64Crypter });
    service.answers.set('GET export', {
      version: 3,
      deployment: {
        manifest: { time: '', magic: '', version: '' },
        pending_operations: [],
        metadata: {},
        resources: [ROOT],
      },
    });
    expect((await errorOf(lease.begin(START)))[0]).toBe('CAIRN-STORE-CONFLICT');
    expect(service.bodies('POST complete')).toEqual([{ status: 'failed' }]);
  });
});

const ROOT = {
  urn: 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev',
  custom: false,
  type: 'pulumi:pulumi:Stack',
};
const BUSY = { kind: 'update', author: 'ben', started: 1_900_000_000 };

describe('a stack on which an update runs', () => {
  const busy = {
    orgName: 'acme',
    projectName: 'shop',
    stackName: 'dev',
    activeUpdate: 'u9',
    currentOperation: BUSY,
  };

  test('is refused at once, with its holder', async () => {
    service.answers.set('GET dev', busy);
    const [code, summary] = await errorOf(begin());
    expect(code).toBe('CAIRN-STATE-LOCKED');
    expect(summary).toContain('the operation update of ben (since 2030-03-17T17:46:40.000Z)');
  });

  test('is waited for', async () => {
    service.answers.set('GET dev', busy);
    const told: string[] = [];
    const begun = begin({ waitForLockMs: 60_000, waiting: (text) => told.push(text) });
    await expectSoon(() => told.length === 1);
    service.answers.delete('GET dev');
    await timer.pass(300);
    await (await begun).abandon();
    expect(told).toEqual(['waiting for the operation update of ben (since 2030-03-17T17:46:40.000Z) to end']);
  });

  test('is cancelled', async () => {
    service.answers.set('GET dev', busy);
    const backend = await open();
    expect(await backend.cancel(DEV)).toBe(true);
    service.answers.delete('GET dev');
    expect(await backend.cancel(DEV)).toBe(false);
    expect(service.routes().filter((route) => route === 'POST cancel')).toHaveLength(1);
  });
});

test('lists stacks page by page', async () => {
  const row = (stackName: string): object => ({
    orgName: 'acme',
    projectName: 'shop',
    stackName,
    lastUpdate: 0,
  });
  service.answers.set('GET stacks', { stacks: [row('dev')], continuationToken: 'next' });
  const listed = (await open()).list();
  await expectSoon(() => service.calls.length > 0);
  service.answers.set('GET stacks', { stacks: [row('prod')], continuationToken: null });
  expect(await listed).toEqual(
    expect.arrayContaining([{ organization: 'acme', project: 'shop', stack: 'prod' }]),
  );
});

test('an edit is made again when the state has changed meanwhile', async () => {
  const backend = await open();
  let calls = 0;
  await backend.edit(DEV, (before) => {
    calls += 1;
    if (calls === 1)
      service.answers.set('GET export', {
        version: 3,
        deployment: { manifest: { time: '', magic: '', version: '' }, resources: [ROOT] },
      });
    return { ...before, resources: [] };
  });
  expect(calls).toBe(2);
  expect(service.bodies('POST import')).toHaveLength(1);
});

test('a service with marks is asked to store an edit over the state that was read', async () => {
  service.headers.set('GET export', { etag: '"one"' });
  service.faults.set('POST import', [refused(412, 'changed')]);
  const backend = await open();
  let calls = 0;
  await backend.edit(DEV, (before) => {
    calls += 1;
    return { ...before, resources: [] };
  });
  expect([calls, service.bodies('POST import').length]).toEqual([2, 2]);
  expect(service.calls.filter(({ route }) => route === 'POST import').map(({ ifMatch }) => ifMatch)).toEqual([
    '"one"',
    '"one"',
  ]);
});

test('a service that knows no batches gets secrets one by one', async () => {
  const missing = refused(404, 'not found');
  service.faults.set('POST batch-encrypt', [missing]);
  service.faults.set('POST batch-decrypt', [missing]);
  service.answers.set('POST encrypt', { ciphertext: 'sealed' });
  service.answers.set('POST decrypt', { plaintext: Buffer.from('opened').toString('base64') });
  const state = JSON.stringify({ url: service.url, owner: 'acme', project: 'shop', stack: 'dev' });
  const access = async () => ({ token: 't', organization: undefined, username: undefined });
  const keeper = secretService(state, { version: '1', access }) as SecretService;
  expect(await keeper.encrypt(['a', 'b'])).toEqual(['sealed', 'sealed']);
  expect(await keeper.decrypt(['x', 'y', 'z'])).toEqual(['opened', 'opened', 'opened']);
  expect(service.bodies('POST encrypt')).toEqual([{ plaintext: 'YQ==' }, { plaintext: 'Yg==' }]);
  expect(service.bodies('POST decrypt')).toHaveLength(3);
});

describe('secrets of a service that has moved [SEC-9]', () => {
  const keeperOf = (url: string): SecretService => {
    const state = JSON.stringify({ url, owner: 'acme', project: 'shop', stack: 'dev' });
    const access = async () => ({ token: 't', organization: undefined, username: undefined });
    return secretService(state, { version: '1', access, present: () => service.url }) as SecretService;
  };
  const sealed = (text: string) => ({ plaintexts: { [text]: Buffer.from('opened').toString('base64') } });

  test('they are opened, and sealed, at its present address', async () => {
    const other = await ScriptedService.start();
    try {
      service.answers.set('POST batch-decrypt', sealed('x'));
      service.answers.set('POST batch-encrypt', { ciphertexts: ['sealed'] });
      const keeper = keeperOf(other.url);
      expect(await keeper.decrypt(['x'])).toEqual(['opened']);
      expect(await keeper.encrypt(['a'])).toEqual(['sealed']);
      expect(other.routes()).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  test('a state of another service keeps its keeper', async () => {
    const other = await ScriptedService.start();
    try {
      service.faults.set('POST batch-decrypt', [refused(400, 'cannot open it')]);
      other.answers.set('POST batch-decrypt', sealed('x'));
      other.answers.set('POST batch-encrypt', { ciphertexts: ['theirs'] });
      const keeper = keeperOf(other.url);
      expect(await keeper.decrypt(['x'])).toEqual(['opened']);
      expect(await keeper.encrypt(['a'])).toEqual(['theirs']);
      expect(service.routes()).toEqual(['POST batch-decrypt']);
    } finally {
      await other.stop();
    }
  });
});

test('an operation describes its program and its repository in the tags of the stack', async () => {
  const tags = { team: 'a', 'vcs:repo': 'old' };
  service.answers.set('GET dev', { orgName: 'acme', projectName: 'shop', stackName: 'dev', tags });
  const lease = await (await open()).lease(DEV, { openCrypter: async () => base64Crypter });
  const environment = { 'vcs.kind': 'github.com', 'vcs.owner': 'o', 'vcs.repo': 'shop', 'vcs.root': '' };
  await lease.begin({ ...START, environment, program: { runtime: 'nodejs' } });
  const [{ tags: sent }] = service.bodies('POST u1') as [{ tags: object }];
  expect(sent).toEqual({
    ...{ team: 'a', 'pulumi:project': 'shop', 'pulumi:runtime': 'nodejs' },
    ...{ 'vcs:kind': 'github.com', 'vcs:owner': 'o', 'vcs:repo': 'shop' },
  });
});

test('what a service that keeps no changes cannot do has a code of its own', async () => {
  const backend = await open();
  expect(await backend.newestChange(DEV)).toBe(undefined);
  const lease = await backend.lease(DEV, { openCrypter: async () => base64Crypter });
  const message = { t: 'abort', rollback: true, by: 'ann' } as const;
  for (const work of [
    () => backend.changes(DEV),
    () => backend.changeRow(DEV, 7),
    () => backend.change(DEV, 7),
    () => backend.tell(DEV, 7, message),
    () => backend.follow(DEV, 7, () => undefined, new AbortController().signal),
    () => lease.lineage(7),
    async () => backend.service?.requireChanges(),
  ])
    expect(await errorOf(work())).toEqual([
      'CAIRN-CHANGES-NOT-KEPT',
      'cannot show or continue changes: URL keeps none',
    ]);
  expect(service.routes().filter((route) => route === 'GET capabilities')).toHaveLength(1);
});

test('a name stays in its organization', async () => {
  const backend = await open();
  const rename = backend.rename(DEV, { ...DEV, organization: 'other' });
  expect((await errorOf(rename))[0]).toBe('CAIRN-USAGE');
});

/** Waits, turn by turn, until something is so. */
async function expectSoon(isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 100_000 && !isSo(); turns += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(isSo()).toBe(true);
}
