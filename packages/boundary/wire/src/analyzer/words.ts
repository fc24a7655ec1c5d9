import type { EnforcementLevel, PolicySeverity, PolicyType } from '../contracts/analyzer.js';
import * as pb from '../generated/pulumi/analyzer.js';

/** Names of this package for the numbers of the protocol. */
export const LEVELS = {
  advisory: pb.EnforcementLevel.ADVISORY,
  mandatory: pb.EnforcementLevel.MANDATORY,
  disabled: pb.EnforcementLevel.DISABLED,
  remediate: pb.EnforcementLevel.REMEDIATE,
} as const satisfies Record<EnforcementLevel, pb.EnforcementLevel>;

export const SEVERITIES = {
  unspecified: pb.PolicySeverity.POLICY_SEVERITY_UNSPECIFIED,
  low: pb.PolicySeverity.POLICY_SEVERITY_LOW,
  medium: pb.PolicySeverity.POLICY_SEVERITY_MEDIUM,
  high: pb.PolicySeverity.POLICY_SEVERITY_HIGH,
  critical: pb.PolicySeverity.POLICY_SEVERITY_CRITICAL,
} as const satisfies Record<PolicySeverity, pb.PolicySeverity>;

export const TYPES = {
  unknown: pb.PolicyType.POLICY_TYPE_UNKNOWN,
  resource: pb.PolicyType.POLICY_TYPE_RESOURCE,
  stack: pb.PolicyType.POLICY_TYPE_STACK,
} as const satisfies Record<PolicyType, pb.PolicyType>;

/** Returns the word for a number, or `otherwise` for a number of a newer protocol. */
export function wordOf<W extends string>(
  words: Readonly<Record<W, number>>,
  number: number,
  otherwise: W,
): W {
  for (const word of Object.keys(words) as W[]) if (words[word] === number) return word;
  return otherwise;
}
