import {
  UNKNOWN_ID,
  isProviderType,
  makeProviderReference,
  providerTypePackage,
  tokenPackage,
} from '@cairn/addresses';
import { STATE } from './state.js';
import type { AnyProvider, AnyResourceOptions } from './options.js';
import type { AnyResource } from './state.js';
import type { ResourceState } from './state.js';

/** Returns the package that a provider instance manages. */
function packageOf(provider: AnyResource): string {
  return providerTypePackage(provider[STATE].type) ?? '';
}

/** Returns the providers that the resource and its children use: the parent's, overridden by its own. */
export function inheritedProviders(
  parent: ResourceState,
  options: AnyResourceOptions,
): ReadonlyMap<string, AnyResource> {
  const own = ownProviders(options);
  return own.length === 0 ? parent.providers : new Map([...parent.providers, ...own]);
}

function ownProviders({
  provider,
  providers,
}: AnyResourceOptions): readonly (readonly [string, AnyResource])[] {
  const listed: readonly (readonly [string, AnyProvider])[] = isList(providers)
    ? providers.map((instance) => [packageOf(instance), instance] as const)
    : Object.entries(providers ?? {});
  return provider === undefined ? listed : [...listed, [packageOf(provider), provider]];
}

/** Returns the provider instance for a managed resource. Undefined leaves the choice to the engine. */
export function chosenProvider(
  type: string,
  options: AnyResourceOptions,
  providers: ReadonlyMap<string, AnyResource>,
): AnyResource | undefined {
  if (isProviderType(type)) return options.provider;
  return options.provider ?? providers.get(tokenPackage(type));
}

/** Returns the reason why `provider` cannot manage a resource of that type, or undefined if it can. */
export function providerMismatch(type: string, provider: AnyResource | undefined): string | undefined {
  if (provider === undefined || isProviderType(type)) return undefined;
  const [wanted, given] = [tokenPackage(type), packageOf(provider)];
  return wanted === given
    ? undefined
    : `it needs a provider of package "${wanted}", but provider "${provider[STATE].name}" is of package "${given}"`;
}

/** Returns the reference text of a provider instance. Its id is the unknown one until it is created. */
export async function providerReference(provider: AnyResource): Promise<string> {
  const { urn, id } = await provider[STATE].registered();
  return makeProviderReference(urn, id ?? UNKNOWN_ID);
}

/** Returns references by package. */
export async function providerReferences(
  providers: ReadonlyMap<string, AnyResource>,
): Promise<Record<string, string>> {
  const references: Record<string, string> = {};
  for (const [pkg, provider] of providers) references[pkg] = await providerReference(provider);
  return references;
}

function isList(value: AnyResourceOptions['providers']): value is readonly AnyProvider[] {
  return Array.isArray(value);
}
