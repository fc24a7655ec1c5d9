import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { endServices, newFolder, send, startTestService, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';

afterEach(endServices);

const T = '/tf/organization/shop/prod';
const SECRET = 'planted-password';
const ANN = {
  ID: 'ann-1',
  Operation: 'OperationTypeApply',
  Who: 'ann@laptop',
  Created: '2030-01-01T00:00:00Z',
};
const BOB = { ...ANN, ID: 'bob-1', Who: 'bob@laptop' };

/** Text of a state as Terraform writes it, with a secret in the clear. */
function state(serial: number): string {
  const outputs = { password: { value: SECRET, type: 'string', sensitive: true } };
  const head = { version: 4, terraform_version: '1.11.4', serial, lineage: 'a-b-c' };
  return `${JSON.stringify({ ...head, outputs, resources: [] }, undefined, 2)}\n`;
}

/** Calls as Terraform does: with the token as password. */
function caller(service: TestService, token = service.token, route = T) {
  const auth = `Basic ${Buffer.from(`terraform:${token}`).toString('base64')}`;
  return (method: string, body?: string | object, more = ''): Promise<Answer> =>
    service.call(method, route + more, {
      auth,
      ...(body !== undefined && { raw: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
}

storeTest('a state comes out as it went in, and each write is a version [TFK-3]', async () => {
  const service = await startTestService();
  const call = caller(service);
  expect((await call('GET')).status).toBe(404);
  for (const serial of [1, 2, 2]) expect((await call('POST', state(serial))).status).toBe(200);
  expect(await call('GET')).toMatchObject({ status: 200, text: state(2) });
  const { versions } = (await call('GET', undefined, '/versions')).body;
  expect(versions).toEqual([
    {
      version: 2,
      time: expect.any(String),
      by: 'writer-user',
      serial: 2,
      lineage: 'a-b-c',
      bytes: state(2).length,
    },
    {
      version: 1,
      time: expect.any(String),
      by: 'writer-user',
      serial: 1,
      lineage: 'a-b-c',
      bytes: state(1).length,
    },
  ]);
  expect((await call('GET', undefined, '/versions/1')).text).toBe(state(1));
  for (const none of ['0', '3', 'x', '1e1'])
    expect([none, (await call('GET', undefined, `/versions/${none}`)).status]).toEqual([none, 404]);
  const second = await call('GET', undefined, '/versions?pageSize=1&page=2');
  expect(second.body).toMatchObject({ versions: [{ version: 1 }] });
  expect((await call('GET', undefined, '/versions?pageSize=1&page=3')).body).toEqual({ versions: [] });
});

storeTest('the lock of one caller keeps others out until it is gone [TFK-1] [TFK-2]', async () => {
  const service = await startTestService();
  const call = caller(service);
  const statuses = async (...calls: readonly [string, (string | object)?, string?][]): Promise<number[]> => {
    const found: number[] = [];
    for (const [method, body, more] of calls) found.push((await call(method, body, more)).status);
    return found;
  };
  expect(await statuses(['LOCK', ANN], ['LOCK', ANN])).toEqual([200, 200]);
  expect(await call('LOCK', BOB)).toMatchObject({ status: 423, body: ANN });
  expect(await statuses(['POST', state(1)], ['POST', state(1), '?ID=bob-1'], ['DELETE'])).toEqual([
    423, 423, 423,
  ]);
  expect(await statuses(['UNLOCK', BOB], ['POST', state(1), '?ID=ann-1'])).toEqual([423, 200]);
  // The holder and anybody else may unlock twice: the first answer may be lost.
  expect(await statuses(['UNLOCK', ANN], ['UNLOCK', ANN], ['LOCK', BOB])).toEqual([200, 200, 200]);
  expect(await statuses(['UNLOCK', undefined], ['POST', state(2), '?ID=bob-1'])).toEqual([200, 409]);
  expect((await call('GET')).text).toBe(state(1));
  expect(await statuses(['LOCK', { Who: 'x' }], ['LOCK', '{'], ['LOCK', { ID: '' }])).toEqual([
    400, 400, 400,
  ]);
});

storeTest('of callers that lock at once, one gets the lock', async () => {
  const service = await startTestService();
  const call = caller(service);
  for (let race = 0; race < 10; race += 1) {
    const ids = ['a', 'b', 'c', 'd'].map((name) => `${name}${race}`);
    const answers = await Promise.all(ids.map((ID) => call('LOCK', { ...ANN, ID })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 423, 423, 423]);
    const winner = ids[answers.findIndex(({ status }) => status === 200)];
    expect((await call('UNLOCK', { ...ANN, ID: winner })).status).toBe(200);
  }
});

storeTest('a lock and a state outlive the service', async () => {
  const folder = newFolder();
  const first = await startTestService(folder);
  expect((await caller(first)('LOCK', ANN)).status).toBe(200);
  expect((await caller(first)('POST', state(1), '?ID=ann-1')).status).toBe(200);
  await first.stop();
  const call = caller(await startTestService(folder));
  expect(await call('LOCK', BOB)).toMatchObject({ status: 423, body: ANN });
  expect((await call('POST', state(2), '?ID=ann-1')).status).toBe(200);
  expect((await call('GET')).text).toBe(state(2));
});

storeTest('a deleted state is gone, and its versions stay until an administrator removes them', async () => {
  const service = await startTestService();
  const call = caller(service);
  await call('POST', state(1));
  expect([(await call('DELETE')).status, (await call('DELETE')).status]).toEqual([200, 200]);
  expect((await call('GET')).status).toBe(404);
  expect((await call('GET', undefined, '/versions/2')).status).toBe(404);
  expect((await call('GET', undefined, '/versions/1')).text).toBe(state(1));
  expect((await call('GET', undefined, '/versions')).body).toMatchObject({
    versions: [{ version: 2, bytes: 0 }, { version: 1 }],
  });
  await call('POST', state(3));
  expect((await call('GET')).text).toBe(state(3));
  const admin = caller(service, await service.tokenFor('admin'));
  expect((await call('DELETE', undefined, '/versions')).status).toBe(403);
  await call('LOCK', ANN);
  expect((await admin('DELETE', undefined, '/versions')).status).toBe(423);
  await call('UNLOCK');
  expect((await admin('DELETE', undefined, '/versions')).status).toBe(200);
  expect((await call('GET', undefined, '/versions')).status).toBe(404);
  expect(readFileSyncAll(service.folder)).not.toContain('.sealed');
});

storeTest('a name is a state or a stack, and both are listed apart [TFK-5]', async () => {
  const service = await startTestService();
  const call = caller(service);
  const json = async (method: string, route: string, body?: object): Promise<Answer> =>
    service.call(method, route, body === undefined ? {} : { body });
  const stacks = '/api/stacks/organization/shop';
  await call('POST', state(7));
  await call('LOCK', ANN);
  const clash = await json('POST', stacks, { stackName: 'prod' });
  expect(clash).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('a state of Terraform') },
  });
  expect((await json('POST', stacks, { stackName: 'dev' })).status).toBe(200);
  expect((await json('POST', `${stacks}/dev/rename`, { newName: 'prod' })).status).toBe(400);
  const other = caller(service, service.token, '/tf/organization/shop/dev');
  for (const answer of [await other('GET'), await other('POST', state(1)), await other('LOCK', ANN)])
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('is a stack of Pulumi') },
    });
  expect((await json('GET', '/api/user/stacks')).body).toMatchObject({ stacks: [{ stackName: 'dev' }] });
  const listed = await json('GET', '/tf/organization?project=shop');
  expect(listed.body).toMatchObject({
    states: [{ project: 'shop', name: 'prod', version: 1, serial: 7, lock: ANN }],
    continuationToken: null,
  });
  expect((await json('GET', '/tf/organization?project=other')).body).toMatchObject({ states: [] });
  expect((await json('GET', '/tf/nobody')).status).toBe(404);
  await other('LOCK', ANN);
  expect((await json('DELETE', `${stacks}/dev?force=true`)).status).toBe(200);
  expect([(await other('LOCK', ANN)).status, (await other('UNLOCK', ANN)).status]).toEqual([200, 200]);
  expect((await json('POST', stacks, { stackName: 'dev' })).status).toBe(200);
});

storeTest('more states than a page has are listed in pages', async () => {
  const service = await startTestService();
  const names = Array.from({ length: 101 }, (_each, index) => `s${String(index).padStart(3, '0')}`);
  for (const name of names)
    await caller(service, service.token, `/tf/organization/shop/${name}`)('LOCK', ANN);
  const found: string[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const more: string = token === '' ? '' : `?continuationToken=${token}`;
    const { body } = await service.call('GET', `/tf/organization${more}`);
    const page = body as { states: { name: string }[]; continuationToken: string | null };
    found.push(...page.states.map(({ name }) => name));
    token = page.continuationToken ?? undefined;
  }
  expect(found).toEqual(names);
});

storeTest(
  'the store has no secret of a state in the clear, and an exchanged version opens nothing [TFK-4]',
  async () => {
    const service = await startTestService();
    const call = caller(service);
    for (const serial of [1, 2]) await call('POST', state(serial));
    expect(readFileSyncAll(service.folder)).not.toContain(SECRET);
    expect(service.lines.join('')).not.toContain(SECRET);
    const { store } = service;
    const record = await store.terraform.find({ project: 'shop', stack: 'prod' });
    if (record === undefined) throw new Error('no record');
    const first = await store.terraform.sealedVersion(record, 1);
    await store.terraform.putVersion(record, { version: 3, time: '', by: 'mallory', bytes: 1 }, first);
    await store.terraform.put({ project: 'shop', stack: 'prod' }, { ...record, version: 3 });
    expect(await call('GET')).toMatchObject({ status: 500, body: { code: 500 } });
    expect(service.lines.join('')).toContain('its bytes were altered');
  },
);

storeTest('a body that was altered on its way, or is no state, changes nothing', async () => {
  const service = await startTestService();
  const call = caller(service);
  await call('POST', state(1));
  const post = async (body: string, digest: string): Promise<number> => {
    const headers = { authorization: `token ${service.token}`, 'content-md5': digest };
    return (await fetch(service.url + T, { method: 'POST', headers, body })).status;
  };
  const md5 = (text: string): string => createHash('md5').update(text).digest('base64');
  expect(await post(state(2), md5(state(1)))).toBe(400);
  expect(await post('not JSON', md5('not JSON'))).toBe(400);
  expect(await post('', md5(''))).toBe(400);
  expect(await post('[]', md5('[]'))).toBe(400);
  expect((await call('GET')).text).toBe(state(1));
  expect(await post(state(2), md5(state(2)))).toBe(200);
  const answer = await fetch(service.url + T, { headers: { authorization: `token ${service.token}` } });
  expect(answer.headers.get('content-md5')).toBe(md5(await answer.text()));
});

test('a reader sees lists and no state', async () => {
  const service = await startTestService();
  await caller(service)('POST', state(1));
  const call = caller(service, await service.tokenFor('reader'));
  expect((await call('GET', undefined, '/versions')).status).toBe(200);
  for (const [method, more] of [['GET'], ['GET', '/versions/1'], ['POST'], ['LOCK'], ['UNLOCK'], ['DELETE']])
    expect([method, (await call(method as string, undefined, more)).status]).toEqual([method, 403]);
  expect((await send(service.url, 'GET', T, {})).status).toBe(401);
});

/** Names and contents of all files below a folder. */
function readFileSyncAll(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => `${file}\n${readFileSync(file, 'latin1')}`)
    .join('\n');
}
