import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { Goal } from './goal.js';
import type { PropertyDigest } from './property-digest.js';

/**
 * A registration and its entry, for which the provider has nothing to do: `news` are the inputs that check receives.
 */
export interface SettledSubject {
  readonly goal: Pick<
    Goal,
    'urn' | 'type' | 'naming' | 'propertyDependencies' | 'ignoreChanges' | 'extensionRef'
  >;
  readonly news: PropertyMap;
  readonly entry: Pick<ResourceEntry, 'id' | 'inputs' | 'outputs'>;
  /** Digest of the provider, see {@link providerDigest}. */
  readonly provider: string;
}

/**
 * Returns a keyed digest of everything that check and diff of a resource depend on: their arguments, and the provider's
 * version and configuration. Undefined if a value is not known. Equal digests under one key mean equal calls. Secrets
 * are part of it.
 */
export function settledDigest(
  { goal, news, entry, provider }: SettledSubject,
  digest: PropertyDigest,
): string | undefined {
  digest.begin();
  digest.string(provider);
  digest.string(goal.urn);
  digest.string(goal.type);
  digest.optional(goal.extensionRef);
  digest.optional(goal.naming && JSON.stringify(goal.naming));
  digest.strings(goal.ignoreChanges);
  digest.lists(goal.propertyDependencies);
  digest.string(entry.id);
  digest.firstMap(news);
  digest.mapLike(entry.inputs, entry.inputs === news);
  digest.mapLike(entry.outputs, entry.outputs === news);
  return digest.end();
}

/** Returns the digest of a provider's version and settings. Undefined if a setting is not known. */
export function providerDigest(
  version: string,
  settings: PropertyMap,
  digest: PropertyDigest,
): string | undefined {
  digest.begin();
  digest.string(version);
  digest.firstMap(settings);
  return digest.end();
}
