import { covers, roleInOrganization, roleOnSome, roleOnStack } from './access.js';
import type { Access, Grant, StackTarget } from './access.js';
import { matchesText, matchesStack } from './pattern.js';

const DEV: StackTarget = { project: 'shop', stack: 'dev', tags: { env: 'dev', team: 'web' } };
const PROD: StackTarget = { project: 'shop', stack: 'prod', tags: { env: 'prod' } };

/** Access of a member without a role, with grants and limits. */
function access(grants: readonly Omit<Grant, 'id' | 'to'>[], more: Partial<Access['limits']> = {}): Access {
  const held = grants.map((grant, index): Grant => ({ id: `${index}`, to: 'user:ann', ...grant }));
  return { facts: { member: 'none', grants: held }, limits: { role: 'admin', ...more } };
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
    expect([roleOnStack(caller, DEV), roleOnStack(caller, PROD)]).toEqual([onDev, onProd]);
  });

  test('who is no member has none, whatever grants are left', () => {
    const left = access([{ role: 'admin' }]);
    const gone = { ...left, facts: { ...left.facts, member: undefined } };
    expect([roleOnStack(gone, DEV), roleOnSome(gone), roleInOrganization(gone)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('the role of a member counts on every stack, and a token for some stacks administers nothing', () => {
    const admin: Access = { facts: { member: 'admin', grants: [] }, limits: { role: 'admin' } };
    const limited: Access = { ...admin, limits: { role: 'admin', stacks: ['shop/*'] } };
    expect([roleOnStack(admin, PROD), roleInOrganization(admin)]).toEqual(['admin', 'admin']);
    expect([roleOnStack(limited, PROD), roleInOrganization(limited)]).toEqual(['admin', 'reader']);
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
