import { ORGANIZATION } from '@cairn/backends';
import type { UserAnswer } from '@cairn/http-api';
import { randomToken, sameHash, tokenHash } from '../crypto/tokens.js';
import { Refusal } from '../domain/refusal.js';
import type { ServiceStore, TokenRecord } from '../store/service-store.js';
import { seconds } from './service-ports.js';
import { makeToken } from './tokens.js';

/** Time in which the first administrator can be made, in milliseconds. */
const SETUP_MS = 30 * 60_000;

interface AccountPorts {
  readonly store: ServiceStore;
  readonly now: () => Date;
  readonly monotonic: () => number;
}

/** Users by their tokens, and the making of the first administrator. */
export class Accounts {
  #setup: { readonly hash: string; readonly until: number } | undefined;
  readonly #ports: AccountPorts;

  constructor(ports: AccountPorts) {
    this.#ports = ports;
  }

  /** Returns the token that a caller sent, if it exists and has not expired. */
  async find(token: string): Promise<TokenRecord | undefined> {
    const found = await this.#ports.store.findToken(tokenHash(token));
    const expired = found?.expiresAt !== undefined && found.expiresAt <= seconds(this.#ports.now());
    return expired ? undefined : found;
  }

  /** Returns the secret with which the first administrator can be made, or undefined if there are tokens. */
  async openSetup(): Promise<string | undefined> {
    if ((await this.#ports.store.listTokens()).length > 0) return undefined;
    const secret = randomToken('setup');
    this.#setup = { hash: tokenHash(secret), until: this.#ports.monotonic() + SETUP_MS };
    return secret;
  }

  /** Makes the first administrator. The secret works once. */
  async setUp(secret: string, user: string): Promise<string> {
    const setup = this.#setup;
    if (
      setup === undefined ||
      !sameHash(setup.hash, tokenHash(secret)) ||
      this.#ports.monotonic() > setup.until
    )
      throw new Refusal(404, 'The link is not valid, or no longer.');
    this.#setup = undefined;
    try {
      return await makeToken(this.#ports, { user, name: 'setup', role: 'admin' });
    } catch (thrown) {
      this.#setup = setup;
      throw thrown;
    }
  }
}

/** Returns a user as the protocol shows one. */
export function userAnswer({ user, name, role }: TokenRecord): UserAnswer {
  return {
    id: user,
    githubLogin: user,
    name: user,
    email: '',
    avatarUrl: '',
    organizations: [{ githubLogin: ORGANIZATION, name: ORGANIZATION, avatarUrl: '' }],
    identities: [],
    siteAdmin: role === 'admin',
    tokenInfo: { name },
  };
}
