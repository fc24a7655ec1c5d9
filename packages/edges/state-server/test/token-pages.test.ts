import { makeToken } from '../src/index.js';
import { endServices, startTestService, storeTest } from './service.js';
import { watchedReads } from './watched-reads.js';

afterEach(endServices);

const OWN = '/api/user/tokens';

interface TokensBody {
  readonly tokens: readonly { readonly id: string; readonly name: string; readonly lastUsed: number }[];
  readonly continuationToken?: string;
}

storeTest('tokens are listed in pages, newest first, each once', async () => {
  let seconds = 1_700_000_000;
  const service = await startTestService(undefined, { now: () => new Date(seconds * 1000) });
  const ports = { store: service.store, now: () => new Date(seconds * 1000) };
  const auth = `token ${await makeToken(ports, { user: 'ann-user', role: 'writer', name: 'first' })}`;
  for (let count = 0; count < 249; count += 1) {
    // Many are of the same second.
    if (count % 40 === 0) seconds += 1;
    await service.store.putToken({
      ...{
        hash: String(count).padStart(3, '0').repeat(22).slice(0, 64),
        user: 'ann-user',
        name: `t${count}`,
      },
      ...{ role: 'reader', createdAt: seconds },
    });
  }
  await makeToken(ports, { user: 'bob-user', role: 'writer', name: 'of another' });
  const names: string[] = [];
  const sizes: number[] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const { body } = await service.call('GET', `${OWN}?continuationToken=${after}`, { auth });
    const { tokens, continuationToken } = body as unknown as TokensBody;
    names.push(...tokens.map(({ name }) => name));
    sizes.push(tokens.length);
    after = continuationToken;
  }
  expect(sizes).toEqual([100, 100, 50]);
  expect(new Set(names).size).toBe(250);
  expect(names.at(-1)).toBe('first');
  expect(names.slice(0, 9).every((name) => Number(name.slice(1)) >= 240)).toBe(true);
  for (const wrong of ['x', '1-zz', '1-0123456789abcdef'])
    expect((await service.call('GET', `${OWN}?continuationToken=${wrong}`, { auth })).status).toBe(400);
});

storeTest('a token is removed, and a page is read, without reading all tokens', async () => {
  const calls: string[] = [];
  const service = await startTestService(undefined, { store: (store) => watchedReads(store, calls) });
  const made = await service.call('POST', OWN, { body: { name: 'ci' } });
  const id = String(made.body['id']);
  calls.length = 0;
  const { tokens } = (await service.call('GET', OWN)).body as unknown as TokensBody;
  expect(tokens.map(({ name }) => name).sort()).toEqual(['ci', 'test']);
  expect(tokens.find(({ name }) => name === 'test')?.lastUsed).toBeGreaterThan(0);
  const other = `token ${await service.tokenFor('admin')}`;
  expect((await service.call('DELETE', `${OWN}/${id}`, { auth: other })).status).toBe(404);
  expect((await service.call('DELETE', `${OWN}/${id.slice(0, 6)}`)).status).toBe(404);
  expect((await service.call('DELETE', `${OWN}/${id}`)).status).toBe(200);
  expect((await service.call('DELETE', `${OWN}/${id}`)).status).toBe(404);
  expect(calls).not.toContain('listTokens');
  expect(calls).not.toContain('tokenUses');
  const auth = `token ${String(made.body['tokenValue'])}`;
  expect((await service.call('GET', '/api/user', { auth })).status).toBe(401);
});
