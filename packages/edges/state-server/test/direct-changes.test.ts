import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Crypter } from '@cairn/crypters';
import { openBackend } from '@cairn/backends';
import type { Backend } from '@cairn/backends';
import { S, endServices, resource, startTestService } from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

const DEV = { project: 'shop', stack: 'dev' };
const AT = '2030-01-01T00:00:00.000Z';
const BEGIN = {
  ...{ version: 1, kind: 0, sequenceID: 1, operationID: 1, removeOld: null, removeNew: null },
  operation: { resource: resource('a'), type: 'creating' },
};
const RECORDS = [
  { seq: 1, tx: 1, at: AT, record: 'change', id: '1', kind: 'up', summary: '', scope: 's' },
  { seq: 2, tx: 2, at: AT, record: 'task', id: '1', kind: 'create', summary: 'create a' },
  {
    ...{ seq: 3, tx: 3, at: AT, record: 'intent', task: '1', direction: 'do' },
    ...{ status: 'doing', attempt: 1, entry: 1 },
  },
];

/** Crypter of a state without secrets. */
const CLEAR: Crypter = { encrypt: (text) => text, decrypt: (text) => text };

/** Starts an update that has begun to create a resource. */
async function begun(service: TestService) {
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const change = { operation: 'up', process: { pid: 7, hostname: 'h1' } };
  const body = { options: { dryRun: false }, config: {}, metadata: { message: 'first' }, change };
  const created = await service.call('POST', `${S}/update`, { body });
  const route = `${S}/update/${String(created.body['updateID'])}`;
  const started = await service.call('POST', route, { body: { journalVersion: 1 } });
  const auth = `update-token ${String(started.body['token'])}`;
  const send = (batch: object) =>
    service.call('PATCH', `${route}/journalentries`, { auth, gzip: true, body: batch });
  expect((await send({ entries: [BEGIN], records: RECORDS })).status).toBe(200);
  const complete = () => service.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } });
  return { send, complete };
}

function direct({ folder }: TestService): Promise<Backend> {
  const process = { pid: 1, username: 'bob', hostname: 'laptop', isAlive: () => false };
  const ports = { env: {}, now: () => new Date(), newId: randomUUID, version: 'v0.1.0', argv: [], process };
  return openBackend(`file://${folder}`, ports);
}

test('a tool on the bucket sees the change of an update that runs, and what it has recorded', async () => {
  const service = await startTestService();
  await begun(service);
  const backend = await direct(service);
  const [row] = await backend.changes(DEV);
  expect(row).toMatchObject({ number: 1, kind: 'up', running: true, summary: 'first' });
  const change = await backend.change(DEV, 1);
  expect(change.records).toMatchObject([{ seq: 1 }, { seq: 2 }, { seq: 3, entry: BEGIN }]);
  expect((await backend.read(DEV)).deployment?.pendingOperations).toHaveLength(1);
  await backend.close();
});

test('an update whose change a tool has taken over stores nothing more', async () => {
  const service = await startTestService();
  const { send, complete } = await begun(service);
  const locks = path.join(service.folder, '.pulumi', 'locks', 'organization', 'shop', 'dev');
  for (const name of readdirSync(locks)) rmSync(path.join(locks, name));
  const backend = await direct(service);
  const lease = await backend.lease(DEV, { openCrypter: async () => CLEAR });
  expect(lease.unfinished?.changes).toMatchObject([{ change: '00000001' }]);
  expect(lease.deployment.pendingOperations).toHaveLength(1);
  await lease.release();
  const more = { ...BEGIN, sequenceID: 2, operationID: 2 };
  expect((await send({ entries: [more], records: [] })).status).toBe(409);
  await complete();
  const [row, ...others] = await backend.changes(DEV);
  expect([row, others]).toMatchObject([{ number: 1, result: 'interrupted' }, []]);
  expect((await backend.read(DEV)).deployment?.pendingOperations).toHaveLength(1);
  await backend.close();
});
