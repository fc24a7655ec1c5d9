import type { Provider, ProviderExtras, TypeExtras } from '@cairn/wire';

const asked = new WeakMap<Provider, Promise<ProviderExtras | undefined>>();

/**
 * What a provider promises beyond the common protocol; asked once per instance. A provider that cannot say promises
 * nothing: whatever is wrong with it shows at the next call that matters.
 */
export function extrasOf(provider: Provider): Promise<ProviderExtras | undefined> {
  const known = asked.get(provider);
  if (known !== undefined) return known;
  const answer = provider.extras?.().catch(() => undefined) ?? NOTHING;
  asked.set(provider, answer);
  return answer;
}

/** {@link extrasOf} for one type. */
export async function typeExtrasOf(provider: Provider, type: string): Promise<TypeExtras | undefined> {
  return declaredFor(type, await extrasOf(provider));
}

/** What a provider declares for a type: for the type itself, else for every type. */
export function declaredFor(type: string, declared: ProviderExtras | undefined): TypeExtras | undefined {
  const types = declared?.types ?? {};
  if (Object.hasOwn(types, type)) return types[type];
  return Object.hasOwn(types, '*') ? types['*'] : undefined;
}

const NOTHING = Promise.resolve(undefined);
