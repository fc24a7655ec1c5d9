import { PROVIDER_CALLS, intercept, isProviderError } from '@cairn/wire';
import type { Provider, ProviderCallName, ProviderInterceptor } from '@cairn/wire';
import type { StartedProvider } from '../plugin-host.js';
import { answerBefore, isSettingsCall, whyNotReusable } from './service-record.js';
import type { ServiceRecord, Settled, SettingsCall, SettingsRequest, Unfit } from './service-record.js';

/** Provider, and the record of its service so far. */
export interface ServedProvider {
  readonly provider: StartedProvider;
  readonly record: ServiceRecord;
}

/** Callbacks for the provider of one pass. */
export interface PassUse {
  /** Starts another one of the same plugin. */
  readonly startAnew: () => Promise<StartedProvider>;
  /** Called when another one has replaced it. */
  readonly onReplaced: (provider: Provider) => void;
  /** Called when the pass needs it no more. `unfit` is the reason why no further pass may have it. */
  readonly onLeft: (served: ServedProvider, unfit: Unfit | undefined) => Promise<void>;
}

/** Wraps a provider that was started for this pass. */
export function freshProvider(provider: StartedProvider, use: PassUse): Provider {
  return new PassLease({ provider, record: new Ledger() }, false, use).handle(provider);
}

/**
 * Wraps a provider of an earlier pass for the next one. Requests for settings that it has answered get the same
 * answers. It serves once it has received exactly the settings that it has. Any other request before that gets a newly
 * started provider.
 */
export function reusedProvider(served: ServedProvider, use: PassUse): Provider {
  return new PassLease(served, true, use).handle(served.provider);
}

/** Record that grows while a provider serves. */
class Ledger implements ServiceRecord {
  readonly settled: Settled[] = [];
  spent: ServiceRecord['spent'];
  underWay = 0;
}

/** Returns the effect of a call that outlasts its pass in the provider. */
function spentBy(call: ProviderCallName): ServiceRecord['spent'] {
  const { effect } = PROVIDER_CALLS[call];
  if (effect === 'package') return 'extended';
  return effect === 'component' ? effect : undefined;
}

type AnyCall = (request: unknown) => Promise<unknown>;

class PassLease {
  /** Requests of this pass that recorded answers have answered. */
  readonly #repeated: (readonly [SettingsCall, SettingsRequest<SettingsCall>])[] = [];
  #anew: Promise<void> | undefined;
  #left: Promise<void> | undefined;
  #served: ServedProvider;
  #undecided: boolean;
  readonly #use: PassUse;

  constructor(served: ServedProvider, undecided: boolean, use: PassUse) {
    this.#served = served;
    this.#undecided = undecided;
    this.#use = use;
  }

  /** Returns a provider with the methods that the provider has. */
  handle(provider: Provider): Provider {
    const interceptor = (call: ProviderCallName, request: unknown): Promise<unknown> =>
      isSettingsCall(call)
        ? this.#settle(call, request as SettingsRequest<SettingsCall>)
        : this.#ask(call, request);
    return intercept(provider, interceptor as ProviderInterceptor, {
      endPass: async () => this.#served.provider.endPass?.(),
      ended: () => this.#served.provider.ended?.() === true,
      cancel: () => {
        this.#ledger.spent ??= 'cancelled';
        return this.#served.provider.cancel();
      },
      close: () => (this.#left ??= this.#leave()),
    });
  }

  get #ledger(): Ledger {
    return this.#served.record as Ledger;
  }

  async #settle(call: SettingsCall, request: SettingsRequest<SettingsCall>): Promise<unknown> {
    if (this.#undecided) {
      const answer = answerBefore(this.#ledger.settled, call, request);
      if (answer !== undefined) {
        this.#repeated.push([call, request]);
        if (call === 'configure') this.#undecided = false;
        return answer;
      }
    }
    return this.#settleNow(call, request);
  }

  async #settleNow(call: SettingsCall, request: SettingsRequest<SettingsCall>): Promise<unknown> {
    const answer = await this.#ask(call, request);
    this.#ledger.settled.push({ call, request, answer: answer as Settled['answer'] });
    return answer;
  }

  async #ask(call: ProviderCallName, request: unknown): Promise<unknown> {
    if (this.#undecided) await (this.#anew ??= this.#startAnew());
    const { provider } = this.#served;
    const ledger = this.#ledger;
    ledger.spent ??= spentBy(call);
    ledger.underWay += 1;
    try {
      return await (provider[call] as AnyCall).call(provider, request);
    } catch (error) {
      if (!(isProviderError(error) && error.code === 'UNIMPLEMENTED')) ledger.spent ??= 'failed';
      throw error;
    } finally {
      ledger.underWay -= 1;
    }
  }

  /**
   * Starts a new provider. It first repeats the requests of this pass that recorded answers have answered, so that the
   * new one sees the calls in their order.
   */
  async #startAnew(): Promise<void> {
    const before = this.#served;
    const provider = await this.#use.startAnew();
    this.#served = { provider, record: new Ledger() };
    this.#undecided = false;
    this.#use.onReplaced(before.provider);
    for (const [call, request] of this.#repeated.splice(0)) await this.#settleNow(call, request);
  }

  async #leave(): Promise<void> {
    await this.#anew?.catch(() => undefined);
    // A provider that received no settings in this pass is unchanged, but no pass needs it.
    const unfit = this.#undecided ? 'not-configured' : whyNotReusable(this.#ledger);
    if (unfit === undefined) await this.#served.provider.endPass?.();
    await this.#use.onLeft(this.#served, unfit);
  }
}
