import { attemptLimits, passwordFault } from './passwords.js';

test.each([
  ['correct horse', undefined],
  ['short', 'has fewer than 12 characters'],
  // One character each, whatever its bytes are.
  ['🐎🐎🐎🐎🐎🐎', 'has fewer than 12 characters'],
  ['x'.repeat(257), 'has more than 256 characters'],
  ['abcdabcdabcd', 'has fewer than 5 different characters'],
  ['my-ALICE-password', 'contains the name of the user'],
])('%j as the password of alice', (password, fault) => {
  expect(passwordFault(password, 'alice')).toBe(fault);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('attempts from %s count towards %s', (source, network) => {
  expect(attemptLimits('alice', source).map(({ key }) => key)).toEqual([
    ...[`address ${network}`, `user alice at ${network}`, 'user alice'],
  ]);
});
