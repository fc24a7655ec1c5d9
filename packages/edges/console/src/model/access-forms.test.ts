import { grantRequest, roleRequest, trustRequest } from './access-forms.js';

test('a role has its permissions without spaces and empty ones', () => {
  expect(roleRequest(' deployer ', '', 'stack:read, stack:write,, ')).toEqual({
    ...{ name: 'deployer', description: '' },
    details: { __type: 'PermissionDescriptorAllow', permissions: ['stack:read', 'stack:write'] },
  });
});

test.each([
  ['', '', {}],
  [' shop/* ', '', { stacks: 'shop/*' }],
  ['', 'team=web', { tag: 'team=web' }],
])('a grant on the stacks %j with the tag %j', (stacks, tag, scope) => {
  expect(grantRequest(' user:ann ', 'writer', stacks, tag)).toEqual({
    to: 'user:ann',
    role: 'writer',
    ...scope,
  });
});

const EMPTY = { audience: '', to: '', role: 'writer', stacks: '', minutes: '' };

test('a trust has what was written, and leaves the rest to the service', () => {
  const known = { name: ' ci ', issuer: ' https://issuer.test ', claims: 'sub=repo:acme/*, ref=a=b, aud' };
  const claims = { sub: 'repo:acme/*', ref: 'a=b', aud: '*' };
  const request = { name: 'ci', issuer: 'https://issuer.test', claims, role: 'writer' };
  expect(trustRequest({ ...EMPTY, ...known })).toEqual(request);
  const more = { audience: 'here', to: 'team:ops', stacks: 'shop/*, web', minutes: '30' };
  expect(trustRequest({ ...EMPTY, ...known, ...more })).toEqual({
    ...{ ...request, audience: 'here', to: 'team:ops', stacks: ['shop/*', 'web'], minutes: 30 },
  });
});
