import type { ProviderReference } from '@cairn/addresses';
import type { RegisterResourceRequest } from '@cairn/wire';
import type { PackageRequest } from '../../providers/package-request.js';
import type { Goal } from '../../model/goal.js';
import type { ResourceRecord } from '../resources.js';
import type { MonitorContext } from '../monitor-context.js';

/** A request on its way to a goal. Every pass receives the findings of the passes before it. */
export interface Draft {
  readonly request: RegisterResourceRequest;
  readonly goal: Goal;
  readonly parent: ResourceRecord | undefined;
  /** Plugin that serves it unless a provider is given; `undefined` for local components. */
  readonly package: PackageRequest | undefined;
  /**
   * Providers by package that children of a component get; for a remote component, also those that its constructor
   * gets.
   */
  readonly providers: Readonly<Record<string, ProviderReference>>;
}

/** Findings of a pass. */
export interface DraftChanges {
  /** The request with other inputs. */
  readonly request?: RegisterResourceRequest;
  readonly goal?: Partial<Goal>;
  readonly parent?: ResourceRecord | undefined;
  readonly package?: PackageRequest | undefined;
  readonly providers?: Readonly<Record<string, ProviderReference>>;
}

/**
 * One step of normalising. Refuses with a StatusError that names the option, or a CairnError that ends the operation.
 * Only a pass that has to read an asset or to register a default provider answers later.
 */
export type NormalisePass = (
  draft: Draft,
  context: MonitorContext,
) => DraftChanges | Promise<DraftChanges> | undefined;
