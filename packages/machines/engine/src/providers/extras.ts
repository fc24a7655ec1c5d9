import type { ProviderExtras, TypeExtras } from '@cairn/wire';
import type { ReadyProvider } from './ready-provider.js';

/** Returns the provider's promises beyond the common protocol. */
export async function extrasOf(provider: ReadyProvider): Promise<ProviderExtras | undefined> {
  return provider.extras?.();
}

/** {@link extrasOf} for one type. */
export async function typeExtrasOf(provider: ReadyProvider, type: string): Promise<TypeExtras | undefined> {
  return declaredFor(type, await extrasOf(provider));
}

/** Returns the provider's declaration for a type: that of the type itself, otherwise the one for every type. */
export function declaredFor(type: string, declared: ProviderExtras | undefined): TypeExtras | undefined {
  const types = declared?.types ?? {};
  if (Object.hasOwn(types, type)) return types[type];
  return Object.hasOwn(types, '*') ? types['*'] : undefined;
}
