import { EXCHANGE, Login } from '@cairn/http-api';
import type { ExchangeAnswer } from '@cairn/http-api';
import * as v from 'valibot';
import { Refusal } from '../domain/refusal.js';
import { ROLES } from '../domain/roles.js';
import { hasAudience, matchesClaims } from '../domain/trust.js';
import type { Trust, TrustHolder } from '../domain/trust.js';
import type { ServiceStore } from '../store/service-store.js';
import type { TokenRecord } from '../store/token-store.js';
import { unverifiedIssuer } from './issuer-keys.js';
import type { IssuerKeys } from './issuer-keys.js';
import { seconds } from './service-ports.js';
import { issueToken } from './tokens.js';

/** Longest name of a token. */
const MOST_NAME = 200;

interface ExchangePorts {
  readonly store: ServiceStore;
  readonly now: () => Date;
  readonly keys: IssuerKeys;
}

/** Exchange that the organization trusts. `issue` makes the token. */
interface TrustedExchange {
  readonly organization: string;
  /** Login or organization that the token acts for. */
  readonly user: string;
  /** Name of the token. */
  readonly name: string;
  issue(): Promise<ExchangeAnswer>;
}

/** Request of an exchange, as RFC 8693 and its clients write it. */
interface ExchangeRequest {
  readonly organization: string;
  readonly holder: TrustHolder;
  readonly type: string;
  readonly scope: string;
  readonly token: string;
  /** In seconds; 0 leaves it to the service. */
  readonly expiration: number;
}

/** Checks a request to exchange a token of an issuer. Refuses one that the organization does not trust. */
export async function trustedExchange(ports: ExchangePorts, form: URLSearchParams): Promise<TrustedExchange> {
  const request = requestIn(form);
  const { organization, holder } = request;
  const issuer = await unverifiedIssuer(request.token);
  const trusts = (await ports.store.listAccess('trusts', organization)).filter(
    (trust) => trust.issuer === issuer,
  );
  const [first] = trusts;
  if (first === undefined)
    throw new Refusal(401, `Organization '${organization}' does not trust the issuer of the token.`);
  const claims = await ports.keys.verified(request.token, first.issuer);
  const trust = chosenTrust(trusts, holder, claims);
  const expiresIn = Math.min(trust.minutes * 60, request.expiration || Infinity);
  const token = {
    ...holderOf(organization, holder),
    name: `${trust.name}: ${claims.sub ?? ''}`.slice(0, MOST_NAME),
    ...{ role: trust.role, by: `trust:${trust.name}` },
    ...(trust.stacks !== undefined && { stacks: trust.stacks }),
  };
  return {
    ...{ organization, user: token.user, name: token.name },
    issue: async () => {
      const { text } = await issueToken(ports, { ...token, expiresAt: seconds(ports.now()) + expiresIn });
      return {
        ...{ access_token: text, issued_token_type: request.type, token_type: 'token' },
        ...{ expires_in: expiresIn, scope: request.scope },
      };
    },
  };
}

/** Returns the matching trust with the most rights. Refuses a token that no trust matches. */
function chosenTrust(
  trusts: readonly Trust[],
  holder: TrustHolder,
  claims: Readonly<Record<string, unknown>>,
): Trust {
  const meant = trusts.filter((trust) => hasAudience(trust, claims));
  if (meant.length === 0) throw new Refusal(401, 'The token is for another audience.');
  const matching = meant.filter((trust) => matchesClaims(trust, claims));
  if (matching.length === 0)
    throw new Refusal(403, 'The claims of the token do not match those that the organization trusts.');
  const [best] = matching
    .filter(({ to }) => to === holder)
    .sort((a, b) => ROLES.indexOf(b.role) - ROLES.indexOf(a.role));
  if (best !== undefined) return best;
  throw new Refusal(403, `The organization gives no tokens of this kind for it: ${holder}.`);
}

function holderOf(
  organization: string,
  holder: TrustHolder,
): Pick<TokenRecord, 'kind' | 'user' | 'organization' | 'team'> {
  const name = holder.slice(holder.indexOf(':') + 1);
  if (holder.startsWith('user:')) return { kind: 'personal', user: name };
  if (holder.startsWith('team:')) return { kind: 'team', user: organization, organization, team: name };
  return { kind: 'organization', user: organization, organization };
}

function requestIn(form: URLSearchParams): ExchangeRequest {
  const text = (name: string): string => form.get(name) ?? '';
  if (text('grant_type') !== EXCHANGE.grantType)
    throw new Refusal(400, 'The service supports no other grant_type than the exchange of tokens.');
  if (text('subject_token_type') !== EXCHANGE.subjectTokenType)
    throw new Refusal(400, 'The subject_token_type is not that of an id token.');
  const audience = text('audience');
  const organization = audience.slice(EXCHANGE.audiencePrefix.length);
  if (!audience.startsWith(EXCHANGE.audiencePrefix) || !v.is(Login, organization))
    throw new Refusal(400, `The audience is not ${EXCHANGE.audiencePrefix}ORGANIZATION.`);
  const type = text('requested_token_type');
  const scope = text('scope');
  const expiration = Number(text('expiration'));
  if (!Number.isSafeInteger(expiration) || expiration < 0)
    throw new Refusal(400, 'The expiration is not a number of seconds.');
  return {
    organization,
    holder: holderIn(type, scope),
    type,
    scope,
    token: text('subject_token'),
    expiration,
  };
}

/** The type of the token and its scope have to agree. */
function holderIn(type: string, scope: string): TrustHolder {
  const kind = type.startsWith(EXCHANGE.tokenTypePrefix) ? type.slice(EXCHANGE.tokenTypePrefix.length) : '';
  if (kind === 'organization') return 'organization';
  const prefix = kind === 'team' ? 'team:' : kind === 'personal' ? 'user:' : undefined;
  if (prefix === undefined) throw new Refusal(400, 'The requested_token_type is unknown.');
  if (scope.startsWith(prefix) && v.is(Login, scope.slice(prefix.length))) return scope as TrustHolder;
  throw new Refusal(400, `The scope is not ${prefix}NAME.`);
}
