import { hkdfSync } from 'node:crypto';
import { messageOf } from '@cairn/diagnostics';
import { Login } from '@cairn/http-api';
import type { Configuration, IDToken } from 'openid-client';
import * as v from 'valibot';
import { seal, unseal } from '../crypto/sealed-box.js';
import { Refusal } from '../domain/refusal.js';
import { matchesClaims } from '../domain/trust.js';
import type { SignInSettings } from './sign-in-settings.js';
import type { SignedInUser } from './signed-in-user.js';

/** Time in which a sign-in has to end, in seconds. */
const LIFE = 600;
/** Time limit of a request to the provider, in seconds. */
const PATIENCE = 10;

/** Client that waits on a port of the user's machine for the token. */
export interface WaitingClient {
  readonly port: number;
  /** Text that the client sent, and wants back. */
  readonly nonce: string;
  /** Name for the token. */
  readonly description: string;
}

/** Sign-in under way. It travels in a sealed cookie, so that any process can end it. */
const PendingSignIn = v.object({
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  /** In seconds since 1970. */
  until: v.number(),
  client: v.optional(v.object({ port: v.number(), nonce: v.string(), description: v.string() })),
  /** True for a sign-in to the console. */
  console: v.optional(v.boolean()),
});

interface BegunSignIn {
  /** Address at the provider. */
  readonly address: string;
  readonly cookie: string;
}

interface EndedSignIn {
  readonly user: SignedInUser;
  readonly client: WaitingClient | undefined;
  /** True for a sign-in to the console. */
  readonly isConsole: boolean;
}

/** Sign-in of people at a provider of OpenID Connect: authorization code with PKCE, state and nonce. */
export class SignIn {
  readonly settings: SignInSettings;
  readonly #key: Buffer;
  #provider: Promise<Configuration> | undefined;

  constructor(settings: SignInSettings) {
    this.settings = settings;
    this.#key = Buffer.from(hkdfSync('sha256', settings.clientSecret, '', 'cairn sign-in', 32));
  }

  /** Begins a sign-in of a client, or to the console. `now` is in seconds since 1970. */
  async begin(client: WaitingClient | 'console' | undefined, now: number): Promise<BegunSignIn> {
    const oidc = await import('openid-client');
    const verifier = oidc.randomPKCECodeVerifier();
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
    const { scopes: scope } = this.settings;
    const address = oidc.buildAuthorizationUrl(await this.#configuration(), {
      ...{ redirect_uri: this.#callback(), scope, state, nonce, code_challenge_method: 'S256' },
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    });
    const target = client === 'console' ? { console: true } : { client };
    const pending = { state, nonce, verifier, until: now + LIFE, ...target };
    const cookie = seal(this.#key, 'sign-in', Buffer.from(JSON.stringify(pending))).toString('base64url');
    return { address: address.href, cookie };
  }

  /** Ends a sign-in with the query of its callback. Refuses one that this browser did not begin. */
  async end(cookie: string | undefined, query: URLSearchParams, now: number): Promise<EndedSignIn> {
    const pending = this.#opened(cookie);
    if (pending === undefined || pending.until <= now)
      throw new Refusal(403, 'The sign-in was not begun by this browser, or it took too long.');
    const claims = await this.#claims(pending, query);
    const { require: required } = this.settings;
    if (!matchesClaims({ claims: required }, claims))
      throw new Refusal(403, 'The account may not sign in to this service.');
    return { user: this.#user(claims), client: pending.client, isConsole: pending.console === true };
  }

  async #claims(
    { state, nonce, verifier }: v.InferOutput<typeof PendingSignIn>,
    query: URLSearchParams,
  ): Promise<IDToken> {
    const oidc = await import('openid-client');
    const configuration = await this.#configuration();
    try {
      const tokens = await oidc.authorizationCodeGrant(
        configuration,
        new URL(`${this.#callback()}?${query.toString()}`),
        { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
      );
      return tokens.claims() as IDToken;
    } catch (thrown) {
      throw new Refusal(403, `The provider did not confirm the sign-in: ${messageOf(thrown)}.`);
    }
  }

  #user(claims: IDToken): SignedInUser {
    const { claims: names, issuer } = this.settings;
    // Of an address of mail, the name is the part before the domain.
    const [login] = String(claims[names.login] ?? '').split('@');
    if (!v.is(Login, login))
      throw new Refusal(403, `The claim ${names.login} of the account is no name of a user.`);
    const teams = names.teams === undefined ? undefined : claims[names.teams];
    return {
      ...{ login, subject: { issuer, id: claims.sub } },
      teams:
        names.teams === undefined ? undefined : [teams].flat().filter((each) => typeof each === 'string'),
    };
  }

  /** A provider that does not answer is asked again by the next call. */
  #configuration(): Promise<Configuration> {
    const found = (this.#provider ??= this.#discovered());
    found.catch(() => (this.#provider = undefined));
    return found;
  }

  async #discovered(): Promise<Configuration> {
    const oidc = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.settings;
    const isLocal = issuer.startsWith('http:');
    try {
      return await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: PATIENCE,
        ...(isLocal && { execute: [oidc.allowInsecureRequests] }),
      });
    } catch (thrown) {
      throw new Refusal(503, `The provider ${issuer} cannot be reached: ${messageOf(thrown)}.`);
    }
  }

  #opened(cookie: string | undefined): v.InferOutput<typeof PendingSignIn> | undefined {
    const opened = unseal(this.#key, 'sign-in', Buffer.from(cookie ?? '', 'base64url'));
    if (opened === undefined) return undefined;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), PendingSignIn), opened.toString('utf8'));
    return parsed.success ? parsed.output : undefined;
  }

  #callback(): string {
    return `${this.settings.url}/login/callback`;
  }
}
