import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { backUpService, restoreService } from '../src/index.js';
import type { StoreUrls } from '../src/index.js';
import { MANIFEST, S, endServices, newFolder, resource, startTestService, startUpdate } from './service.js';
import { storeTest, storeUrls } from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

const CREATE = '/api/stacks/organization/shop';
const options = { env: {} };
const now = (): Date => new Date('2030-01-01T00:00:00Z');
const PORTS = { now, options };
const urlOf = (folder: string): string => pathToFileURL(folder).href;

async function withContents() {
  const folder = newFolder();
  const service = await startTestService(folder, { now });
  for (const stackName of ['dev', 'prod'])
    await service.call('POST', CREATE, { body: { stackName, tags: { team: 'a' } } });
  await service.call('POST', `${S}/import`, {
    body: { version: 3, deployment: { manifest: MANIFEST, resources: [resource('a')] } },
  });
  const { body: sealed } = await service.call('POST', `${S}/encrypt`, { body: { plaintext: 'YQ==' } });
  const update = await startUpdate(service, { stack: 'prod' });
  const entry = {
    ...{ version: 1, kind: 0, sequenceID: 1, operationID: 1 },
    operation: { resource: resource('p'), type: 'creating' },
  };
  await service.call('PATCH', `${update.route}/journalentries`, {
    auth: update.auth,
    body: { entries: [entry] },
  });
  await service.call('POST', `${update.route}/events/batch`, {
    auth: update.auth,
    body: { events: [{ sequence: 1 }] },
  });
  return { folder, service, sealed, update };
}

async function seen({ call }: TestService): Promise<unknown> {
  const found: unknown[] = [];
  for (const stack of [S, `${S.slice(0, -3)}prod`])
    for (const more of ['', '/export', '/updates']) found.push((await call('GET', `${stack}${more}`)).body);
  return found;
}

storeTest(
  'a backup of a service that runs brings back stacks, history, secrets, tokens and running updates',
  async () => {
    const { folder, service, sealed, update } = await withContents();
    const place = newFolder();
    const size = await backUpService(await storeUrls(folder), urlOf(place), PORTS);
    expect(size.files).toBeGreaterThan(3);
    const before = await seen(service);
    const restored = newFolder();
    const urls: StoreUrls = await storeUrls(restored);
    expect(await restoreService(urlOf(place), urls, { options })).toEqual(size);
    const second = await startTestService(restored, { now });
    // Tokens work too: the writer's of the first service.
    const auth = `token ${service.token}`;
    const call: TestService['call'] = (method, route, more) => second.call(method, route, { auth, ...more });
    expect(await seen({ ...second, call })).toEqual(before);
    expect((await call('POST', `${S}/decrypt`, { body: sealed })).body).toEqual({ plaintext: 'YQ==' });
    const done = await call('POST', `${update.route}/complete`, {
      auth: update.auth,
      body: { status: 'failed' },
    });
    expect(done.status).toBe(200);
    const { deployment } = (await call('GET', `${S.slice(0, -3)}prod/export`)).body as {
      deployment: Record<string, unknown>;
    };
    expect(deployment['pending_operations']).toEqual([{ resource: resource('p'), type: 'creating' }]);
    // New work continues where the old ended.
    expect(
      (await call('POST', `${S}/import`, { body: { version: 3, deployment: { manifest: MANIFEST } } }))
        .status,
    ).toBe(200);
    await expect(restoreService(urlOf(place), urls, { options })).rejects.toThrow('it has files');
    await expect(backUpService(await storeUrls(folder), urlOf(place), PORTS)).rejects.toThrow('it has files');
  },
);

storeTest('a backup that was altered or is not complete is refused, and nothing is written', async () => {
  const { folder } = await withContents();
  const place = newFolder();
  await backUpService(await storeUrls(folder), urlOf(place), PORTS);
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const one = files.find(({ name }) => /\.gz$|\.json$/.test(name) && name !== 'manifest.json');
  writeFileSync(path.join(one?.parentPath ?? '', one?.name ?? ''), 'altered');
  const restored = newFolder();
  const urls = await storeUrls(restored);
  await expect(restoreService(urlOf(place), urls, { options })).rejects.toThrow(
    'has other bytes than when it was written',
  );
  expect(readdirSync(restored)).toEqual([]);
  const empty = newFolder();
  await expect(restoreService(urlOf(empty), urls, { options })).rejects.toThrow(
    'it has no backup that is complete',
  );
});

storeTest('a backup while states are stored shows one moment', async () => {
  const folder = newFolder();
  const service = await startTestService(folder);
  await service.call('POST', CREATE, { body: { stackName: 'dev' } });
  const store = async (): Promise<void> => {
    for (let count = 0; count < 15; count += 1)
      await service.call('POST', `${S}/import`, {
        body: { version: 3, deployment: { manifest: MANIFEST, resources: [resource(`r${count}`)] } },
      });
  };
  const place = newFolder();
  await Promise.all([store(), backUpService(await storeUrls(folder), urlOf(place), PORTS)]);
  const restored = newFolder();
  await restoreService(urlOf(place), await storeUrls(restored), { options });
  const second = await startTestService(restored);
  const { body } = await second.call('GET', S);
  const [newest, state] = await Promise.all(
    [`/export/${String(body['version'])}`, '/export'].map((more) => second.call('GET', S + more)),
  );
  if (body['version'] !== 0) expect(state?.text).toBe(newest?.text);
  expect((await startUpdate(second)).answer).toMatchObject({
    status: 200,
    body: { version: Number(body['version']) + 1 },
  });
});
