import type { ProviderReference, Urn } from '@cairn/addresses';
import type { CustomTimeouts } from '@cairn/state';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import type { RollbackOption } from '@cairn/wire';
import type { Naming } from './naming.js';

/**
 * Goal that the program states for one resource, normalised: URN known, provider chosen, plain values, defaults
 * inherited.
 */
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
  /** Candidate URNs of the prior entry after its own, in order, each once [ADDR-6]. */
  readonly aliases: readonly Urn[];
  /**
   * Those of {@link Goal.aliases} that the program states itself, regardless of the alias under which its parent was
   * found.
   */
  readonly statedAliases: readonly Urn[];
  readonly importId: string;
  readonly customTimeouts: CustomTimeouts;
  readonly deletedWith: Urn | undefined;
  readonly replaceWith: readonly Urn[];
  readonly replacementTrigger: PropertyValue | undefined;
  readonly resourceHooks: Readonly<Record<string, readonly string[]>>;
  /** Uuid of the snippet that declares it. Undefined if the program does. */
  readonly snippetId?: string | undefined;
  readonly sourcePosition: string | undefined;
  readonly stackTrace: readonly { readonly sourcePosition: string | undefined }[];
  /** Naming of its objects. By default the provider decides. */
  readonly naming: Naming | undefined;
  /** Treatment in a rollback. By default the operation's setting. */
  readonly rollback: RollbackOption | undefined;
  /** Replaces the engine's idempotency token when its object is created. */
  readonly idempotencyKey: string | undefined;
  /** Approvals required before any step on it, those of its parents first. */
  readonly gates: readonly ResourceGate[];
  /** Extension that the provider must know before it receives calls [PKG-3]. */
  readonly extensionRef?: string | undefined;
  /** Inputs of a component that arrive with its outputs. None of them is among {@link Goal.inputs} [REG-19]. */
  readonly lateInputs: readonly string[];
}

/** Object that the program wants to look up. */
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
  /** Aliases implied by its parent's alias [ADDR-7]. A read names none itself. */
  readonly aliases?: readonly Urn[] | undefined;
  /** As for {@link Goal}. */
  readonly extensionRef?: string | undefined;
}

/** Returns true if the goal is a lookup rather than a resource to bring about. */
export function isReadGoal(goal: Goal | ReadGoal): goal is ReadGoal {
  return 'idUnknown' in goal;
}

const ROLLBACK_OPTIONS = { auto: true, hold: true, retain: true } as const satisfies Record<
  RollbackOption,
  true
>;

/** Returns true if the text is one of the three options. */
export function isRollbackOption(text: unknown): text is RollbackOption {
  return typeof text === 'string' && Object.hasOwn(ROLLBACK_OPTIONS, text);
}

/** Approval required before any step on a resource or its descendants. One for each URN and operation. */
export interface ResourceGate {
  /** Resource or component that asks for it. */
  readonly urn: Urn;
  /** Text shown to the approver. */
  readonly reason: string;
}
