import {
  isDefaultProviderName,
  parseProviderReference,
  providerTypePackage,
  urnName,
  urnType,
} from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import type { PackageRequest } from '../providers/package-request.js';
import { referenceOf } from './refusal.js';
import type { ResourceRecord } from './resources.js';
import type { MonitorContext } from './monitor-context.js';

/** Facts about the provider of a resource, a read or a call. */
interface ProviderWish {
  /** Provider reference; empty if not given. */
  readonly provider: string;
  readonly providers: Readonly<Record<string, ProviderReference>>;
  readonly parent: ResourceRecord | undefined;
  readonly package: PackageRequest;
  /** Package in the type or token; the name in maps of providers. */
  readonly key: string;
  readonly neededBy: string;
  /** Position in the program that declares it, if known. */
  readonly askedAt?: string | undefined;
}

/**
 * Chooses the provider of a resource or call. The first match counts: the one it names, the parent's own one for the
 * package, its own map, a component parent's map, the default provider [PROV-5].
 */
export function chooseProvider(
  wish: ProviderWish,
  { defaults }: Pick<MonitorContext, 'defaults'>,
): ProviderReference | Promise<ProviderReference> {
  if (wish.provider !== '') return referenceOf(wish.provider, 'provider');
  return givenProvider(wish) ?? defaults.reference(wish.package, wish.neededBy, wish.askedAt);
}

/**
 * Returns the provider that a transform receives, as text: the one it would get without a default one. Empty if it
 * would get a default provider [XFORM-4].
 */
export function assignedProvider(wish: Omit<ProviderWish, 'package' | 'neededBy' | 'askedAt'>): string {
  if (wish.provider !== '') return wish.provider;
  const given = givenProvider(wish);
  if (given === undefined) return '';
  return isDefaultProviderName(urnName(parseProviderReference(given).urn)) ? '' : given;
}

function givenProvider({
  parent,
  providers,
  key,
}: Omit<ProviderWish, 'package' | 'neededBy' | 'askedAt'>): ProviderReference | undefined {
  if (parent?.provider !== undefined && referencePackage(parent.provider) === key) return parent.provider;
  return providers[key] ?? (parent === undefined || parent.custom ? undefined : parent.providers[key]);
}

/** Returns the package that a provider serves. */
export function referencePackage(reference: ProviderReference): string | undefined {
  return providerTypePackage(urnType(parseProviderReference(reference).urn));
}
