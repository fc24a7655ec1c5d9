import { messageOf } from '@cairn/diagnostics';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import * as v from 'valibot';
import { Refusal } from '../domain/refusal.js';

/** Algorithms of signatures by a private key. A token names its own, so anything else would let it choose its key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Difference between the clocks of issuer and service, in seconds. */
const TOLERANCE = 60;
/** Time limit of a request to an issuer, in milliseconds. */
const PATIENCE_MS = 10_000;
/** Time for which the settings of an issuer are kept, in milliseconds. */
const KEPT_MS = 3_600_000;
/** Largest settings of an issuer. */
const MOST_CHARACTERS = 1_000_000;
/** Time after which an unknown key makes the service ask its issuer again, in milliseconds. */
const COOLDOWN_MS = 5_000;

const Settings = v.object({ issuer: v.string(), jwks_uri: v.pipe(v.string(), v.url()) });

interface IssuerPorts {
  readonly now: () => Date;
  readonly monotonic: () => number;
  /** Replaces the time after which an unknown key is asked for again. */
  readonly keyCooldownMs?: number | undefined;
}

/** Keys of issuers of tokens: found by their addresses, kept, and read again when a token has a new one. */
export class IssuerKeys {
  readonly #ports: IssuerPorts;
  readonly #keys = new Map<string, { readonly until: number; readonly keys: Promise<JWTVerifyGetKey> }>();

  constructor(ports: IssuerPorts) {
    this.#ports = ports;
  }

  /** Returns the claims of a token of an issuer. Refuses one that it has not signed, and one that is not valid now. */
  async verified(token: string, issuer: string): Promise<JWTPayload> {
    const { jwtVerify } = await import('jose');
    const keys = await this.#keysOf(issuer);
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer, algorithms: ALGORITHMS, clockTolerance: TOLERANCE, requiredClaims: ['exp', 'sub'] },
        currentDate: this.#ports.now(),
      });
      return payload;
    } catch (thrown) {
      throw await refusalOf(thrown, issuer);
    }
  }

  #keysOf(issuer: string): Promise<JWTVerifyGetKey> {
    const now = this.#ports.monotonic();
    const known = this.#keys.get(issuer);
    if (known !== undefined && known.until > now) return known.keys;
    const keys = this.#found(issuer);
    this.#keys.set(issuer, { until: now + KEPT_MS, keys });
    // An issuer that does not answer is asked again by the next call.
    keys.catch(() => this.#keys.delete(issuer));
    return keys;
  }

  async #found(issuer: string): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet } = await import('jose');
    const settings = await settingsOf(issuer);
    const keys = new URL(settings.jwks_uri);
    if (settings.issuer !== issuer) throw unusable(issuer, 'its settings name another issuer');
    if (keys.protocol !== 'https:' && keys.protocol !== new URL(issuer).protocol)
      throw unusable(issuer, 'its keys are not behind https');
    return createRemoteJWKSet(keys, {
      cooldownDuration: this.#ports.keyCooldownMs ?? COOLDOWN_MS,
      timeoutDuration: PATIENCE_MS,
    });
  }
}

/** Returns the claims of a token without checking anything. */
export async function unverifiedIssuer(token: string): Promise<string | undefined> {
  const { decodeJwt } = await import('jose');
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new Refusal(401, 'The token is not a JSON web token.');
  }
}

async function settingsOf(issuer: string): Promise<v.InferOutput<typeof Settings>> {
  let text: string;
  try {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    text = (await response.text()).slice(0, MOST_CHARACTERS);
  } catch (thrown) {
    throw unusable(issuer, messageOf(thrown));
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Settings), text);
  if (parsed.success) return parsed.output;
  throw unusable(issuer, 'its settings are not those of an issuer');
}

function unusable(issuer: string, cause: string): Refusal {
  return new Refusal(503, `The keys of issuer ${issuer} cannot be read: ${cause}.`);
}

/** Texts of refusals by the codes of failures. */
const REFUSED: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'The token has expired.',
  ERR_JOSE_ALG_NOT_ALLOWED: 'The token is signed with an algorithm that is not allowed.',
  ERR_JWKS_NO_MATCHING_KEY: 'The token is signed with a key that its issuer does not have.',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'The token does not say which key of its issuer has signed it.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature of the token is wrong.',
  ERR_JWS_INVALID: 'The token is not a signed JSON web token.',
  ERR_JWT_INVALID: 'The token is not a JSON web token.',
};

async function refusalOf(thrown: unknown, issuer: string): Promise<Error> {
  const { errors } = await import('jose');
  if (thrown instanceof errors.JWTClaimValidationFailed)
    return new Refusal(401, `The claim "${thrown.claim}" of the token is missing or wrong.`);
  const code = thrown instanceof errors.JOSEError ? thrown.code : '';
  const text = Object.hasOwn(REFUSED, code) ? REFUSED[code] : undefined;
  return text === undefined ? unusable(issuer, messageOf(thrown)) : new Refusal(401, text);
}
