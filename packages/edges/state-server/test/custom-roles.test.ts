import { PERMISSIONS } from '@cairn/http-api';
import { ORG, details, newRole, organization } from './role-organization.js';
import { endServices, storeTest } from './service.js';

afterEach(endServices);

const DEV = '/api/stacks/acme/shop/dev';

storeTest('a role is made, shown, changed and removed, as other clients do it', async () => {
  const { admin } = await organization();
  const made = await admin('POST', `${ORG}/roles`, {
    ...{ name: 'deploy', description: 'Runs updates', uxPurpose: 'team', details: details('stack:write') },
  });
  const id = String(made.body['id']);
  const role = { id, orgId: 'acme', name: 'deploy', uxPurpose: 'team', version: 1, isOrgDefault: false };
  expect(made.body).toEqual({
    ...{ ...role, description: 'Runs updates', details: details('stack:write') },
    ...{ resourceType: 'organization', created: expect.any(String), modified: expect.any(String) },
  });
  expect((await admin('GET', `${ORG}/roles/${id}`)).body).toEqual(made.body);
  expect((await admin('GET', `${ORG}/roles`)).body['roles']).toMatchObject([
    ...[{ id: 'reader' }, { id: 'writer' }, { id: 'admin' }, role],
  ]);
  expect((await admin('GET', `${ORG}/roles?uxPurpose=team`)).body['roles']).toMatchObject([role]);
  const text = { name: 'deploy all', description: '', details: details('stack:write', 'stack:read') };
  expect((await admin('PATCH', `${ORG}/roles/${id}`, text)).body).toMatchObject({ ...text, id, version: 2 });
  expect((await admin('DELETE', `${ORG}/roles/${id}?force=false`)).status).toBe(200);
  expect((await admin('GET', `${ORG}/roles/${id}`)).body['code']).toBe(404);
});

storeTest('wrong roles are refused, and nothing changes', async () => {
  const { admin } = await organization();
  const id = await newRole(admin, 'deploy', 'stack:write');
  const good = { name: 'other', description: '', details: details('stack:read') };
  const before = (await admin('GET', `${ORG}/roles`)).body;
  const refused: readonly (readonly [number, string, string, object?])[] = [
    [400, 'POST', 'roles', { ...good, name: '' }],
    [400, 'POST', 'roles', { ...good, details: undefined }],
    [400, 'POST', 'roles', { ...good, details: details('environment:open') }],
    [400, 'POST', 'roles', { ...good, details: { __type: 'PermissionDescriptorCondition' } }],
    [400, 'POST', 'roles', { ...good, resourceType: 'environment' }],
    [409, 'POST', 'roles', { ...good, name: 'deploy' }],
    [409, 'POST', 'roles', { ...good, name: 'writer' }],
    [409, 'PATCH', `roles/${id}`, { ...good, name: 'admin' }],
    [409, 'PATCH', 'roles/writer', good],
    [409, 'DELETE', 'roles/admin?force=true'],
    [404, 'PATCH', 'roles/none', good],
    [404, 'DELETE', 'roles/6f1c'],
    [404, 'POST', 'grants', { to: 'user:root-user', role: '6f1c' }],
    [404, 'PATCH', 'members/root-user', { fgaRoleId: '6f1c' }],
    [400, 'PATCH', 'members/root-user', { fgaRoleId: '../x' }],
    [409, 'PATCH', 'members/root-user', { fgaRoleId: id }],
  ];
  const found: unknown[] = [];
  for (const [, method, route, body] of refused)
    found.push([(await admin(method, `${ORG}/${route}`, body)).body['code'], method, route, body]);
  expect(found).toEqual(refused.map(([code, method, route, body]) => [code, method, route, body]));
  expect((await admin('GET', `${ORG}/roles`)).body).toEqual(before);
  // A role of another organization does not exist here.
  expect((await admin('GET', `/api/orgs/organization/roles/${id}`)).body['code']).toBe(404);
});

storeTest('members, grants and teams have roles of the organization, until these are removed', async () => {
  const { admin, as } = await organization();
  const id = await newRole(admin, 'look', 'stack:read');
  const [member, granted, mate] = [await as('member-user'), await as('grant-user'), await as('team-user')];
  const seen = async (): Promise<readonly unknown[]> =>
    Promise.all(
      [member, granted, mate].map(async (call) => {
        const { stacks } = (await call('GET', '/api/user/stacks')).body;
        return (stacks as readonly { stackName: string }[]).map(({ stackName }) => stackName);
      }),
    );
  expect(await seen()).toEqual([[], [], []]);
  await admin('PATCH', `${ORG}/members/member-user`, { fgaRoleId: id });
  await admin('POST', `${ORG}/grants`, { to: 'user:grant-user', role: id, stacks: 'shop/prod' });
  await admin('POST', `${ORG}/teams`, { name: 'web-team', members: ['team-user'] });
  await admin('POST', `${ORG}/teams/web-team/roles/${id}`);
  const all = ['dev', 'prod'];
  expect(await seen()).toEqual([all, ['prod'], all]);
  expect((await admin('GET', `${ORG}/members`)).body['members']).toContainEqual(
    expect.objectContaining({ role: 'member', fgaRole: expect.objectContaining({ id, name: 'look' }) }),
  );
  expect(await admin('DELETE', `${ORG}/roles/${id}`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('held by user:member-user, ') },
  });
  await admin('PATCH', `${ORG}/roles/${id}`, {
    name: 'look',
    description: '',
    details: details('stack:write'),
  });
  expect(await seen()).toEqual([[], [], []]);
  expect((await member('GET', DEV)).body['code']).toBe(403);
  expect((await admin('DELETE', `${ORG}/roles/${id}?force=true`)).status).toBe(200);
  expect((await member('GET', DEV)).body['code']).toBe(404);
  expect((await admin('GET', `${ORG}/grants`)).body['grants']).toEqual([]);
  // The member stays, without a role.
  expect((await admin('GET', `${ORG}/members`)).body['members']).toContainEqual(
    expect.objectContaining({ fgaRole: expect.objectContaining({ id: 'none' }) }),
  );
});

storeTest(
  'a team with only a role of the organization reads the audit log, and its tokens may too',
  async () => {
    const { service, admin, as } = await organization();
    const id = await newRole(admin, 'auditor', 'audit_logs:read');
    const auditor = await as('audit-user');
    expect((await auditor('GET', `${ORG}/auditlogs`)).status).toBe(403);
    await admin('POST', `${ORG}/teams`, { name: 'audit-team', members: ['audit-user'] });
    await admin('POST', `${ORG}/teams/audit-team/roles/${id}`);
    expect((await auditor('GET', `${ORG}/auditlogs`)).status).toBe(200);
    expect((await auditor('GET', `${ORG}/auditlogs/export`)).status).toBe(403);
    expect((await auditor('GET', DEV)).status).toBe(404);
    const token = (await admin('POST', `${ORG}/teams/audit-team/tokens`, { name: 'siem' })).body[
      'tokenValue'
    ];
    expect((await service.call('GET', `${ORG}/auditlogs`, { auth: `token ${String(token)}` })).status).toBe(
      200,
    );
  },
);

storeTest('a token has permissions of a role up to its own role', async () => {
  const { admin, as } = await organization();
  const id = await newRole(admin, 'all', ...Object.keys(PERMISSIONS));
  const reader = await as('read-user', 'reader');
  await admin('PATCH', `${ORG}/members/read-user`, { fgaRoleId: id });
  const statuses: number[] = [];
  for (const [method, route] of [
    ['GET', DEV],
    ['GET', `${DEV}/export`],
    ['PATCH', `${DEV}/tags`],
    ['DELETE', `${DEV}?force=false`],
    ['GET', `${ORG}/auditlogs`],
  ] as const)
    statuses.push((await reader(method, route)).status);
  expect(statuses).toEqual([200, 200, 403, 403, 403]);
});
