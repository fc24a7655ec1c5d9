import { RenewedBody } from '@cairn/http-api';
import { leaseLost } from '../model/lease-lost.js';
import type { StackId } from '../stack-id.js';
import type { ServiceContext } from './service-context.js';
import { ServiceRefusal } from './service-refusal.js';

/** Update that has started. `names` are those in the paths of its routes; `until` is in seconds since 1970. */
interface StartedUpdate {
  readonly id: StackId;
  readonly names: Readonly<Record<string, string>>;
  readonly token: string;
  readonly until: number | undefined;
}

/** Longest lease, in seconds. A service that does not say how long one lasts gives this. */
const LONGEST_S = 300;

/** Pause before another attempt after a renewal that failed for a reason that may pass, in milliseconds. */
const AGAIN_MS = 10_000;

/** Lease of a running update: its token, renewed at half of its time. Once lost, it stays lost. */
export class UpdateLease {
  #token: string;
  #lost: Error | undefined;
  #callOff: (() => void) | undefined;
  #ended = false;
  readonly #context: ServiceContext;
  readonly #update: StartedUpdate;

  constructor(context: ServiceContext, update: StartedUpdate) {
    this.#context = context;
    this.#update = update;
    this.#token = update.token;
    this.#schedule(this.#halfOf(update.until));
  }

  /** Error of the loss, if the lease was lost. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Makes a call of the holder. A refusal that says that the update is no longer ours loses the lease. */
  async call(route: HolderRoute, body: object | string): Promise<string> {
    if (this.#lost !== undefined) throw this.#lost;
    const { names } = this.#update;
    try {
      return await this.#context.http.text(route, { names, body, updateToken: this.#token });
    } catch (thrown) {
      throw this.#explained(thrown);
    }
  }

  /** Renews no more. */
  end(): void {
    this.#ended = true;
    this.#callOff?.();
  }

  #schedule(ms: number): void {
    if (this.#ended || this.#lost !== undefined) return;
    this.#callOff = this.#context.timer.inBackground(ms, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { names } = this.#update;
    const body = { token: '', duration: LONGEST_S };
    try {
      const call = { names, body, updateToken: this.#token };
      const { token, tokenExpiration } = await this.#context.http.json('renewLease', RenewedBody, call);
      this.#token = token;
      this.#schedule(this.#halfOf(tokenExpiration ?? undefined));
    } catch (thrown) {
      this.#explained(thrown);
      this.#schedule(AGAIN_MS);
    }
  }

  #explained(thrown: unknown): unknown {
    const gone = thrown instanceof ServiceRefusal && (thrown.status === 403 || thrown.status === 409);
    if (!gone) return thrown;
    this.#lost ??= leaseLost(
      this.#update.id,
      {
        causes: [thrown.text],
        hint:
          'Everything recorded is kept in the state of the service, and steps that were under way are its pending operations. ' +
          'Find out who works on the stack, then run `cairn resume` to continue, or `cairn refresh`.',
      },
      thrown,
    );
    return this.#lost;
  }

  /** Returns the milliseconds to half of the time that is left. */
  #halfOf(until: number | undefined): number {
    const left = until === undefined ? LONGEST_S : until - this.#context.now().getTime() / 1000;
    return (Math.min(LONGEST_S, Math.max(2, left)) * 1000) / 2;
  }
}

/** Routes that the holder of an update calls with its token. */
type HolderRoute = 'checkpoint' | 'journalEntries' | 'addEvents' | 'completeUpdate';
