import { BugError } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { HookRegistry } from '../execute/hooks/registry.js';
import type { ProviderSource } from '../providers/provider-source.js';
import type { PeerServices, ConnectPeers, Peers } from './peers.js';

/** The peers of one operation: before they are connected there is nobody to ask, to cancel or to let go of. */
export class OperationPeers {
  #connected: Peers | undefined;
  #providersBefore: ProviderSource | undefined;

  /** `before`: the entries as they were before the operation, or before the changes that it rolls back. */
  constructor(private readonly before: readonly ResourceEntry[]) {}

  /** Called once. */
  async connect(connect: ConnectPeers, core: PeerServices): Promise<void> {
    this.#connected = await connect(core);
  }

  /** They are connected. */
  get connected(): Peers {
    if (this.#connected === undefined)
      throw new BugError('the providers are asked for before they were made');
    return this.#connected;
  }

  /** Providers with the settings that they had before. */
  get providersBefore(): ProviderSource {
    this.#providersBefore ??= this.connected.providersOf?.(this.before);
    return this.#providersBefore ?? this.connected.providers;
  }

  /** Hooks that the program has registered; undefined when it cannot register any. */
  get hooks(): HookRegistry | undefined {
    return this.#connected?.hooks;
  }

  /** Where providers publish what became of views; empty when nothing is served. */
  get statusAddress(): string {
    return this.#connected?.statusAddress?.() ?? '';
  }

  cancelProgram(): void {
    this.#connected?.cancelProgram();
  }

  /** Asks the providers to end what they do. Never throws. */
  cancelProviders(): void {
    for (const source of new Set([this.#connected?.providers, this.#providersBefore]))
      source?.cancel().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#connected?.close();
  }
}
