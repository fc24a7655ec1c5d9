import type { ProviderReference, Urn } from '@cairn/addresses';
import type { CustomTimeouts } from '@cairn/state';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import type { Naming } from './naming.js';

/**
 * What the program wants for one resource, normalised: URN known, provider chosen, plain values, defaults inherited.
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
  /** Extension that the provider must know before it is asked [PKG-3]. */
  readonly extensionRef?: string | undefined;
  /** Inputs of a component that come with its outputs; none of them is among {@link Goal.inputs} [REG-19]. */
  readonly lateInputs: readonly string[];
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
  /** A read names no aliases itself; this is what its parent's alias implies [ADDR-7]. */
  readonly aliases?: readonly Urn[] | undefined;
  /** As for {@link Goal}. */
  readonly extensionRef?: string | undefined;
}

/** Whether it is to be looked up, not to be brought about. */
export function isReadGoal(goal: Goal | ReadGoal): goal is ReadGoal {
  return 'idUnknown' in goal;
}

/**
 * What a rollback does about a resource that its operation has changed [REC-6]. `auto`: brings it back to what it was.
 * `hold`: leaves it to a person and says so. `retain`: it stays as the operation has made it.
 */
export type RollbackOption = 'auto' | 'hold' | 'retain';

const ROLLBACK_OPTIONS = { auto: true, hold: true, retain: true } as const satisfies Record<
  RollbackOption,
  true
>;

/** Whether the text is one of the three. */
export function isRollbackOption(text: unknown): text is RollbackOption {
  return typeof text === 'string' && Object.hasOwn(ROLLBACK_OPTIONS, text);
}

/** An approval that is needed before anything is done about a resource or what is below it. One a URN and operation. */
export interface Gate {
  /** The resource or component that asks for it. */
  readonly urn: Urn;
  /** What whoever approves is told. */
  readonly reason: string;
}
