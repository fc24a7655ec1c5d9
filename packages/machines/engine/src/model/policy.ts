import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import type { EnforcementLevel, PolicySeverity } from '@cairn/wire';

/** Policy that a resource or the stack breaks. */
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

/** Results of one pack's policies for a resource, or for the stack. */
export interface PolicySummary {
  readonly packName: string;
  readonly packVersion: string;
  /** Folder of a pack that is in a folder. */
  readonly packDirectory?: string | undefined;
  /** Names of policies, in the pack's order. */
  readonly passed: readonly string[];
  /** Sorted names. */
  readonly failed: readonly string[];
}

/** Result of all packs for one registration. */
export interface Analyzed {
  /** Inputs for everything that follows. */
  readonly inputs: PropertyMap;
  /** True if a remediation changed them. */
  readonly remediated: boolean;
  /** Mandatory policies that it breaks. */
  readonly mandatory: readonly Violation[];
}

/** Policy pack that an operation must pass. */
export type PolicyPackSpec = {
  /** User's changes to the pack's policies, by policy name. `all` applies to every policy. */
  readonly settings: Readonly<Record<string, GivenSettings>>;
} & (
  | { readonly t: 'local'; readonly directory: string }
  /** Required by the backend, which also provides its location. */
  | {
      readonly t: 'required';
      readonly name: string;
      readonly version: string;
      readonly location: string;
    }
);

/** User's settings of one policy. */
export interface GivenSettings {
  readonly enforcementLevel: EnforcementLevel | undefined;
  readonly properties: PropertyMap;
}

/** Makes the error of a resource that breaks mandatory policies. Empty without violations. */
export function brokenByResource(urn: Urn, mandatory: readonly Violation[]): readonly Diagnostic[] {
  if (mandatory.length === 0) return [];
  const summary = `${urnType(urn)} resource "${urnName(urn)}" ${brokenPolicies(mandatory)}`;
  return [
    errorDiagnostic('CAIRN-POLICY-VIOLATION', summary, {
      urn,
      hint: 'Change the resource so that it complies with the policy.',
    }),
  ];
}

/** Returns `breaks the mandatory policy "a" of pack p: why`, or the number and the names. At least one violation. */
export function brokenPolicies(violations: readonly Violation[]): string {
  const [first] = violations;
  if (first !== undefined && violations.length === 1) {
    return `breaks the mandatory policy "${first.policyName}" of ${first.packName}: ${first.message}`;
  }
  const names = violations.map(({ policyName, packName }) => `"${policyName}" of ${packName}`);
  return `breaks ${violations.length} mandatory policies: ${[...new Set(names)].join(', ')}`;
}
