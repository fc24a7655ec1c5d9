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
   * Checked inputs; outputs where the stack is looked at. Secrets are bare. In a preview, what is not known yet makes
   * the policy not applicable as soon as it looks at it.
   */
  readonly props: P;
  readonly options: AnalyzedOptions;
  /** Undefined where it has none. */
  readonly provider:
    | { readonly urn: string; readonly type: string; readonly name: string; readonly props: Values }
    | undefined;
}

/** A resource among all of a stack. */
export interface PolicyStackResource extends PolicyResource {
  /** URN; empty: none. */
  readonly parent: string;
  /** URNs. */
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

/** What a policy is told besides resources. */
export interface PolicyContext<C = Values> {
  readonly config: C;
  /** The stack that is worked on, with its configuration. */
  readonly stack: AnalyzerStack;
  /** Ends the policy: it does not apply, because of `reason`. */
  notApplicable(reason: string): never;
}

/** What a policy that looks for violations is told. */
export interface ReportingContext<C = Values> extends PolicyContext<C> {
  /** Notes a violation. `urn`: of another resource than the one that is looked at. */
  report(message: string, urn?: string): void;
}

interface PolicyCommon<S extends Settings> {
  /** Unique in the pack. */
  readonly name: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** Default: the pack's. */
  readonly enforcementLevel?: EnforcementLevel | undefined;
  readonly severity?: PolicySeverity | undefined;
  /** What users of the pack can set for it. */
  readonly settings?: S | undefined;
}

/** A policy about single resources: it finds what is wrong (`validate`), corrects it (`remediate`), or both. */
export interface ResourcePolicyDefinition<P, S extends Settings> extends PolicyCommon<S> {
  /** Type tokens that it is about. Absent: all. */
  readonly of?: string | readonly string[] | undefined;
  validate?(resource: PolicyResource<P>, context: ReportingContext<SettingValues<S>>): Later<void>;
  /**
   * The inputs to set; `undefined` for one takes it away. What is not named stays as it is. Only asked at the level
   * `remediate`.
   */
  remediate?(
    resource: PolicyResource<P>,
    context: PolicyContext<SettingValues<S>>,
  ): Later<{ readonly [K in keyof P]?: P[K] | undefined } | undefined>;
}

/** A policy about the stack as a whole, when everything was done. */
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

/** Describes a policy about single resources. `P`: the inputs of the resources that it is about. */
export function resourcePolicy<P extends object = Values, S extends Settings = Record<never, never>>(
  definition: ResourcePolicyDefinition<P, S> & {
    readonly of?: TypedToken<P> | readonly TypedToken<P>[] | undefined;
  },
): ResourcePolicy {
  // Behind this type it is told what its own type tokens and settings say.
  return { kind: 'resource', definition: definition as unknown as ResourcePolicy['definition'] };
}

/** A type token, for policies whose resources are to have inputs of the type `P`. */
export function ofType<P extends object>(token: string): TypedToken<P> {
  return token as TypedToken<P>;
}

/** Describes a policy about the stack as a whole. */
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
  /** Default: that of the pack's package.json. */
  readonly version?: string | undefined;
  /** Of policies that do not say. Default: `advisory`. */
  readonly enforcementLevel?: EnforcementLevel | undefined;
  readonly policies: readonly Policy[];
}

const PACK = Symbol.for('cairn.sdk.policy-pack');

/** A pack of policies; made by `policyPack`. */
export interface PolicyPack {
  readonly [PACK]: PolicyPackDefinition;
}

/** A pack of policies. Throws RangeError for names that are no names or come twice. */
export function checkedPack(definition: PolicyPackDefinition): PolicyPack {
  const names = definition.policies.map((policy) => policy.definition.name);
  for (const name of [definition.name, ...names])
    if (!/^[\w.-]+$/.test(name))
      throw new RangeError(`${JSON.stringify(name)} is not a name of letters, digits, "_", "." and "-"`);
  // Configurations set the level of every policy by it.
  if (names.includes('all')) throw new RangeError('a policy cannot be called "all"');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new RangeError(`there are two policies "${twice}"`);
  return { [PACK]: definition };
}

/** Whether a value is a pack, of any copy of this package. */
export function isPolicyPack(value: unknown): value is PolicyPack {
  return typeof value === 'object' && value !== null && PACK in value;
}

/** What a pack was made of. */
export function packDefinition(pack: PolicyPack): PolicyPackDefinition {
  return pack[PACK];
}
