import { BugError } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { HookRegistry } from '../execute/hooks/registry.js';
import type { ProviderSource } from '../providers/provider-source.js';
import type { CoreDoor, MeetNeighbours, Neighbours } from './neighbours.js';

/** The neighbours of one operation: before they are met there is nobody to ask, to cancel or to let go of. */
export class Neighbourhood {
  #met: Neighbours | undefined;
  #providersBefore: ProviderSource | undefined;

  /** `before`: the entries as they were before the operation, or before the changes that it takes back. */
  constructor(private readonly before: readonly ResourceEntry[]) {}

  /** Called once. */
  async meet(meet: MeetNeighbours, core: CoreDoor): Promise<void> {
    this.#met = await meet(core);
  }

  /** They have been met. */
  get met(): Neighbours {
    if (this.#met === undefined) throw new BugError('the providers are asked for before they were made');
    return this.#met;
  }

  /** Providers with the settings that they had before. */
  get providersBefore(): ProviderSource {
    this.#providersBefore ??= this.met.providersOf?.(this.before);
    return this.#providersBefore ?? this.met.providers;
  }

  /** Hooks that the program has registered; undefined when it cannot register any. */
  get hooks(): HookRegistry | undefined {
    return this.#met?.hooks;
  }

  /** Where providers publish what became of views; empty when nothing is served. */
  get statusAddress(): string {
    return this.#met?.statusAddress?.() ?? '';
  }

  cancelProgram(): void {
    this.#met?.cancelProgram();
  }

  /** Asks the providers to end what they do. Never throws. */
  cancelProviders(): void {
    for (const source of new Set([this.#met?.providers, this.#providersBefore]))
      source?.cancel().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#met?.close();
  }
}
