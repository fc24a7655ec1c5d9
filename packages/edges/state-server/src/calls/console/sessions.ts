import type { ConsoleLinkAnswer } from '@cairn/http-api';
import { randomToken, tokenHash } from '../../crypto/tokens.js';
import { Refusal } from '../../domain/refusal.js';
import type { ServiceStore } from '../../store/service-store.js';
import type { TokenRecord } from '../../store/token-store.js';
import { seconds } from '../service-ports.js';

/** Life of a session and of a link, in seconds. */
const SESSION_SECONDS = 12 * 3600;
const LINK_SECONDS = 300;

/**
 * Prefixes under which the secrets of sessions and links are stored. Neither is a token of the API: what a browser
 * sends is looked up with its prefix, and an Authorization header never has a colon before its token.
 */
const SESSION = 'session:';
const LINK = 'link:';

interface SessionPorts {
  readonly store: ServiceStore;
  readonly now: () => Date;
}

/** Session that was opened. `secret` is the value of its cookie. */
interface OpenedSession {
  readonly secret: string;
  readonly record: TokenRecord;
  /** Seconds for which the browser keeps it. */
  readonly life: number;
}

/** Sessions of browsers. They are tokens with a life of 12 hours, and are listed and removed as tokens. */
export class ConsoleSessions {
  readonly #ports: SessionPorts;
  /** Links that this process is using, so that two requests at once cannot both use one. */
  readonly #inUse = new Set<string>();

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** Makes a link that opens one session, with the rights of a token. */
  async link(by: TokenRecord): Promise<ConsoleLinkAnswer> {
    if (by.parent !== undefined) throw new Refusal(403, 'A session of the console makes no links.');
    const secret = randomToken('open');
    const { expiresAt } = await this.#put(LINK + secret, by, 'link to the console', LINK_SECONDS);
    return { path: `/enter#${secret}`, expiresAt };
  }

  /** Opens a session with the secret of a link, which is valid once. */
  async enter(secret: string): Promise<OpenedSession> {
    const hash = tokenHash(LINK + secret);
    const { store, now } = this.#ports;
    if (this.#inUse.has(hash)) throw usedLink();
    this.#inUse.add(hash);
    try {
      const found = await store.findToken(hash);
      if (found === undefined || !(await store.removeToken(hash))) throw usedLink();
      const parent = found.parent === undefined ? undefined : await store.findToken(found.parent);
      if ((found.expiresAt ?? 0) <= seconds(now()) || parent === undefined) throw usedLink();
      return await this.#open(parent);
    } finally {
      this.#inUse.delete(hash);
    }
  }

  /** Opens a session of a user who has signed in: at the provider, or with the password of an id. */
  signedIn(login: string, password?: string): Promise<OpenedSession> {
    const record = { user: login, name: 'console', role: 'admin', by: login } as const;
    return this.#open({ ...record, hash: '', createdAt: 0, ...(password !== undefined && { password }) });
  }

  async leave({ hash }: TokenRecord): Promise<void> {
    await this.#ports.store.removeToken(hash);
  }

  async #open(by: TokenRecord): Promise<OpenedSession> {
    const secret = randomToken('session');
    const record = await this.#put(SESSION + secret, by, 'console', SESSION_SECONDS);
    return { secret, record, life: record.expiresAt - seconds(this.#ports.now()) };
  }

  async #put(text: string, by: TokenRecord, name: string, life: number) {
    const createdAt = seconds(this.#ports.now());
    const { hash: parent, expiresAt: end = Infinity, ...rights } = by;
    const record = {
      ...{ ...rights, name, hash: tokenHash(text), createdAt, by: by.user },
      ...{ expiresAt: Math.min(createdAt + life, end), ...(parent !== '' && { parent }) },
    };
    await this.#ports.store.putToken(record);
    return record;
  }
}

/** Returns the text under which a session is found, from the value of its cookie. */
export function sessionToken(secret: string): string {
  return SESSION + secret;
}

function usedLink(): Refusal {
  return new Refusal(
    404,
    'The link is not valid, or no longer: it opens the console once, within 5 minutes.',
  );
}
