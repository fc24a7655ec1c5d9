import { createOrganization } from '../src/calls/organizations.js';
import { makeToken } from '../src/index.js';
import { endServices, newFolder, startTestService, storeTest } from './service.js';

afterEach(endServices);

const DAY_MS = 86_400_000;

storeTest('tokens that end soon have a notice in their organizations, once a day', async () => {
  let skew = 0;
  const start = Math.floor(Date.now() / 1000);
  const now = (): Date => new Date(start * 1000 + skew);
  let reads = 0;
  const service = await startTestService(newFolder(), {
    now,
    store: (store) => ({
      ...store,
      listTokens: () => {
        reads += 1;
        return store.listTokens();
      },
    }),
  });
  const ports = { store: service.store, now };
  await createOrganization(ports, 'acme', 'ann');
  const role = 'reader' as const;
  const texts = [service.token];
  for (const [name, days] of [
    ['soon', 20],
    ['later', 400],
  ] as const)
    texts.push(
      await makeToken(ports, {
        ...{ user: 'ann', name, role, organization: 'acme', expiresAt: start + days * 86_400 },
      }),
    );
  texts.push(await makeToken(ports, { user: 'ann', name: 'for ever', role, organization: 'acme' }));
  const admin = {
    auth: `token ${await makeToken(ports, { user: 'ann', name: 'a', role: 'admin', organization: 'organization' })}`,
  };
  const made = await service.call('POST', '/api/orgs/acme/tokens', {
    ...{ ...admin, body: { name: 'ci', expires: start + 20 * 86_400 } },
  });
  expect(made.status).toBe(200);
  texts.push(String(made.body['tokenValue']));
  const noticesOf = async (organization: string): Promise<string> => {
    const { status, text } = await service.call('GET', `/api/orgs/${organization}/notices`, admin);
    expect(status).toBe(200);
    return text;
  };
  const counts = async (organization = 'acme'): Promise<readonly unknown[]> => {
    const { notices } = JSON.parse(await noticesOf(organization)) as {
      readonly notices: readonly { readonly occurrences: number; readonly 'last-data': { name: string } }[];
    };
    return notices.map((notice) => [notice['last-data'].name, notice.occurrences]).sort();
  };
  const look = async (ms: number): Promise<void> => {
    skew += ms;
    await service.pass(ms);
    await service.service.sweep();
  };
  await look(0);
  await look(3_599_999);
  expect([await counts(), reads]).toEqual([[], 1]);
  await look(13 * DAY_MS);
  expect(await counts()).toEqual([
    ['ci', 1],
    ['soon', 1],
  ]);
  expect(await counts('organization')).toEqual([['soon', 1]]);
  const shown = await noticesOf('acme');
  expect(JSON.parse(shown)).toMatchObject({
    notices: expect.arrayContaining([
      expect.objectContaining({
        type: 'token-expires',
        key: made.body['id'],
        'last-data': {
          name: 'ci',
          kind: 'organization',
          expires: new Date((start + 20 * 86_400) * 1000).toISOString(),
        },
      }),
    ]) as unknown,
  });
  for (const text of texts) expect(shown).not.toContain(text);
  // Another process looks for the first time, and this one again before a day is over.
  const other = await startTestService(service.folder, { now });
  await other.service.sweep();
  await look(DAY_MS - 1);
  expect(await counts()).toContainEqual(['ci', 1]);
  await look(3_600_000);
  expect(await counts()).toContainEqual(['ci', 2]);
  await look(8 * DAY_MS);
  expect(await counts()).toContainEqual(['ci', 2]);
});
