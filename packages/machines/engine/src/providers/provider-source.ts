import type { ProviderReference, Urn } from '@cairn/addresses';
import type { Extension, ResourceEntry } from '@cairn/state';
import type { ReadyProvider } from './ready-provider.js';

/**
 * Where the core of the engine gets the provider that manages a resource. Provider resources are ordinary entries: for
 * their types the answer is a Provider that checks, diffs, configures and closes provider instances
 * [PROV-1], so that the core knows no difference.
 */
export interface ProviderSource {
  /**
   * Provider of a resource with this type and provider reference. Instances known only from the base snapshot are
   * loaded and configured from their entry on first use. Throws a CairnError (CAIRN-PROVIDER-REFERENCE) for a reference
   * nobody knows.
   */
  forResource(resource: {
    readonly type: string;
    readonly provider: ProviderReference | undefined;
    readonly urn: Urn;
    readonly extensionRef?: string | undefined;
  }): Promise<ReadyProvider>;

  /**
   * The provider under a reference, as for a resource of it: functions and methods are asked of it. With an extension
   * it knows that one before the answer comes [PKG-3]. Throws as above.
   */
  forReference(reference: ProviderReference, neededBy: Urn, extensionRef?: string): Promise<ReadyProvider>;

  /** Takes in an extension that the program has registered; resources name it by its reference from now on. */
  learn(ref: string, extension: Extension): void;

  /**
   * Whether a resource that moves from one provider reference to another must be replaced: asks the new provider's
   * DiffConfig with both providers' entries [PROV-1].
   */
  changeReplaces(from: ProviderReference, to: ProviderReference): Promise<boolean>;

  /**
   * Tells the registry that a provider's entry is now in state under this reference. Call it when a create, update or
   * same of a provider resource has ended, before its registration is answered; an entry with `aliases` also takes over
   * the references that name its old URN. After a `same` the instance is configured with the old inputs [PROV-1].
   */
  registered(entry: ResourceEntry): void;

  /** Whether there is a provider under this reference, in this run or in the base snapshot. */
  knows(reference: ProviderReference): boolean;

  /** Asks every instance to give up what it is doing. */
  cancel(): Promise<void>;

  /** Closes every instance. Never throws. */
  close(): Promise<void>;
}
