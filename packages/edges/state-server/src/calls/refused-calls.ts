import type { AuditEvent } from '../domain/audit.js';
import type { AuditStore } from '../store/audit-store.js';
import type { TokenRecord } from '../store/token-store.js';
import { seconds } from './service-ports.js';
import { tokenId } from './tokens.js';

/** Call that was refused for want of a right. */
interface RefusedCall {
  /** Name of the route, as events have it. */
  readonly route: string;
  readonly organization: string;
  /** `PROJECT/STACK`, or empty. */
  readonly stack: string;
  readonly sourceIp: string;
  /** Token of the caller, or undefined for a stranger. */
  readonly token: TokenRecord | undefined;
  /** Login of a user in whose name a stranger called, as far as it is known. */
  readonly user: string | undefined;
}

/** Refused calls of one kind: one row. */
interface RefusedGroup {
  readonly first: RefusedCall;
  readonly count: number;
}

/** Facilities for recording refused calls. */
interface RefusedPorts {
  readonly store: AuditStore;
  readonly now: () => Date;
  readonly monotonic: () => number;
}

/** Time between two groups of rows, in milliseconds, and rows of callers in one group. */
const EVERY_MS = 60_000;
const MOST_ROWS = 20;
const STRANGERS = 'strangers';
const OTHERS = 'others';

/**
 * Counts refused calls, and records them now and then: one row for all strangers, and one for each caller and route up
 * to a number. Strangers who call in the name of a user have a row of that user. However many calls are refused, the
 * audit log grows by a few rows in a minute.
 */
export class RefusedCalls {
  #groups = new Map<string, RefusedGroup>();
  #recorded: number | undefined;
  readonly #ports: RefusedPorts;

  constructor(ports: RefusedPorts) {
    this.#ports = ports;
  }

  note(call: RefusedCall): void {
    const { token, route, organization, user } = call;
    const caller = token === undefined ? user : tokenId(token);
    const own = caller === undefined ? STRANGERS : [organization, caller, route].join(' ');
    const isFull = this.#groups.size >= MOST_ROWS && !this.#groups.has(own) && own !== STRANGERS;
    const key = isFull ? OTHERS : own;
    const { first = call, count = 0 } = this.#groups.get(key) ?? {};
    this.#groups.set(key, { first, count: count + 1 });
  }

  /** Records what was counted, unless that was done a short time ago. With `isEnd`, in any case. */
  async record({ isEnd }: { readonly isEnd: boolean }): Promise<void> {
    const now = this.#ports.monotonic();
    const isEarly = this.#recorded !== undefined && now - this.#recorded < EVERY_MS;
    if (this.#groups.size === 0 || (isEarly && !isEnd)) return;
    this.#recorded = now;
    for (const [key, group] of [...this.#groups]) {
      const event = this.#eventOf(key, group);
      this.#groups.delete(key);
      await this.#ports.store.audited({ event: () => event, first: true }, async () => undefined);
    }
  }

  #eventOf(key: string, { first, count }: RefusedGroup): AuditEvent {
    const { token, user, sourceIp, route, organization, stack } = first;
    const calls = count === 1 ? 'a call' : `${count} calls`;
    const common = { at: seconds(this.#ports.now()), event: 'refused-call', sourceIp };
    if (key !== OTHERS && token === undefined && user !== undefined)
      return {
        ...{ ...common, organization, stack, user, tokenId: '', tokenName: '' },
        description: `refused ${calls} in the name of the user: ${route}`,
      };
    if (key === STRANGERS || key === OTHERS || token === undefined)
      return {
        ...{ ...common, organization: '', user: '', tokenId: '', tokenName: '', stack: '' },
        description: `refused ${calls} of ${key === OTHERS ? 'more callers' : 'strangers'}: ${route} first`,
      };
    return {
      ...{ ...common, organization, stack, description: `refused ${calls}: ${route}` },
      ...{ user: token.user, tokenId: tokenId(token), tokenName: token.name },
    };
  }
}
