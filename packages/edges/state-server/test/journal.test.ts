import {
  MANIFEST,
  S,
  endServices,
  isShared,
  resource,
  startTestService,
  storeTest,
  startUpdate,
} from './service.js';
import type { Answer, TestService } from './service.js';

afterEach(endServices);

const PROVIDER = {
  type: 'service',
  state: { url: 'http://x', owner: 'organization', project: 'shop', stack: 'dev' },
};
const MANAGER = {
  version: 1,
  kind: 6,
  sequenceID: 1,
  operationID: 0,
  removeOld: null,
  removeNew: null,
  secretsProvider: PROVIDER,
};

function begin(sequenceID: number, operationID: number, name: string): object {
  const operation = { resource: resource(name), type: 'creating' };
  return { version: 1, kind: 0, sequenceID, operationID, removeOld: null, removeNew: null, operation };
}

function success(sequenceID: number, operationID: number, name: string, more: object = {}): object {
  return {
    version: 1,
    kind: 1,
    sequenceID,
    operationID,
    removeOld: null,
    removeNew: null,
    state: resource(name),
    ...more,
  };
}

interface Running {
  readonly service: TestService;
  readonly route: string;
  readonly auth: string;
  send(...entries: unknown[]): Promise<Answer>;
  complete(status: string): Promise<Answer>;
  names(): Promise<readonly string[]>;
}

async function running(base: readonly object[] = []): Promise<Running> {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  if (base.length > 0)
    await service.call('POST', `${S}/import`, {
      body: { version: 3, deployment: { manifest: MANIFEST, resources: base } },
    });
  const { route, auth, answer } = await startUpdate(service);
  expect(answer).toMatchObject({ status: 200, body: { journalVersion: 1 } });
  return journalAt(service, route, auth);
}

function journalAt(service: TestService, route: string, auth: string): Running {
  return {
    ...{ service, route, auth },
    send: (...entries) =>
      service.call('PATCH', `${route}/journalentries`, { auth, gzip: true, body: { entries } }),
    complete: (status) => service.call('POST', `${route}/complete`, { auth, body: { status } }),
    names: async () => {
      const { deployment } = (await service.call('GET', `${S}/export`)).body as {
        deployment: { resources?: { urn: string }[]; pending_operations?: { resource: { urn: string } }[] };
      };
      const named = ({ urn }: { urn: string }): string => urn.split('::').at(-1) as string;
      return [
        ...(deployment.resources ?? []).map(named),
        ...(deployment.pending_operations ?? []).map((operation) => `pending ${named(operation.resource)}`),
      ];
    },
  };
}

storeTest('entries become the state, also while the update runs', async () => {
  const { send, complete, names, service } = await running([resource('old')]);
  expect((await send(MANAGER, begin(2, 1, 'a'))).status).toBe(200);
  expect(await names()).toEqual(['old', 'pending a']);
  expect(
    (await send(success(3, 1, 'a'), begin(4, 2, 'old'), success(5, 2, 'old', { removeOld: 0 }))).status,
  ).toBe(200);
  expect((await complete('succeeded')).status).toBe(200);
  expect(await names()).toEqual(['a', 'old']);
  const { body } = await service.call('GET', `${S}/export/2`);
  expect(body).toEqual((await service.call('GET', `${S}/export`)).body);
  expect(body['deployment']).toMatchObject({ secrets_providers: PROVIDER });
});

storeTest('a step without an end is pending after a failure', async () => {
  const { send, complete, names, service } = await running();
  await send(MANAGER, begin(2, 1, 'a'), success(3, 1, 'a'), begin(4, 2, 'b'));
  await complete('failed');
  expect(await names()).toEqual(['a', 'pending b']);
  const [newest, first] = [`${S}/export`, `${S}/export/1`].map((path) => service.call('GET', path));
  expect((await first)?.text).toBe((await newest)?.text);
});

storeTest('an update that is cancelled, or whose lease runs out, leaves what its journal says', async () => {
  for (const end of ['cancel', 'expiry']) {
    const { send, names, service, route } = await running([resource('old')]);
    await send(MANAGER, begin(2, 1, 'a'), success(3, 1, 'a', { deleteOld: 0 }), begin(4, 2, 'b'));
    if (end === 'cancel') await service.call('POST', `${route}/cancel`);
    else {
      await service.pass(331_000);
      await service.service.sweep();
    }
    expect([end, (await service.call('GET', route)).body['status']]).toEqual([end, 'failed']);
    expect([end, await names()]).toEqual([end, ['a', 'old', 'pending b']]);
  }
});

storeTest('a journal or a checkpoint that leads to an inconsistent state is stored and marked', async () => {
  const lost = { parent: 'urn:pulumi:dev::shop::test:index:Thing::gone' };
  const journaled = await running();
  expect((await journaled.send(success(1, 1, 'a', { state: resource('a', lost) }))).status).toBe(200);
  expect((await journaled.complete('succeeded')).status).toBe(200);
  const { call } = journaled.service;
  const marked = async (): Promise<unknown> => (await call('GET', `${S}/export`)).body['deployment'];
  const expected = { metadata: { integrity_error: { version: 'v0.1.0', command: 'serve' } } };
  expect(await marked()).toMatchObject({ resources: [resource('a', lost)], ...expected });
  const { route, auth } = await startUpdate(journaled.service, { journal: false });
  const body = { version: 3, deployment: { manifest: MANIFEST, resources: [resource('b', lost)] } };
  expect((await call('PATCH', `${route}/checkpoint`, { auth, body })).status).toBe(200);
  expect(await marked()).toMatchObject({ resources: [resource('b', lost)], ...expected });
});

storeTest('duplicates are silent, gaps and disorder legal, contradictions refused whole', async () => {
  const { send, complete, names } = await running();
  expect((await send(success(9, 1, 'a'))).status).toBe(200);
  expect((await send(begin(7, 1, 'a'), MANAGER)).status).toBe(200);
  expect((await send(begin(7, 1, 'a'), success(9, 1, 'a'), success(12, 2, 'b'))).status).toBe(200);
  expect(await send(success(20, 3, 'c'), success(9, 1, 'other'))).toMatchObject({
    status: 400,
    body: { code: 400, message: 'Bad Request: Journal entry 9 contradicts the one that is stored.' },
  });
  await complete('succeeded');
  expect(await names()).toEqual(['a', 'b']);
});

storeTest('entries that no replay can follow are refused, and nothing of their batch is stored', async () => {
  const { send, complete, names } = await running([resource('old')]);
  for (const bad of [
    { ...MANAGER, kind: 10 },
    { ...MANAGER, version: 2 },
    { ...MANAGER, sequenceID: 0 },
    { ...MANAGER, secretsProvider: 'x' },
    success(3, 1, 'a', { removeOld: 1 }),
    success(3, 1, 'a', { removeNew: 8 }),
    success(3, 1, 'a', { removeOld: -1 }),
    success(3, 1, 'a', { state: 'x' }),
    'entry',
  ])
    expect([bad, (await send(success(2, 9, 'first'), bad)).body['code']]).toEqual([bad, 400]);
  await send(success(2, 1, 'a'));
  expect(
    (
      await send({
        version: 1,
        kind: 5,
        sequenceID: 3,
        operationID: 0,
        removeOld: null,
        removeNew: null,
        newSnapshot: { manifest: MANIFEST },
      })
    ).body['code'],
  ).toBe(400);
  await complete('succeeded');
  expect(await names()).toEqual(['a', 'old']);
});

storeTest('a batch of too many entries is answered with 413', async () => {
  const { send } = await running();
  const entries = Array.from({ length: 1001 }, (_each, index) => begin(index + 1, index + 1, 'a'));
  expect(await send(...entries)).toMatchObject({ status: 413, body: { code: 413 } });
  expect((await send(...entries.slice(0, 1000))).status).toBe(200);
});

storeTest('an update continues after the service was stopped and started', async () => {
  const { service, route, auth, send } = await running([resource('old')]);
  await send(MANAGER, begin(2, 1, 'a'), success(3, 1, 'a'));
  await service.stop();
  const again = journalAt(await startTestService(service.folder), route, auth);
  expect(await again.names()).toEqual(['a', 'old']);
  expect((await again.send(success(3, 1, 'a'), begin(4, 2, 'b'))).status).toBe(200);
  expect(await again.send(success(3, 1, 'other'))).toMatchObject({ status: 400 });
  await again.complete('succeeded');
  expect(await again.names()).toEqual(['a', 'old', 'pending b']);
  expect((await startUpdate(again.service)).answer.status).toBe(200);
});

storeTest('a preview continues after the service was stopped and started', async () => {
  const { service } = await running();
  const preview = await startUpdate(service, { dryRun: true });
  await service.stop();
  const again = await startTestService(service.folder);
  const events = { events: [{ sequence: 0, timestamp: 1 }] };
  for (const [path, body] of [
    ['events/batch', events],
    ['renew_lease', {}],
    ['complete', { status: 'succeeded' }],
  ] as const)
    expect((await again.call('POST', `${preview.route}/${path}`, { auth: preview.auth, body })).status).toBe(
      200,
    );
  expect((await again.call('GET', `${preview.route}/events`)).body).toEqual({
    ...events,
    continuationToken: null,
  });
});

storeTest('a process that was replaced stores nothing any more, and shared stores know none', async () => {
  const { service, route, auth, send } = await running();
  await send(MANAGER, begin(2, 1, 'a'));
  const again = journalAt(await startTestService(service.folder), route, auth);
  expect((await again.send(success(3, 1, 'a'))).status).toBe(200);
  const { status } = await send(begin(4, 2, 'b'));
  expect(status >= 400).toBe(!isShared());
  await again.complete('succeeded');
  expect(await again.names()).toEqual(isShared() ? ['a', 'pending b'] : ['a']);
});

storeTest(
  'a process that was replaced ends an update with the entries that the other one stored',
  async () => {
    const { service, route, auth, send, complete, names } = await running();
    await send(MANAGER, begin(2, 1, 'a'));
    const again = journalAt(await startTestService(service.folder), route, auth);
    expect((await again.send(success(3, 1, 'a'))).status).toBe(200);
    await complete('succeeded');
    expect(await names()).toEqual(['a']);
  },
);

storeTest('the texts of states and entries stay as they came', async () => {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const odd = '{"one":1.0,"zero":-0,"big":9007199254740993,"exp":1E+2,"html":"\\u003cb\\u003e","\\u0061":1}';
  const urn = (name: string): string => `"urn":"urn:pulumi:dev::shop::test:index:Thing::${name}"`;
  const old = `{ ${urn('old')},"later":${odd},"custom":false,"type":"test:index:Thing","inputs":${odd}}`;
  const deployment = `{"manifest":{"time":"2030-01-01T00:00:00Z","magic":"","version":"","more":1.50},"resources":[${old}],"unknown":${odd}}`;
  const imported = `{"version":3,"deployment":${deployment}}`;
  expect((await service.call('POST', `${S}/import`, { raw: imported })).status).toBe(200);
  expect((await service.call('GET', `${S}/export`)).text).toBe(imported);

  const { route, auth } = await startUpdate(service);
  const state = `{${urn('a')},"custom":false,"type":"test:index:Thing","outputs":${odd},"later":1.0}`;
  const entries = [
    `{"version":1,"kind":1,"sequenceID":1,"operationID":1,"removeOld":null,"removeNew":null,"state":${state}}`,
    '{"version":1,"kind":1,"sequenceID":2,"operationID":2,"removeOld":null,"removeNew":null,"deleteOld":0}',
  ];
  await service.call('PATCH', `${route}/journalentries`, { auth, raw: `{"entries":[${entries.join(',')}]}` });
  await service.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } });
  const { text } = await service.call('GET', `${S}/export`);
  expect(text).toContain(`"resources":[${state},{${old.slice(1, -1).trim()},"delete":true}]`);
  expect(text).toContain(`"unknown":${odd}`);

  expect((await service.call('POST', `${S}/rename`, { body: { newName: 'prod' } })).status).toBe(200);
  const renamed = (await service.call('GET', '/api/stacks/organization/shop/prod/export')).text;
  expect(renamed).toBe(text.replaceAll('urn:pulumi:dev::', 'urn:pulumi:prod::'));
});
