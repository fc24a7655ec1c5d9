import type { Urn } from '@cairn/addresses';
import type {
  Analysis,
  PolicyDiagnostic,
  PolicySeverity,
  PolicyType,
  Remediation,
  Remediations,
} from '@cairn/wire';
import { isDisabled } from './pack.js';
import type { Pack } from './pack.js';
import type { Violation, PolicySummary } from '../model/policy.js';

/**
 * Returns the violations of an analysis [POL-5] [POL-6]. Disabled policies do not count. `remediate` has become
 * mandatory because nothing was corrected. The diagnostic's own severity overrides that of the policy. `urnOf` returns
 * the resource that a diagnostic is about.
 */
export function violationsOf(
  pack: Pack,
  analysis: Analysis,
  urnOf: (diagnostic: PolicyDiagnostic) => Urn,
): readonly Violation[] {
  return analysis.diagnostics.flatMap((diagnostic) => {
    const { policyName, description, enforcementLevel } = diagnostic;
    if (enforcementLevel === 'disabled') return [];
    return [
      {
        urn: urnOf(diagnostic),
        policyName,
        ...packNames(pack, diagnostic),
        description,
        message: diagnostic.message.trim() === '' ? description : diagnostic.message.trim(),
        level: enforcementLevel === 'remediate' ? 'mandatory' : enforcementLevel,
        severity: severityOf(pack, diagnostic),
      },
    ];
  });
}

/** Returns the advisory violation for a remediation that corrected nothing [POL-4]. */
export function failedRemediation(pack: Pack, urn: Urn, remediation: Remediation): Violation {
  const { policyName, description, diagnostic } = remediation;
  const severity = pack.policies.get(policyName)?.severity ?? 'unspecified';
  return {
    urn,
    policyName,
    ...packNames(pack, remediation),
    description,
    message: diagnostic,
    level: 'advisory',
    severity,
  };
}

/** Returns the name and version of the pack for events. A version in the manifest overrides the one in the answer. */
export function packNames(
  { info }: Pack,
  answer: { readonly policyPackName: string; readonly policyPackVersion: string },
): { readonly packName: string; readonly packVersion: string } {
  return {
    packName: answer.policyPackName === '' ? info.name : answer.policyPackName,
    packVersion: info.version === '' ? answer.policyPackVersion : info.version,
  };
}

/** Returns the summary of an analysis of a resource or of the stack [POL-7]. */
export function analysisSummary(pack: Pack, kind: 'resource' | 'stack', analysis: Analysis): PolicySummary {
  const counted = analysis.diagnostics.filter((each) => each.enforcementLevel !== 'disabled');
  return summary(pack, kind, names(counted), names(analysis.notApplicable));
}

/** Returns the summary of the remediations of a resource [POL-7]. */
export function remediationSummary(pack: Pack, answer: Remediations): PolicySummary {
  return summary(pack, 'resource', names(answer.remediations), names(answer.notApplicable));
}

function summary(
  pack: Pack,
  kind: Exclude<PolicyType, 'unknown'>,
  failed: ReadonlySet<string>,
  notApplicable: ReadonlySet<string>,
): PolicySummary {
  const passed = pack.info.policies.filter(
    (policy) =>
      (policy.type === kind || policy.type === 'unknown') &&
      !isDisabled(pack, policy) &&
      !notApplicable.has(policy.name) &&
      !failed.has(policy.name),
  );
  return {
    packName: pack.info.name,
    packVersion: pack.info.version,
    ...(pack.directory === undefined ? {} : { packDirectory: pack.directory }),
    passed: passed.map((policy) => policy.name),
    failed: [...failed].sort(),
  };
}

function names(of: readonly { readonly policyName: string }[]): ReadonlySet<string> {
  return new Set(of.map((each) => each.policyName));
}

function severityOf(pack: Pack, { policyName, severity }: PolicyDiagnostic): PolicySeverity {
  return severity === 'unspecified' ? (pack.policies.get(policyName)?.severity ?? severity) : severity;
}
