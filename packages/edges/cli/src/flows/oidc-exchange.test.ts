import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CommandContext } from '../command-context.js';
import { exchangeOf } from './oidc-exchange.js';

const NONE = {
  ...{ oidcToken: undefined, oidcOrg: undefined, oidcTeam: undefined, oidcUser: undefined },
  oidcExpiration: undefined,
};
const TOKEN = jwt({ aud: ['other', 'urn:pulumi:org:acme'] });

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'cairn-oidc-'));
  writeFileSync(path.join(cwd, 'token'), `${TOKEN}\n`);
  writeFileSync(path.join(cwd, 'empty'), '\n');
});
afterAll(() => rmSync(cwd, { recursive: true }));

function jwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`;
}

function exchange(flags: Partial<Record<keyof typeof NONE, string>>): ReturnType<typeof exchangeOf> {
  return exchangeOf({ cwd } as CommandContext, { ...NONE, ...flags });
}

test('the organization is that of the audience, unless a flag names one', async () => {
  const from = { organization: 'acme', scope: '', token: TOKEN, expiration: 0 };
  expect(await exchange({})).toBeUndefined();
  expect(await exchange({ oidcToken: TOKEN })).toEqual(from);
  expect(await exchange({ oidcToken: 'file://token' })).toEqual(from);
  const all = { oidcToken: TOKEN, oidcOrg: 'other', oidcTeam: 'ops', oidcExpiration: '15m' };
  expect(await exchange(all)).toEqual({ ...from, organization: 'other', scope: 'team:ops', expiration: 900 });
  expect(await exchange({ oidcToken: TOKEN, oidcUser: 'ann' })).toMatchObject({ scope: 'user:ann' });
});

test.each<readonly [string, Parameters<typeof exchange>[0], RegExp]>([
  ['a flag without a token', { oidcTeam: 'ops' }, /cannot use --oidc-team/],
  ['a team and a user', { oidcToken: TOKEN, oidcTeam: 'ops', oidcUser: 'ann' }, /cannot be given together/],
  ['a text that is no token', { oidcToken: 'x' }, /the one in --oidc-token is not a JSON web token/],
  ['a file without a token', { oidcToken: 'file://empty' }, /the one in .*empty is not a JSON web token/],
  ['a file that is not there', { oidcToken: 'file://none' }, /cannot read the token in .*none/],
  ['an audience of no organization', { oidcToken: jwt({ aud: 'x' }) }, /names no organization/],
  ['claims that are none', { oidcToken: 'a.b.c' }, /names no organization/],
  ['a wrong duration', { oidcToken: TOKEN, oidcExpiration: '900' }, /--oidc-expiration takes a duration/],
])('%s is refused', async (_name, flags, text) => {
  await expect(exchange(flags)).rejects.toMatchObject({
    diagnostics: [{ code: 'CAIRN-USAGE', summary: expect.stringMatching(text) }],
  });
});
