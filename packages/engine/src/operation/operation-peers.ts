import type { ResourceEntry } from '@cairn/state';
import type { ProviderSource } from '../providers/provider-source.js';
import type { Peers } from './peers.js';

/** The peers of one operation, with the providers as they were before it. */
export class OperationPeers {
  readonly providers: ProviderSource;
  #before: ProviderSource | undefined;

  /** `before`: the entries as they were before the operation, or before the changes that it rolls back. */
  constructor(
    readonly connected: Peers,
    private readonly before: readonly ResourceEntry[],
  ) {
    this.providers = connected.providers;
  }

  /** Providers with the settings that they had before, made when they are asked for first. */
  providersBefore(): ProviderSource {
    this.#before ??= this.connected.providersOf?.(this.before) ?? this.providers;
    return this.#before;
  }

  /** The provider that manages the object of an entry. Throws a CairnError. */
  providerOf: ProviderSource['forResource'] = (entry) => this.providers.forResource(entry);

  /** Asks the providers to end what they do. Never throws. */
  cancelProviders(): void {
    for (const source of new Set([this.providers, this.#before])) source?.cancel().catch(() => undefined);
  }
}
