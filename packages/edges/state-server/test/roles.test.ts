import { ROUTES } from '@cairn/http-api';
import type { Route, RouteName } from '@cairn/http-api';
import { makeToken } from '../src/index.js';
import { endServices, startTestService } from './service.js';

afterEach(endServices);

const ROLES = ['reader', 'writer', 'admin'] as const;
const ROWS = Object.entries(ROUTES) as [RouteName, Route][];
const VALUES: Readonly<Record<string, string>> = {
  org: 'organization',
  project: 'shop',
  stack: 'none',
  update: 'x',
  version: '1',
  secret: 'x',
};

/** Path of a route with values for its segments. */
function pathOf({ path }: Route): string {
  return path.replace(
    /\{(\w+)(?::(\w+)[\w|]*)?\}/g,
    (_whole, name: string, first?: string) => first ?? VALUES[name] ?? name,
  );
}

test('every route asks for its caller: each role, a stranger, and the token of an update', async () => {
  const service = await startTestService();
  const tokens = await Promise.all(
    ROLES.map(async (role) => [role, `token ${await service.tokenFor(role)}`] as const),
  );
  const callers = [
    ...tokens,
    ['stranger', 'token stranger'],
    ['nobody', ''],
    ['update', 'update-token x'],
  ] as const;
  for (const [name, route] of ROWS)
    for (const [caller, auth] of callers) {
      const { status } = await service.call(route.method, pathOf(route), { auth });
      expect([name, caller, status === 401 || status === 403]).toEqual([
        name,
        caller,
        !isLetIn(route, caller),
      ]);
    }
});

test('a token is refused after its end', async () => {
  const service = await startTestService();
  const now = Math.floor(Date.now() / 1000);
  const statusAt = async (expiresAt: number): Promise<number> => {
    const token = { user: 'ann', name: 'ci', role: 'reader', expiresAt } as const;
    const text = await makeToken({ store: service.store, now: () => new Date() }, token);
    return (await service.call('GET', '/api/user', { auth: `token ${text}` })).status;
  };
  expect([await statusAt(now + 3600), await statusAt(now)]).toEqual([200, 401]);
});

test('a token is the password of basic credentials, whatever the name', async () => {
  const service = await startTestService();
  const statusFor = async (pair: string): Promise<number> => {
    const auth = `Basic ${Buffer.from(pair).toString('base64')}`;
    return (await service.call('GET', '/api/user', { auth })).status;
  };
  const { token } = service;
  expect(
    await Promise.all([`any:${token}`, `:${token}`, token, `${token}:`, 'any:wrong'].map(statusFor)),
  ).toEqual([200, 200, 401, 401, 401]);
});

/** Tells whether a caller gets past the authorization. The token of an update is checked against the update. */
function isLetIn({ needs }: Route, caller: string): boolean {
  if (needs === 'anyone') return true;
  if (needs === 'update') return caller === 'update';
  const role = ROLES.findIndex((each) => each === caller);
  return role >= 0 && role >= ROLES.findIndex((each) => each === needs);
}

test('every path is in the grammar, and no two routes have the same', () => {
  const paths = ROWS.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths) expect(path).toMatch(/^[A-Z]+ (\/(?:[a-z_-]+|\{\w+(?::\w+(?:\|\w+)*)?\}))+$/);
});
