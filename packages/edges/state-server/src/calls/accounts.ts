import { ORGANIZATION } from '@cairn/backends';
import type { UserAnswer } from '@cairn/http-api';
import type { StackKeys } from '../crypto/stack-keys.js';
import { tokenHash } from '../crypto/tokens.js';
import { belongs } from '../domain/access.js';
import type { Access, AccessFacts } from '../domain/access.js';
import { Refusal } from '../domain/refusal.js';
import { tokenEnd } from '../domain/token-ends.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import type { ServiceStore } from '../store/service-store.js';
import type { TokenRecord } from '../store/token-store.js';
import { adoptTokenUsers, noteUser } from './membership.js';
import { seconds } from './service-ports.js';
import { makeSetupSecret, setupSecretEnd } from './setup-secret.js';
import { makeToken, rfc3339, tokenId } from './tokens.js';

/** Time in which the first administrator can be made, in milliseconds. */
const SETUP_MS = 30 * 60_000;
/** Time between two notes of the use of a token, in milliseconds. */
const USE_MS = 60_000;
/** Time between two looks at the ends of all tokens, and between two notices of one, in milliseconds. */
const LOOK_MS = 3_600_000;
const REPEAT_MS = 86_400_000;
/** Tokens whose last note is remembered. */
const MOST_NOTED = 10_000;

interface AccountPorts {
  readonly store: ServiceStore;
  readonly keys: StackKeys;
  readonly now: () => Date;
  readonly monotonic: () => number;
  readonly failed: (what: string, thrown: unknown) => void;
}

/** Users by their tokens, what they may do, and the making of the first administrator. */
export class Accounts {
  /** True once there are tokens, as far as this process has seen: then no secret is looked at. */
  #isSetUp = false;
  /** Times at which the last use of each token was recorded, by hash, on the monotonic clock. */
  readonly #noted = new Map<string, number>();
  #looked: number | undefined;
  readonly #ports: AccountPorts;

  constructor(ports: AccountPorts) {
    this.#ports = ports;
  }

  /** Returns the token that a caller sent, if it exists and has not expired. */
  async find(token: string): Promise<TokenRecord | undefined> {
    const found = await this.#ports.store.findToken(tokenHash(token));
    if (found === undefined || !(await this.#isLive(found))) return undefined;
    await this.#noteUse(found.hash);
    return found;
  }

  /** Returns true while a token that was found is neither removed nor at its end. */
  async isValid({ hash }: TokenRecord): Promise<boolean> {
    const found = await this.#ports.store.findToken(hash);
    return found !== undefined && this.#isLive(found);
  }

  /** A session ends with the token that opened it, and with the password by which its user signed in. */
  async #isLive({ user, expiresAt, parent, password }: TokenRecord): Promise<boolean> {
    const { store, now } = this.#ports;
    if (expiresAt !== undefined && expiresAt <= seconds(now())) return false;
    if (password !== undefined) {
      const current = await store.findAccess('passwords', SERVICE_WIDE, user);
      if (current?.key !== password) return false;
    }
    return parent === undefined || (await store.findToken(parent)) !== undefined;
  }

  /** Returns what a token may do in an organization, or undefined if that does not exist for it. */
  async access(token: TokenRecord, organization: string): Promise<Access | undefined> {
    const access = { facts: await this.#facts(token, organization), limits: token };
    return belongs(access) ? access : undefined;
  }

  /** Returns the organizations in which a token may work. */
  async organizations({ kind, user, organization }: TokenRecord): Promise<readonly string[]> {
    if (kind === 'team' || kind === 'organization') return organization === undefined ? [] : [organization];
    return this.#ports.store.organizationsOf(user);
  }

  /** Returns a user in the form of the protocol. */
  async user(token: TokenRecord): Promise<UserAnswer> {
    const { user, name, role, organization, team } = token;
    const organizations = await this.organizations(token);
    return {
      ...{ id: user, githubLogin: user, name: user, email: '', avatarUrl: '', identities: [] },
      organizations: organizations.map((login) => ({ githubLogin: login, name: login, avatarUrl: '' })),
      siteAdmin: role === 'admin',
      tokenInfo: {
        name,
        ...(organization !== undefined && { organization }),
        ...(team !== undefined && { team }),
      },
    };
  }

  /**
   * Removes tokens that ended some time ago, and gives notices of those that end soon [AGT-21]. Does so once in a
   * while, however often it is called.
   */
  async lookAtEnds(): Promise<void> {
    const { store, monotonic, now } = this.#ports;
    if (this.#looked !== undefined && monotonic() - this.#looked < LOOK_MS) return;
    this.#looked = monotonic();
    for (const token of await store.listTokens()) {
      const todo = tokenEnd(token, seconds(now()));
      if (todo === 'remove') await store.removeToken(token.hash);
      if (todo === 'notice') await this.#addNotices(token);
    }
  }

  /** Returns the secret with which the first administrator can be made, or undefined if there are tokens. */
  async openSetup(): Promise<string | undefined> {
    if (await this.#hasTokens()) {
      await adoptTokenUsers(this.#ports, ORGANIZATION);
      return undefined;
    }
    return makeSetupSecret(this.#ports.keys, this.#ports.now().getTime() + SETUP_MS);
  }

  /** Makes the first administrator. A secret of any process of the service works, while there are no tokens. */
  async setUp(secret: string, user: string): Promise<string> {
    const isValid = !this.#isSetUp && (await this.#mayBeSetUp(secret));
    if (this.#isSetUp || !isValid) throw new Refusal(404, 'The link is not valid, or no longer.');
    this.#isSetUp = true;
    try {
      // The token comes last: while there is none, the link can be used again.
      await noteUser(this.#ports, { id: user, siteAdmin: true });
      return await makeToken(this.#ports, { user, name: 'setup', role: 'admin', organization: ORGANIZATION });
    } catch (thrown) {
      this.#isSetUp = false;
      throw thrown;
    }
  }

  async #mayBeSetUp(secret: string): Promise<boolean> {
    if (await this.#hasTokens()) return false;
    const end = await setupSecretEnd(this.#ports.keys, secret);
    return end !== undefined && this.#ports.now().getTime() < end;
  }

  async #hasTokens(): Promise<boolean> {
    this.#isSetUp ||= await this.#ports.store.hasTokens();
    return this.#isSetUp;
  }

  async #facts(token: TokenRecord, organization: string): Promise<AccessFacts> {
    const { kind = 'personal', user, role, team = '' } = token;
    if (kind === 'personal') return this.#ports.store.accessFacts(organization, `user:${user}`);
    if (token.organization !== organization) return { member: undefined, grants: [], roles: [] };
    if (kind === 'organization') return { member: role, grants: [], roles: [] };
    return this.#ports.store.accessFacts(organization, `team:${team}`);
  }

  /** Gives notice of the end of a token to the organizations in which it works, at most once a day. */
  async #addNotices(token: TokenRecord): Promise<void> {
    const { store, now } = this.#ports;
    const { name, user, kind = 'personal', team, expiresAt = 0 } = token;
    const at = now();
    const notice = {
      ...{ type: 'token-expires', key: tokenId(token), 'last-repeated': at.toISOString() },
      'last-data': {
        ...{ name, kind, expires: rfc3339(expiresAt) },
        ...(kind === 'personal' && { user }),
        ...(team !== undefined && { team }),
      },
    };
    const before = new Date(at.getTime() - REPEAT_MS).toISOString();
    for (const organization of await this.organizations(token))
      await store.addNotice(organization, notice, before);
  }

  /** Notes the use of a token now and then. A failure is reported: it is none of the call. */
  async #noteUse(hash: string): Promise<void> {
    const now = this.#ports.monotonic();
    const before = this.#noted.get(hash);
    if (before !== undefined && now - before < USE_MS) return;
    if (this.#noted.size === MOST_NOTED) this.#noted.clear();
    this.#noted.set(hash, now);
    await this.#ports.store
      .noteTokenUse(hash, seconds(this.#ports.now()))
      .catch((thrown: unknown) => this.#ports.failed('note the use of a token', thrown));
  }
}
