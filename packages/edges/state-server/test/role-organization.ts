import { createOrganization, makeToken } from '../src/index.js';
import { startTestService } from './service.js';
import type { Answer, TestService } from './service.js';

export const ORG = '/api/orgs/acme';

/** Caller with a token, who makes calls. */
type Call = (method: string, route: string, body?: unknown) => Promise<Answer>;

/** Organization `acme` with an administrator, and members without a role. */
export async function organization(): Promise<{
  readonly service: TestService;
  readonly admin: Call;
  readonly as: (user: string, role?: 'reader' | 'writer' | 'admin') => Promise<Call>;
}> {
  const service = await startTestService();
  const ports = { store: service.store, now: () => new Date() };
  await createOrganization(ports, 'acme', 'root-user');
  const tokenOf = (user: string, role: 'reader' | 'writer' | 'admin'): Promise<string> =>
    makeToken(ports, { user, role, name: 'test', organization: 'acme' });
  const caller = (token: string): Call => {
    return (method, route, body) =>
      service.call(method, route, { auth: `token ${token}`, ...(body !== undefined && { body }) });
  };
  const admin = caller(await tokenOf('root-user', 'admin'));
  for (const stackName of ['dev', 'prod']) await admin('POST', '/api/stacks/acme/shop', { stackName });
  const as = async (user: string, role: 'reader' | 'writer' | 'admin' = 'admin'): Promise<Call> => {
    expect((await admin('POST', `${ORG}/members/${user}`, { role: 'none' })).status).toBe(200);
    return caller(await tokenOf(user, role));
  };
  return { service, admin, as };
}

export const details = (...permissions: readonly string[]): object => ({
  ...{ __type: 'PermissionDescriptorAllow', permissions },
});

export async function newRole(admin: Call, name: string, ...permissions: readonly string[]): Promise<string> {
  const { status, body } = await admin('POST', `${ORG}/roles`, { name, details: details(...permissions) });
  expect([status, body['name']]).toEqual([200, name]);
  return String(body['id']);
}
