import { Login } from '@cairn/http-api';
import * as v from 'valibot';
import type { PasswordDigests } from '../crypto/passwords.js';
import { tokenHash } from '../crypto/tokens.js';
import { ATTEMPT_PERIOD, attemptLimits, passwordFault } from '../domain/passwords.js';
import type { PasswordRecord } from '../domain/passwords.js';
import { Refusal } from '../domain/refusal.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import type { ServiceStore } from '../store/service-store.js';
import { ownerOfUser } from '../store/token-store.js';
import { seconds } from './service-ports.js';

/** Facilities for passwords. */
interface PasswordPorts {
  readonly store: ServiceStore;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly digests: PasswordDigests;
}

/** Attempt to prove who one is. */
interface PasswordAttempt {
  readonly user: string;
  readonly password: string;
  /** Address that it comes from. */
  readonly source: string;
}

/** Passwords of users. */
export class Passwords {
  readonly #ports: PasswordPorts;

  constructor(ports: PasswordPorts) {
    this.#ports = ports;
  }

  /** Returns true for a user who has a password. */
  async has(login: string): Promise<boolean> {
    return (await this.#find(login)) !== undefined;
  }

  /**
   * Returns the password of a user who has given it [SEC-10]. Refuses a wrong one and an unknown user after the same
   * work (401), and too many attempts before it (429). `known` learns of a user who has a password, also if the attempt
   * is refused.
   */
  async prove(
    { user, password, source }: PasswordAttempt,
    known: (login: string) => void,
  ): Promise<PasswordRecord> {
    const { store, digests } = this.#ports;
    const record = v.is(Login, user) ? await this.#find(user) : undefined;
    if (record !== undefined) known(record.id);
    const limits = attemptLimits(user, source).map(({ key, most }) => ({ key: tokenHash(key), most }));
    for (const { key, most } of limits) {
      const { count, seconds: wait } = await store.countAttempt(key, ATTEMPT_PERIOD);
      if (count > most) throw new Refusal(429, `There were too many attempts. Try again in ${wait} s.`, wait);
    }
    const isRight = await digests.matches(password, record?.digest);
    if (record === undefined || !isRight) throw new Refusal(401, 'The user or the password is wrong.');
    const [address, ...ofUser] = limits;
    if (address !== undefined) await store.forgiveAttempts(address.key, 1);
    for (const { key, most } of ofUser) await store.forgiveAttempts(key, most);
    if (digests.isOld(record.digest)) await this.#renew(record, password);
    return record;
  }

  /** Sets the password of a user. What an earlier one opened ends. Refuses unknown users and weak passwords. */
  async set(login: string, password: string): Promise<PasswordRecord> {
    const { store, now, newId, digests } = this.#ports;
    await this.#needUser(login);
    const fault = passwordFault(password, login);
    if (fault !== undefined) throw new Refusal(400, `The password ${fault}.`);
    const digest = await digests.make(password);
    const record = { id: login, key: newId(), digest, since: seconds(now()) };
    await store.changeAccess(SERVICE_WIDE, (access) => access.putAccess('passwords', record));
    await this.#removeTokens(login, record.key);
    return record;
  }

  /** Removes the password of a user, with what it opened. Refuses a user without one. */
  async remove(login: string): Promise<void> {
    if (!(await this.has(login))) throw new Refusal(404, `User '${login}' has no password.`);
    await this.#ports.store.changeAccess(SERVICE_WIDE, (access) => access.removeAccess('passwords', login));
    await this.#removeTokens(login, undefined);
  }

  #find(login: string): Promise<PasswordRecord | undefined> {
    return this.#ports.store.findAccess('passwords', SERVICE_WIDE, login);
  }

  async #needUser(login: string): Promise<void> {
    if ((await this.#ports.store.findAccess('users', SERVICE_WIDE, login)) === undefined)
      throw new Refusal(404, `There is no user '${login}'.`);
  }

  /** Stores a digest of today's cost, unless the password was changed meanwhile. */
  async #renew({ id, key }: PasswordRecord, password: string): Promise<void> {
    const { store, digests } = this.#ports;
    const digest = await digests.make(password);
    await store.changeAccess(SERVICE_WIDE, async (access) => {
      const current = await access.findAccess('passwords', SERVICE_WIDE, id);
      if (current?.key === key) await access.putAccess('passwords', { ...current, digest });
    });
  }

  /** Removes tokens that a former password opened. They are refused without that; lists show them no longer. */
  async #removeTokens(login: string, current: string | undefined): Promise<void> {
    const { store } = this.#ports;
    const page = { owner: ownerOfUser(login), after: undefined, most: MOST_TOKENS };
    for (const { token } of await store.findTokenPage(page))
      if (token.password !== undefined && token.password !== current) await store.removeToken(token.hash);
  }
}

/** Newest tokens of a user that are looked through. */
const MOST_TOKENS = 1000;
