import type { ResourceEntry } from '@cairn/state';
import type { ProviderExtras } from '@cairn/wire';
import { declaredFor, extrasOf } from './extras.js';
import type { ReadyProvider } from './ready-provider.js';

/**
 * Which objects hold data, as far as their providers have said so: what a rollback does not delete or make again unless
 * the resource says that it may [REC-7]. Providers are asked ahead, because undoing is decided at once.
 */
export class DataHolders {
  /** By the reference in entries; undefined: it promises nothing, or cannot be asked. */
  readonly #known = new Map<string, ProviderExtras | undefined>();

  constructor(private readonly providerOf: (entry: ResourceEntry) => Promise<ReadyProvider>) {}

  /** Asks the providers of the entries that were not asked before, each once. Never throws. */
  async learn(entries: Iterable<ResourceEntry>): Promise<void> {
    const unknown = new Map<string, ResourceEntry>();
    for (const entry of entries) {
      const { custom, provider } = entry;
      if (custom && provider !== undefined && !this.#known.has(provider)) unknown.set(provider, entry);
    }
    await Promise.all(
      [...unknown].map(async ([reference, entry]) => {
        const extras = await this.providerOf(entry)
          .then(extrasOf)
          .catch(() => undefined);
        this.#known.set(reference, extras);
      }),
    );
  }

  /** Whether the object of the entry holds data. */
  holds({ provider, type }: ResourceEntry): boolean {
    return provider !== undefined && declaredFor(type, this.#known.get(provider))?.holdsData === true;
  }
}
