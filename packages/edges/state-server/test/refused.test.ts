import { createOrganization, makeToken } from '../src/index.js';
import { S, endServices, startTestService, startUpdate, storeTest } from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

/** Returns events and users of the audit log, oldest first. */
async function rows(service: TestService): Promise<readonly string[]> {
  const found = await service.store.auditRows({ newestFirst: false, most: 100 });
  return found.map(({ text }) => {
    const [, , organization, event, description, user] = JSON.parse(text) as readonly string[];
    return [organization, event, user, description].join('|');
  });
}

storeTest('refused calls are rows of the caller, and of strangers together', async () => {
  const service = await startTestService();
  const ports = { store: service.store, now: () => new Date() };
  await createOrganization(ports, 'acme', 'root-user');
  const own = { user: 'read-user', role: 'reader', name: 'laptop', organization: 'acme' } as const;
  const reader = `token ${await makeToken(ports, own)}`;
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const before = (await rows(service)).length;
  for (const auth of ['token cairn-wrong', '', 'token cairn-other']) await service.call('GET', S, { auth });
  for (let count = 0; count < 2; count += 1)
    await service.call('POST', '/api/orgs/acme/teams', { auth: reader, body: { name: 'web-team' } });
  // What does not exist for the caller is no right that is missing.
  await service.call('GET', '/api/stacks/acme/shop/none', { auth: reader });
  expect(await rows(service)).toHaveLength(before);
  await service.service.sweep();
  expect((await rows(service)).slice(before).sort()).toEqual([
    'acme|refused-call|read-user|refused 2 calls: create-team',
    '|refused-call||refused 3 calls of strangers: get-stack first',
  ]);
  await service.service.sweep();
  expect(await rows(service)).toHaveLength(before + 2);
});

storeTest('the end of an update is one row of the user who made it, however often it is sent', async () => {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const { id, route, auth } = await startUpdate(service);
  for (let times = 0; times < 3; times += 1)
    expect(
      (await service.call('POST', `${route}/complete`, { auth, body: { status: 'failed' } })).status,
    ).toBe(200);
  // It contradicts the end, and is refused.
  expect(
    (await service.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } })).status,
  ).toBe(409);
  const ends = (await rows(service)).filter((row) => row.includes('|complete-update|'));
  expect(ends).toEqual([`organization|complete-update|writer-user|ended an update: failed: ${id}`]);
});
