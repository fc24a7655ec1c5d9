import type { AnalyzedOptions, AnalyzerStack, EnforcementLevel, PolicySeverity } from '@cairn/wire';
import type { SettingValues, Settings } from './settings.js';

type Values = Readonly<Record<string, unknown>>;
type Later<T> = T | Promise<T>;

/** A resource as a policy sees it. */
export interface PolicyResource<P = Values> {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /**
   * Checked inputs; outputs in a policy about the stack. Secrets are bare. In a preview a policy that reads an unknown
   * value does not apply.
   */
  readonly props: P;
  readonly options: AnalyzedOptions;
  /** The resource's provider. Undefined if it has none. */
  readonly provider:
    | { readonly urn: string; readonly type: string; readonly name: string; readonly props: Values }
    | undefined;
}

/** A resource among all of a stack. */
export interface PolicyStackResource extends PolicyResource {
  /** URN of the parent. Empty if there is none. */
  readonly parent: string;
  /** URNs of the dependencies. */
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

/** Context of a policy, besides resources. */
export interface PolicyContext<C = Values> {
  readonly config: C;
  /** The current stack, with its configuration. */
  readonly stack: AnalyzerStack;
  /** Ends the policy, which then does not apply because of `reason`. */
  notApplicable(reason: string): never;
}

/** Context of a policy that looks for violations. */
export interface ReportingContext<C = Values> extends PolicyContext<C> {
  /** Reports a violation. `urn` names another resource than the current one. */
  report(message: string, urn?: string): void;
}

interface PolicyCommon<S extends Settings> {
  /** Name, unique in the pack. */
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** Defaults to the level of the pack. */
  readonly enforcementLevel?: EnforcementLevel | undefined;
  readonly severity?: PolicySeverity | undefined;
  /** Settings that users of the pack can change. */
  readonly settings?: S | undefined;
}

/** A policy about single resources. It finds violations (`validate`), corrects them (`remediate`), or both. */
export interface ResourcePolicyDefinition<P, S extends Settings> extends PolicyCommon<S> {
  /** Type tokens of the resources. Defaults to all types. */
  readonly of?: string | readonly string[] | undefined;
  validate?(resource: PolicyResource<P>, context: ReportingContext<SettingValues<S>>): Later<void>;
  /**
   * Returns the inputs to set; `undefined` removes an input. All others remain unchanged. Called only at the level
   * `remediate`.
   */
  remediate?(
    resource: PolicyResource<P>,
    context: PolicyContext<SettingValues<S>>,
  ): Later<{ readonly [K in keyof P]?: P[K] | undefined } | undefined>;
}

/** A policy about the stack as a whole, checked after all steps. */
export interface StackPolicyDefinition<S extends Settings> extends PolicyCommon<S> {
  validate(
    resources: readonly PolicyStackResource[],
    context: ReportingContext<SettingValues<S>>,
  ): Later<void>;
}

/** A policy of a pack. */
export type Policy = ResourcePolicy | StackPolicy;

/** A policy about one resource at a time. */
export interface ResourcePolicy {
  readonly kind: 'resource';
  readonly definition: ResourcePolicyDefinition<Values, Settings>;
}

/** A policy about all resources of a stack. */
export interface StackPolicy {
  readonly kind: 'stack';
  readonly definition: StackPolicyDefinition<Settings>;
}

/** A type token with the type of its inputs. */
export type TypedToken<P> = string & { readonly [INPUTS]?: P };
declare const INPUTS: unique symbol;

/** Defines a policy about single resources. `P` is the type of their inputs. */
export function resourcePolicy<P extends object = Values, S extends Settings = Record<never, never>>(
  definition: ResourcePolicyDefinition<P, S> & {
    readonly of?: TypedToken<P> | readonly TypedToken<P>[] | undefined;
  },
): ResourcePolicy {
  // Behind this type it receives the types that its own type tokens and settings define.
  return { kind: 'resource', definition: definition as unknown as ResourcePolicy['definition'] };
}

/** Returns a type token, for policies about resources with inputs of the type `P`. */
export function ofType<P extends object>(token: string): TypedToken<P> {
  return token as TypedToken<P>;
}

/** Defines a policy about the stack as a whole. */
export function stackPolicy<S extends Settings = Record<never, never>>(
  definition: StackPolicyDefinition<S>,
): StackPolicy {
  return { kind: 'stack', definition: definition as unknown as StackPolicy['definition'] };
}

/** A pack of policies. */
export interface PolicyPackDefinition {
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** Defaults to the version in the pack's package.json. */
  readonly version?: string | undefined;
  /** Level of policies that have none. Defaults to `advisory`. */
  readonly enforcementLevel?: EnforcementLevel | undefined;
  readonly policies: readonly Policy[];
}

const PACK = Symbol.for('cairn.sdk.policy-pack');

/** A pack of policies, created by `policyPack`. */
export interface PolicyPack {
  readonly [PACK]: PolicyPackDefinition;
}

/** Returns a pack of policies. Throws RangeError for invalid and duplicate names. */
export function checkedPack(definition: PolicyPackDefinition): PolicyPack {
  const names = definition.policies.map((policy) => policy.definition.name);
  for (const name of [definition.name, ...names])
    if (!/^[\w.-]+$/.test(name))
      throw new RangeError(`${JSON.stringify(name)} is not a name of letters, digits, "_", "." and "-"`);
  // Configurations use this name to set the level of every policy.
  if (names.includes('all')) throw new RangeError('a policy cannot be called "all"');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new RangeError(`there are two policies "${twice}"`);
  return { [PACK]: definition };
}

/** Tells whether a value is a pack, of any copy of this package. */
export function isPolicyPack(value: unknown): value is PolicyPack {
  return typeof value === 'object' && value !== null && PACK in value;
}

/** Returns the definition of a pack. */
export function packDefinition(pack: PolicyPack): PolicyPackDefinition {
  return pack[PACK];
}
