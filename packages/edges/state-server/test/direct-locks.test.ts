import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { S, endServices, startTestService } from './service.js';

afterEach(endServices);

test('a client waits for a tool that has locked the stack in the bucket itself', async () => {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const folder = path.join(service.folder, '.pulumi', 'locks', 'organization', 'shop', 'dev');
  const file = path.join(folder, `${randomUUID()}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, '{"pid":1,"username":"bob","hostname":"laptop","timestamp":"2030-01-01T10:00:00Z"}');
  const ticket = randomUUID();
  const keep = async () => (await service.call('POST', `${S}/queue/${ticket}`)).body['current'];
  const start = async () => {
    const { body } = await service.call('POST', `${S}/update`, { body: { options: { dryRun: false } } });
    const route = `${S}/update/${String(body['updateID'])}`;
    return service.call('POST', route, { body: { journalVersion: 1, ticket } });
  };
  const since = Date.parse('2030-01-01T10:00:00Z') / 1000;
  expect(await keep()).toEqual({ kind: 'lock', author: 'bob@laptop', started: since });
  const refused = await start();
  expect([refused.status, refused.body['message']]).toEqual([
    409,
    expect.stringContaining(
      'Another update is currently in progress. It is locked by bob@laptop since 2030-01-01T10:00:00.000Z.',
    ),
  ]);
  rmSync(file);
  expect(await keep()).toBeUndefined();
  expect((await start()).status).toBe(200);
});
