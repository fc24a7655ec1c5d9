import { hasAudience, matchesClaims } from './trust.js';

const AUDIENCE = 'urn:pulumi:org:acme';
const CLAIMS = { sub: 'repo:acme/*:ref:refs/heads/main', environment: 'production' };
const JOB = { aud: AUDIENCE, sub: 'repo:acme/shop:ref:refs/heads/main', environment: 'production' };

test.each<readonly [string, Readonly<Record<string, unknown>>, boolean]>([
  ['the claims of a job', JOB, true],
  ['one of several audiences', { ...JOB, aud: ['other', AUDIENCE] }, true],
  ['another audience', { ...JOB, aud: 'urn:pulumi:org:other' }, false],
  ['no audience', { ...JOB, aud: undefined }, false],
  ['another branch', { ...JOB, sub: 'repo:acme/shop:ref:refs/heads/evil' }, false],
  ['a missing claim', { ...JOB, environment: undefined }, false],
  ['one of several values', { ...JOB, environment: ['staging', 'production'] }, true],
  ['an object as value', { ...JOB, environment: { toString: 'production' } }, false],
  ['a list in a list', { ...JOB, environment: [['production']] }, false],
])('a trust and %s', (_name, verified, expected) => {
  const trust = { audience: AUDIENCE, claims: CLAIMS };
  expect(hasAudience(trust, verified) && matchesClaims(trust, verified)).toBe(expected);
});

test('a claim of the prototype is no claim', () => {
  expect(matchesClaims({ claims: { constructor: '*' } }, JOB)).toBe(false);
});
