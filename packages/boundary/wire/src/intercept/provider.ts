import { PROVIDER_CALLS, PROVIDER_CALL_NAMES } from '../contracts/provider-calls.js';
import type { LifeMember, ProviderCallName, RequestOf, ResponseOf } from '../contracts/provider-calls.js';
import type { Provider } from '../contracts/provider.js';
import { interceptCalls, overrideCalls } from './calls.js';
import type { Interceptor, Overrides } from './calls.js';

/** Handles any call of a provider. `next` calls the provider itself. */
export type ProviderInterceptor = Interceptor<Provider, ProviderCallName>;

/** Handles some calls of a provider. */
export type ProviderOverrides = Overrides<Provider, ProviderCallName>;

/** Members of a provider for its life cycle. */
type ProviderLife = { readonly [M in LifeMember]?: Provider[M] };

/**
 * Returns a provider whose calls pass through an interceptor. It has the methods that the provider has, each created
 * once. `life` replaces members that are not calls.
 */
export function intercept(
  provider: Provider,
  interceptor: ProviderInterceptor,
  life: ProviderLife = {},
): Provider {
  return { ...interceptCalls(provider, PROVIDER_CALL_NAMES, interceptor), ...livesAs(provider, life) };
}

/** {@link intercept} for some calls. All others reach the provider. */
export function override(provider: Provider, overrides: ProviderOverrides): Provider {
  return { ...overrideCalls(provider, PROVIDER_CALL_NAMES, overrides), ...livesAs(provider, {}) };
}

function livesAs(provider: Provider, life: ProviderLife): Pick<Provider, LifeMember> {
  const made: Partial<Record<LifeMember, unknown>> = {};
  for (const member of LIFE_MEMBERS) {
    const method = provider[member];
    if (method !== undefined) made[member] = life[member] ?? method.bind(provider);
  }
  return made as Pick<Provider, LifeMember>;
}

const LIFE_MEMBERS = Object.keys({
  endPass: true,
  ended: true,
  cancel: true,
  close: true,
} satisfies Record<LifeMember, true>) as readonly LifeMember[];

/** Answers any call, without a provider behind it. */
type ProviderAnswer = <C extends ProviderCallName>(call: C, request: RequestOf<C>) => Promise<ResponseOf<C>>;

/** Returns a provider with the methods that every provider has, all answered by one function. */
export function answerAll(answer: ProviderAnswer): Provider {
  const made: Record<string, unknown> = { cancel: async () => {}, close: async () => {} };
  for (const call of PROVIDER_CALL_NAMES) {
    if (PROVIDER_CALLS[call].optional === true) continue;
    made[call] = (request: never) => answer(call, request);
  }
  return made as unknown as Provider;
}
