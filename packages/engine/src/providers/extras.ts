import type { Provider, ProviderExtras, TypeExtras } from '@cairn/wire';

const asked = new WeakMap<Provider, Promise<ProviderExtras | undefined>>();

/**
 * What a provider promises beyond the common protocol; asked once per instance. A provider that cannot say promises nothing:
 * whatever is wrong with it shows at the next call that matters.
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
  const types = (await extrasOf(provider))?.types;
  if (types === undefined) return undefined;
  return Object.hasOwn(types, type) ? types[type] : types['*'];
}

const NOTHING = Promise.resolve(undefined);
