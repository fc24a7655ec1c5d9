/** Effect of a planned step on its object, as policies name it. */
export type PolicyStepKind = 'create' | 'update' | 'replace' | 'delete' | 'import' | 'read';

/** Kinds that a policy may name. */
export const POLICY_STEP_KINDS = [
  'create',
  'update',
  'replace',
  'delete',
  'import',
  'read',
] as const satisfies readonly PolicyStepKind[];

/** Step that a run is going to take. */
export interface PlannedStep {
  readonly urn: string;
  readonly type: string;
  readonly kind: PolicyStepKind;
}

/** Answer of a policy: the run applies its plan, waits for an approval, or ends. */
export type PolicyAnswer = 'apply' | 'approve' | 'refuse';

/** Hours of the day in which a rule applies, in minutes since midnight; `to` may be on the next day. */
export interface HoursOfDay {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  /** Days on which the hours begin. Defaults to every day. */
  readonly days?: readonly Weekday[];
}

/** Days as policies name them, Sunday first. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

type Weekday = (typeof WEEKDAYS)[number];

/** Conditions of a rule. All that are given have to hold; without any the rule applies to every step. */
export interface RuleConditions {
  readonly kinds?: readonly PolicyStepKind[];
  /** Globs of resource types; `*` stops at a colon. */
  readonly types?: readonly string[];
  /** Applies if more steps than this meet the other conditions. */
  readonly moreThan?: number;
  /** Kinds of requests. */
  readonly requests?: readonly string[];
  /** Globs of the names of those who asked. */
  readonly by?: readonly string[];
  readonly hours?: HoursOfDay;
}

/** One rule of a policy. */
export interface PolicyRule {
  readonly name: string;
  readonly when: RuleConditions;
  readonly then: PolicyAnswer;
}

/** Rules that decide which steps the agent takes without a person. */
export interface ApprovalPolicy {
  readonly name: string;
  /** The first rule that applies to a step decides about it. */
  readonly rules: readonly PolicyRule[];
  /** Number of people whose approval is needed. */
  readonly approvals: number;
  /** True if the person who asked may not approve. */
  readonly others: boolean;
}

/** Facts about a plan that rules look at. */
export interface PlanFacts {
  readonly steps: readonly PlannedStep[];
  readonly request: string;
  readonly by: string;
  readonly at: Date;
}

/** Decision about a plan, with a reason for each group of steps. */
export interface PolicyDecision {
  readonly answer: PolicyAnswer;
  readonly reasons: readonly string[];
}
