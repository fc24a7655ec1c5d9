import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TokenExchange } from '@cairn/backends';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { CommandContext } from '../command-context.js';
import type { Texts } from '../flags/flag-spec.js';
import { firstGiven } from '../flags/flag-spec.js';
import { parseDuration } from '../terminal/duration.js';

/** Flags for a login with the token of an issuer. */
export type OidcFlags = 'oidcToken' | 'oidcOrg' | 'oidcTeam' | 'oidcUser' | 'oidcExpiration';

/** Audience of tokens for an organization, before its name. */
const AUDIENCE = 'urn:pulumi:org:';

/** Returns the exchange that the flags ask for, or undefined if they name no token of an issuer. */
export async function exchangeOf(
  context: CommandContext,
  flags: Texts<OidcFlags>,
): Promise<TokenExchange | undefined> {
  const { oidcToken, oidcOrg, oidcTeam, oidcUser, oidcExpiration } = flags;
  if (oidcToken === undefined) {
    const given = firstGiven(flags, ['oidcOrg', 'oidcTeam', 'oidcUser', 'oidcExpiration']);
    if (given === undefined) return undefined;
    throw cairnError('CAIRN-USAGE', `cannot use --${given}: there is no token to exchange`, {
      hint: 'Give the token of the issuer with --oidc-token.',
    });
  }
  if (oidcTeam !== undefined && oidcUser !== undefined)
    throw cairnError('CAIRN-USAGE', '--oidc-team and --oidc-user cannot be given together', {
      hint: 'Give one of them, or none for a token of the organization.',
    });
  const token = await tokenAt(context, oidcToken);
  const organization = oidcOrg ?? organizationIn(token);
  if (organization === undefined)
    throw cairnError('CAIRN-USAGE', 'cannot exchange the token: its audience names no organization', {
      hint: 'Give the organization with --oidc-org.',
    });
  const scope =
    oidcTeam !== undefined ? `team:${oidcTeam}` : oidcUser !== undefined ? `user:${oidcUser}` : '';
  return { organization, scope, token, expiration: expirationOf(oidcExpiration) };
}

/** Returns the token that a text is, or that is in the file which it names. */
async function tokenAt({ cwd }: CommandContext, text: string): Promise<string> {
  if (isJwt(text)) return text;
  if (!text.startsWith('file://'))
    throw noJwt('--oidc-token', 'Give a JSON web token, or file:// and the path of one.');
  const file = path.resolve(cwd, text.slice('file://'.length));
  const found = await readFile(file, 'utf8').catch((thrown: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read the token in ${file}: ${messageOf(thrown)}`);
  });
  if (isJwt(found.trim())) return found.trim();
  throw noJwt(file, 'Write a JSON web token into it.');
}

function noJwt(where: string, hint: string): Error {
  return cairnError('CAIRN-USAGE', `cannot exchange the token: the one in ${where} is not a JSON web token`, {
    hint,
  });
}

function isJwt(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}

/** Reads the organization from the audience of a token. The service checks the token. */
function organizationIn(token: string): string | undefined {
  let claims: { readonly aud?: unknown };
  try {
    claims = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
    ) as typeof claims;
  } catch {
    return undefined;
  }
  const audience = [claims.aud].flat().find((each) => typeof each === 'string' && each.startsWith(AUDIENCE));
  return audience === undefined ? undefined : String(audience).slice(AUDIENCE.length);
}

/** Returns the life of the new token in seconds. */
function expirationOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 1000) return Math.floor(ms / 1000);
  throw cairnError(
    'CAIRN-USAGE',
    `--oidc-expiration takes a duration from 1s to 366d, not ${JSON.stringify(text)}`,
    { hint: 'Give it as 15m or 2h.' },
  );
}
