import { makeProviderReference, makeUrn, providerType, tokenPackage } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { emptySnapshot, resourceEntry } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import type { Properties } from '../program/program-of.js';

/** Builds snapshots of one stack, entry by entry. Each entry builds on the ones before it. */
export class SnapshotBuilder {
  readonly #entries: ResourceEntry[] = [];
  readonly #home: { readonly project: string; readonly stack: string };

  constructor(home: { readonly project: string; readonly stack: string }) {
    this.#home = home;
  }

  /** Adds a provider's entry, with the name `default` unless another one is given. */
  provider(
    pkg: string,
    options: { readonly name?: string; readonly id?: string; readonly inputs?: Properties } = {},
  ): ProviderReference {
    const { name = 'default', id = `${pkg}-${name}`, inputs = {} } = options;
    const type = providerType(pkg);
    const map = propertyMap(inputs);
    const entry = this.add(type, name, { id, inputs: map, outputs: map });
    return makeProviderReference(entry.urn, id);
  }

  /** Adds a custom resource with outputs like its inputs, managed by the latest provider of its package. */
  resource(
    type: string,
    name: string,
    inputs: Properties = {},
    options: Partial<ResourceEntry> = {},
  ): ResourceEntry {
    const map = propertyMap(inputs);
    return this.add(type, name, {
      id: `id-${name}`,
      inputs: map,
      outputs: map,
      provider: this.#providerOf(type),
      ...options,
    });
  }

  /** Adds a component. */
  component(type: string, name: string, options: Partial<ResourceEntry> = {}): ResourceEntry {
    return this.add(type, name, { custom: false, ...options });
  }

  /** Adds any entry. */
  add(type: string, name: string, options: Partial<ResourceEntry>): ResourceEntry {
    const urn: Urn = makeUrn({ ...this.#home, parent: options.parent, type, name });
    const entry = resourceEntry({ urn, type, custom: true, ...options });
    this.#entries.push(entry);
    return entry;
  }

  /** Returns the snapshot so far. */
  build(): Snapshot {
    return { ...emptySnapshot, resources: [...this.#entries] };
  }

  #providerOf(type: string): ProviderReference | undefined {
    const wanted = providerType(tokenPackage(type));
    const found = this.#entries.filter((entry) => entry.type === wanted).at(-1);
    return found && makeProviderReference(found.urn, found.id);
  }
}
