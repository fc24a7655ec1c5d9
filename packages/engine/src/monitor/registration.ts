import type { ProviderReference, Urn } from '@cairn/addresses';
import type { CustomTimeouts } from '@cairn/state';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import type { Naming } from '../decide/naming.js';
import type { RollbackOption } from '../decide/rollback-option.js';
import type { Gate } from '../gates/gate.js';

/** What the program wants for one resource, normalised: URN known, provider chosen, plain values, defaults inherited. */
export interface Goal {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly parent: Urn | undefined;
  readonly inputs: PropertyMap;
  /** Undefined for components and for provider resources. */
  readonly provider: ProviderReference | undefined;
  readonly dependencies: readonly Urn[];
  readonly propertyDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly hideDiffs: readonly PropertyPath[];
  readonly additionalSecretOutputs: readonly string[];
  /** Candidate URNs of the prior entry after its own, in order, each once (A4). */
  readonly aliases: readonly Urn[];
  /** {@link Goal.aliases} as far as the program states them itself, whatever its parent was found under. */
  readonly statedAliases: readonly Urn[];
  readonly importId: string;
  readonly customTimeouts: CustomTimeouts;
  readonly deletedWith: Urn | undefined;
  readonly replaceWith: readonly Urn[];
  readonly replacementTrigger: PropertyValue | undefined;
  readonly resourceHooks: Readonly<Record<string, readonly string[]>>;
  /** Uuid of the snippet that declares it. Absent: the program does. */
  readonly snippetId?: string | undefined;
  readonly sourcePosition: string | undefined;
  readonly stackTrace: readonly { readonly sourcePosition: string | undefined }[];
  /** How its objects are to be named; undefined: as the provider likes. */
  readonly naming: Naming | undefined;
  /** What a rollback does about it; undefined: what the operation says. */
  readonly rollback: RollbackOption | undefined;
  /** Takes the place of the engine's idempotency token when its object is created. */
  readonly idempotencyKey: string | undefined;
  /** Approvals that are needed before anything is done about it, those of its parents first. */
  readonly gates: readonly Gate[];
  /** Extension that the provider must know before it is asked (A12.7). */
  readonly extensionRef?: string | undefined;
}

/** What the program wants to look up. */
export interface ReadGoal {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  readonly parent: Urn | undefined;
  readonly id: string;
  /** True when the id is not known yet (preview). */
  readonly idUnknown: boolean;
  readonly properties: PropertyMap;
  readonly provider: ProviderReference | undefined;
  readonly dependencies: readonly Urn[];
  readonly additionalSecretOutputs: readonly string[];
  readonly sourcePosition: string | undefined;
  readonly stackTrace: readonly { readonly sourcePosition: string | undefined }[];
  /** A read names no aliases itself; this is what its parent's alias implies (A4). */
  readonly aliases?: readonly Urn[] | undefined;
  /** As for {@link Goal}. */
  readonly extensionRef?: string | undefined;
}

/** One resource announced by the program (or by the engine for it), with the way to answer. */
export type Registration =
  | { readonly t: 'register'; readonly goal: Goal; readonly reply: Reply<RegisterResult> }
  | { readonly t: 'read'; readonly goal: ReadGoal; readonly reply: Reply<ReadResult> }
  | { readonly t: 'outputs'; readonly urn: Urn; readonly outputs: PropertyMap; readonly reply: Reply<void> };

/** Answers exactly once. `refuse` takes an error with diagnostics; the engine has already reported them. */
export interface Reply<T> {
  resolve(value: T): void;
  refuse(error: Error): void;
}

export interface RegisterResult {
  readonly urn: Urn;
  /** Empty for components and for objects that preview has not created. */
  readonly id: string;
  readonly outputs: PropertyMap;
  readonly result: 'success' | 'fail' | 'skip';
  /** The create was skipped: outputs are to be taken as unknown. */
  readonly unknown: boolean;
  /** The run does nothing about it, whatever is stored of it: who depends on it is not asked either (A20). Absent: no. */
  readonly leftOut?: boolean | undefined;
  /** URN under which the prior entry was found, when that was an alias: children look for theirs under it (A4). */
  readonly oldUrn?: Urn | undefined;
}

export interface ReadResult {
  readonly urn: Urn;
  readonly id: string;
  readonly outputs: PropertyMap;
  /** As for {@link RegisterResult}. */
  readonly oldUrn?: Urn | undefined;
}

/** The way into the engine's one inbox. */
export type PostRegistration = (registration: Registration) => void;
