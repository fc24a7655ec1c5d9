import { permits, covers, rightsInOrganization, rightsOnSome, rightsOnStack } from './access.js';
import type { Access, Grant, StackTarget } from './access.js';
import type { CustomRole } from './custom-roles.js';
import { matchesText, matchesStack } from './pattern.js';

const DEV: StackTarget = { project: 'shop', stack: 'dev', tags: { env: 'dev', team: 'web' } };
const PROD: StackTarget = { project: 'shop', stack: 'prod', tags: { env: 'prod' } };

/** Access of a member without a role, with grants and limits. */
function access(grants: readonly Omit<Grant, 'id' | 'to'>[], more: Partial<Access['limits']> = {}): Access {
  const held = grants.map((grant, index): Grant => ({ id: `${index}`, to: 'user:ann', ...grant }));
  return { facts: { member: 'none', grants: held, roles: [] }, limits: { role: 'admin', ...more } };
}

describe('a role on a stack', () => {
  test.each<readonly [string, Access, string | undefined, string | undefined]>([
    ['a member without role and grants has none', access([]), undefined, undefined],
    ['a grant on all stacks', access([{ role: 'writer' }]), 'writer', 'writer'],
    ['a grant by pattern', access([{ role: 'writer', stacks: 'shop/d*' }]), 'writer', undefined],
    ['a grant on a project', access([{ role: 'reader', stacks: 'shop' }]), 'reader', 'reader'],
    ['a grant on another project', access([{ role: 'admin', stacks: 'sho' }]), undefined, undefined],
    ['a grant by tag', access([{ role: 'writer', tag: 'team' }]), 'writer', undefined],
    ['a grant by value of a tag', access([{ role: 'writer', tag: 'env=p*' }]), undefined, 'writer'],
    [
      'pattern and tag have to match both',
      access([{ role: 'admin', stacks: 'shop/dev', tag: 'env=prod' }]),
      undefined,
      undefined,
    ],
    [
      'the highest of several grants counts',
      access([{ role: 'reader' }, { role: 'admin', stacks: '*/prod' }]),
      'reader',
      'admin',
    ],
    ['a token limits the role', access([{ role: 'admin' }], { role: 'reader' }), 'reader', 'reader'],
    ['a token limits the stacks', access([{ role: 'admin' }], { stacks: ['shop/dev'] }), 'admin', undefined],
    [
      'a token without patterns covers nothing',
      access([{ role: 'admin' }], { stacks: [] }),
      undefined,
      undefined,
    ],
  ])('%s', (_name, caller, onDev, onProd) => {
    expect([rightsOnStack(caller, DEV)?.role, rightsOnStack(caller, PROD)?.role]).toEqual([onDev, onProd]);
  });

  test('who is no member has none, whatever grants are left', () => {
    const left = access([{ role: 'admin' }]);
    const gone = { ...left, facts: { ...left.facts, member: undefined } };
    expect([
      rightsOnStack(gone, DEV)?.role,
      rightsOnSome(gone).role,
      rightsInOrganization(gone).role,
    ]).toEqual([undefined, undefined, undefined]);
  });

  test('the role of a member counts on every stack, and a token for some stacks administers nothing', () => {
    const admin: Access = { facts: { member: 'admin', grants: [], roles: [] }, limits: { role: 'admin' } };
    const limited: Access = { ...admin, limits: { role: 'admin', stacks: ['shop/*'] } };
    expect([rightsOnStack(admin, PROD)?.role, rightsInOrganization(admin).role]).toEqual(['admin', 'admin']);
    expect([rightsOnStack(limited, PROD)?.role, rightsInOrganization(limited).role]).toEqual([
      'admin',
      'reader',
    ]);
  });
});

describe('a role of the organization', () => {
  const ROLE: CustomRole = {
    ...{ id: 'r1', name: 'deploy', description: '', uxPurpose: '', resourceType: '', details: {} },
    ...{ permissions: ['stack:write', 'audit_logs:read'], version: 1, created: 0, modified: 0 },
  };
  const held = (scope: object, limits: Partial<Access['limits']> = {}): Access => {
    const { facts, ...more } = access([{ role: 'r1', ...scope }], limits);
    return { ...more, facts: { ...facts, roles: [ROLE] } };
  };
  const WRITE = { role: 'writer', permission: 'stack:write' } as const;
  const AUDIT = { role: 'admin', permission: 'audit_logs:read' } as const;
  const mayWrite = (caller: Access): boolean | undefined => {
    const rights = rightsOnStack(caller, DEV);
    return rights && permits(rights, WRITE);
  };
  const mayAudit = (caller: Access): boolean => permits(rightsInOrganization(caller), AUDIT);

  test('gives its permissions, and no role', () => {
    const caller = held({});
    expect([mayWrite(caller), mayAudit(caller)]).toEqual([true, true]);
    expect(permits(rightsOnSome(caller), { role: 'writer', permission: 'stack:delete' })).toBe(false);
    expect(permits(rightsOnSome(caller), { role: 'reader' })).toBe(false);
  });

  test('on some stacks it gives nothing elsewhere and nothing in the organization', () => {
    expect([mayWrite(held({ stacks: 'shop/prod' })), mayAudit(held({ stacks: '*' }))]).toEqual([
      undefined,
      false,
    ]);
    expect([mayWrite(held({ tag: 'env=dev' })), mayAudit(held({ tag: 'env' }))]).toEqual([true, false]);
  });

  test('a token with a smaller role, or for some stacks, has less of it', () => {
    const reader = held({}, { role: 'reader' });
    expect([mayWrite(reader), mayAudit(reader)]).toEqual([undefined, false]);
    const writer = held({}, { role: 'writer' });
    expect([mayWrite(writer), mayAudit(writer)]).toEqual([true, false]);
    expect(mayAudit(held({}, { stacks: ['*'] }))).toBe(false);
  });

  test('that is gone, or has a permission of a newer version, gives nothing', () => {
    const caller = held({});
    expect(mayWrite({ ...caller, facts: { ...caller.facts, roles: [] } })).toBeUndefined();
    const newer = { ...ROLE, permissions: ['stack:fly', 'constructor'] };
    expect(mayWrite({ ...caller, facts: { ...caller.facts, roles: [newer] } })).toBeUndefined();
  });
});

test('a tag of a prototype is no tag', () => {
  expect(covers({ tag: 'constructor' }, DEV)).toBe(false);
});

describe('a pattern', () => {
  test.each([
    ['', '', true],
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*c', 'abcd', false],
    ['*', '', true],
    ['**a', 'ba', true],
    ['repo:acme/*:ref:refs/heads/main', 'repo:acme/shop:ref:refs/heads/main', true],
    ['repo:acme/*:ref:refs/heads/main', 'repo:acme/shop:ref:refs/heads/other', false],
    ['a.c', 'abc', false],
    ['a*b*c*d', 'axbxbxcxd', true],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matchesText(pattern, text)).toBe(expected);
  });

  test('takes no exponential time', () => {
    expect(matchesText('*a'.repeat(200), `${'a'.repeat(5000)}b`)).toBe(false);
  });

  test.each([
    ['shop', true],
    ['*', true],
    ['shop/*', true],
    ['*/dev', true],
    ['shop/dev/x', false],
    ['*dev', false],
  ])('of stacks: %s is %s for shop/dev', (pattern, expected) => {
    expect(matchesStack(pattern, DEV)).toBe(expected);
  });
});
