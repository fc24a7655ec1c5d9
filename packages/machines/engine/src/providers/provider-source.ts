import type { ProviderReference, Urn } from '@cairn/addresses';
import type { Extension, ResourceEntry } from '@cairn/state';
import type { ReadyProvider } from './ready-provider.js';

/**
 * Provides the core of the engine with the providers that manage resources. Provider resources are ordinary entries.
 * For their types the source returns a Provider that checks, diffs, configures and closes provider instances [PROV-1].
 * So the core sees no difference.
 */
export interface ProviderSource {
  /**
   * Returns the provider of a resource with this type and provider reference. Instances known only from the base
   * snapshot are loaded and configured from their entry on first use. Throws a CairnError (CAIRN-PROVIDER-REFERENCE)
   * for an unknown reference.
   */
  forResource(resource: {
    readonly type: string;
    readonly provider: ProviderReference | undefined;
    readonly urn: Urn;
    readonly extensionRef?: string | undefined;
  }): Promise<ReadyProvider>;

  /**
   * Returns the provider under a reference, for calls of functions and methods, the same as for a resource of it. With
   * an extension, the provider knows it before the call returns [PKG-3]. Throws as above.
   */
  forReference(reference: ProviderReference, neededBy: Urn, extensionRef?: string): Promise<ReadyProvider>;

  /** Registers an extension of the program. From then on resources can name it by its reference. */
  learn(ref: string, extension: Extension): void;

  /**
   * Returns true if a resource that moves from one provider reference to another must be replaced. Asks the new
   * provider's DiffConfig with both providers' entries [PROV-1].
   */
  changeReplaces(from: ProviderReference, to: ProviderReference): Promise<boolean>;

  /**
   * Notifies the registry that state contains a provider's entry under this reference. Call it when a create, update or
   * same of a provider resource has ended, before its registration is answered. An entry with `aliases` also takes over
   * the references that name its old URN. After a `same` the instance is configured with the old inputs [PROV-1].
   */
  registered(entry: ResourceEntry): void;

  /** Returns true if this run or the base snapshot has a provider under this reference. */
  knows(reference: ProviderReference): boolean;

  /** Asks every instance to cancel its current work. */
  cancel(): Promise<void>;

  /** Closes every instance. Never throws. */
  close(): Promise<void>;
}
