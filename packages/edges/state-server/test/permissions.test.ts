import { PERMISSIONS, ROUTES } from '@cairn/http-api';
import type { Permission, Route, RouteName } from '@cairn/http-api';
import { ORG, newRole, organization } from './role-organization.js';
import { endServices } from './service.js';

afterEach(endServices);

/** Body with which a call gets to what is not there. */
const BODIES: Readonly<Partial<Record<RouteName, object>>> = {
  createStack: { stackName: 'new' },
  renameStack: { newName: 'newer' },
};

test('a permission lets in on the routes that name it, and on no others', async () => {
  const { admin, as } = await organization();
  const table = Object.entries(ROUTES) as [RouteName, Route][];
  const guarded = table.filter(([, { needs }]) => ['reader', 'writer', 'admin'].includes(needs));
  const wrong: unknown[] = [];
  for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
    const user = `u-${permission.replace(/\W/g, '-')}`;
    const call = await as(user);
    await admin('PATCH', `${ORG}/members/${user}`, { fgaRoleId: await newRole(admin, user, permission) });
    for (const [name, route] of guarded) {
      const isIn = route.permission === permission;
      const path = route.path.replace(/\{(\w+)(?::(\w+)[\w|]*)?\}/g, (_whole, key: string, word?: string) => {
        const there = { org: 'acme', project: 'shop', stack: isIn ? 'none' : 'dev', version: '1' } as const;
        return word ?? there[key as keyof typeof there] ?? `${key}-x`;
      });
      const { status, body } = await call(
        route.method,
        path,
        route.method === 'GET' ? undefined : BODIES[name],
      );
      const isRefused = status === 403 || (status === 404 && String(body['message']).includes("Stack 'dev'"));
      if (isRefused === isIn || status >= 500) wrong.push([permission, name, status, body]);
    }
  }
  expect(wrong).toEqual([]);
});
