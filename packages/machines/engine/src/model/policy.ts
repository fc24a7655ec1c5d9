import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import type { EnforcementLevel, PolicySeverity } from '@cairn/wire';

/** A policy that something breaks. */
export interface Violation {
  readonly urn: Urn;
  readonly policyName: string;
  readonly packName: string;
  readonly packVersion: string;
  readonly description: string;
  readonly message: string;
  readonly level: Exclude<EnforcementLevel, 'disabled' | 'remediate'>;
  readonly severity: PolicySeverity;
}

/** How the policies of one pack came out for a resource, or for the stack. */
export interface PolicySummary {
  readonly packName: string;
  readonly packVersion: string;
  /** Where it is, of a pack in a folder. */
  readonly packDirectory?: string | undefined;
  /** Names of policies, in the pack's order. */
  readonly passed: readonly string[];
  /** Sorted names. */
  readonly failed: readonly string[];
}

/** What the packs made of one registration. */
export interface Analyzed {
  /** The inputs everything after works with. */
  readonly inputs: PropertyMap;
  /** Whether a remediation changed them. */
  readonly remediated: boolean;
  /** Mandatory policies it breaks. */
  readonly mandatory: readonly Violation[];
}

/** A policy pack that an operation must pass. */
export type PolicyPackSpec = {
  /** What the user is to change about the pack's policies, by policy name; `all` is about every policy. */
  readonly settings: Readonly<Record<string, GivenSettings>>;
} & (
  | { readonly t: 'local'; readonly directory: string }
  /** Demanded by the backend, which also says where it is. */
  | {
      readonly t: 'required';
      readonly name: string;
      readonly version: string;
      readonly location: string;
    }
);

/** What a user says about one policy. */
export interface GivenSettings {
  readonly enforcementLevel: EnforcementLevel | undefined;
  readonly properties: PropertyMap;
}

/** The error of a resource that breaks mandatory policies; none without violations. */
export function brokenByResource(urn: Urn, mandatory: readonly Violation[]): readonly Diagnostic[] {
  if (mandatory.length === 0) return [];
  const summary = `${urnType(urn)} resource "${urnName(urn)}" ${brokenPolicies(mandatory)}`;
  return [
    errorDiagnostic('CAIRN-POLICY-VIOLATION', summary, {
      urn,
      hint: 'Change the resource so that the policy is kept.',
    }),
  ];
}

/** `breaks the mandatory policy "a" of pack p: why`, or how many and which. At least one violation. */
export function brokenPolicies(violations: readonly Violation[]): string {
  const [first] = violations;
  if (first !== undefined && violations.length === 1) {
    return `breaks the mandatory policy "${first.policyName}" of ${first.packName}: ${first.message}`;
  }
  const names = violations.map(({ policyName, packName }) => `"${policyName}" of ${packName}`);
  return `breaks ${violations.length} mandatory policies: ${[...new Set(names)].join(', ')}`;
}
