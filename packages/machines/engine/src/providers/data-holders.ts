import type { ResourceEntry } from '@cairn/state';
import type { ProviderExtras } from '@cairn/wire';
import { declaredFor, extrasOf } from './extras.js';
import type { ReadyProvider } from './ready-provider.js';

/**
 * Knows which objects hold data, according to their providers. A rollback does not delete or recreate these unless the
 * resource permits it [REC-7]. Providers are asked ahead, because undo decisions are synchronous.
 */
export class DataHolders {
  /** Declarations by the reference in entries. Undefined if the provider promises nothing or cannot be asked. */
  readonly #known = new Map<string, ProviderExtras | undefined>();
  readonly #providerOf: (entry: ResourceEntry) => Promise<ReadyProvider>;

  constructor(providerOf: (entry: ResourceEntry) => Promise<ReadyProvider>) {
    this.#providerOf = providerOf;
  }

  /** Asks the providers of the entries that were not asked earlier, each once. Never throws. */
  async learn(entries: Iterable<ResourceEntry>): Promise<void> {
    const unknown = new Map<string, ResourceEntry>();
    for (const entry of entries) {
      const { custom, provider } = entry;
      if (custom && provider !== undefined && !this.#known.has(provider)) unknown.set(provider, entry);
    }
    await Promise.all(
      [...unknown].map(async ([reference, entry]) => {
        const extras = await this.#providerOf(entry)
          .then(extrasOf)
          .catch(() => undefined);
        this.#known.set(reference, extras);
      }),
    );
  }

  /** Returns true if the object of the entry holds data. */
  holds({ provider, type }: ResourceEntry): boolean {
    return provider !== undefined && declaredFor(type, this.#known.get(provider))?.holdsData === true;
  }
}
