import { makeProviderReference, makeUrn, tokenPackage } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { emptySnapshot, resourceEntry } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { resourceName, resourceType } from './fuzz-case.js';
import type { PriorEntry } from './fuzz-case.js';

/** Project and stack of random stacks. */
export const FUZZ_HOME = { project: 'test', stack: 'test' } as const;

/**
 * Returns the snapshot that random entries describe. Links that a snapshot may not have are omitted, so that every
 * description results in a snapshot that passes integrity [INT-1]. These are links to later entries, from living to
 * stale ones, from stale to living ones, and second living entries of a URN.
 */
export function priorSnapshot(wanted: readonly PriorEntry[]): Snapshot {
  const building = new Building();
  for (const each of wanted) building.add(each);
  return { ...emptySnapshot, resources: building.entries };
}

class Building {
  readonly entries: ResourceEntry[] = [];
  /** Entries by position of their description. Undefined for omitted ones. */
  readonly #byPosition: (ResourceEntry | undefined)[] = [];
  readonly #defaults = new Map<string, ProviderReference>();
  readonly #live = new Set<Urn>();

  add(wanted: PriorEntry): void {
    const isStale = wanted.stale === 'delete' && wanted.kind !== 'provider';
    const linked = (at: number | undefined) => this.#linked(at, isStale);
    const parent = linked(wanted.parent);
    const type = resourceType(wanted);
    const name = resourceName(wanted);
    const urn = makeUrn({ ...FUZZ_HOME, parent: parent?.urn, type, name });
    if (this.#live.has(urn) && !isStale) return void this.#byPosition.push(undefined);
    if (!isStale) this.#live.add(urn);
    const entry = this.#entry(wanted, urn, type, isStale, linked);
    this.#byPosition.push(entry);
    this.entries.push(entry);
  }

  #entry(
    wanted: PriorEntry,
    urn: Urn,
    type: string,
    isStale: boolean,
    linked: (at: number | undefined) => ResourceEntry | undefined,
  ): ResourceEntry {
    const custom = wanted.kind !== 'component';
    const id = custom ? `prior-${this.#byPosition.length}` : '';
    const dependencies = new Set(wanted.deps.map(linked).flatMap((found) => (found ? [found.urn] : [])));
    const propertyDependencies: Record<string, readonly Urn[]> = {};
    let inputs: PropertyMap = propertyMap({});
    if (wanted.kind === 'custom') {
      const from = linked(wanted.from);
      const bound = linked(wanted.bound);
      inputs = propertyMap({
        update: wanted.update,
        replace: wanted.replace,
        from: from?.id,
        bound: bound?.id,
      });
      for (const [key, found] of [
        ['from', from],
        ['bound', bound],
      ] as const) {
        if (found === undefined) continue;
        dependencies.add(found.urn);
        propertyDependencies[key] = [found.urn];
      }
    }
    const isPending = wanted.stale === 'pending-replacement' && wanted.kind === 'custom';
    const replaceWith = linked(wanted.replaceWith);
    return resourceEntry({
      urn,
      type,
      custom,
      id,
      inputs,
      outputs: inputs,
      parent: linked(wanted.parent)?.urn,
      provider: wanted.kind === 'custom' ? this.#provider(wanted, isStale) : undefined,
      delete: isStale,
      pendingReplacement: isPending,
      protect: wanted.protect,
      retainOnDelete: wanted.retain,
      taint: wanted.taint && wanted.kind === 'custom' && !isStale,
      initErrors: wanted.notReady && wanted.kind === 'custom' ? ['it is not ready'] : [],
      refreshBeforeUpdate: wanted.refreshFirst && wanted.kind === 'custom',
      dependencies: [...dependencies],
      propertyDependencies,
      deletedWith: linked(wanted.deletedWith)?.urn,
      replaceWith: replaceWith === undefined ? [] : [replaceWith.urn],
    });
  }

  #linked(at: number | undefined, isStale: boolean): ResourceEntry | undefined {
    const found = at === undefined ? undefined : this.#byPosition[at];
    return found !== undefined && found.delete === isStale && !found.pendingReplacement ? found : undefined;
  }

  /** Returns the explicit provider that it names, or the default one, which is added before it. */
  #provider(wanted: PriorEntry, isStale: boolean): ProviderReference {
    const named = this.#linked(wanted.provider, false);
    const type = resourceType(wanted);
    if (!isStale && named?.type === `pulumi:providers:${tokenPackage(type)}`) {
      return makeProviderReference(named.urn, named.id);
    }
    const known = this.#defaults.get(wanted.pkg);
    if (known !== undefined) return known;
    const providerType = resourceType({ kind: 'provider', pkg: wanted.pkg });
    const urn = makeUrn({ ...FUZZ_HOME, parent: undefined, type: providerType, name: 'default' });
    const id = `default-${wanted.pkg}`;
    this.entries.push(resourceEntry({ urn, type: providerType, custom: true, id }));
    const reference = makeProviderReference(urn, id);
    this.#defaults.set(wanted.pkg, reference);
    return reference;
  }
}
