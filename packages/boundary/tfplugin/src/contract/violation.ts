import type { Diagnostic, ErrorCode } from '@cairn/diagnostics';
import { errorDiagnostic } from '@cairn/diagnostics';
import { pathText } from '../values/index.js';
import { FINDINGS } from './codes.js';
import type { ViolationKind } from './codes.js';
import type { ContractFinding } from './finding.js';

/** Error code of each kind of violation. */
const CODES: Readonly<Record<ViolationKind, ErrorCode>> = {
  plan: 'CAIRN-TERRAFORM-PLAN',
  'final-plan': 'CAIRN-TERRAFORM-FINAL-PLAN',
  result: 'CAIRN-TERRAFORM-RESULT',
  object: 'CAIRN-TERRAFORM-OBJECT',
  import: 'CAIRN-TERRAFORM-IMPORT',
  'newer-state': 'CAIRN-TERRAFORM-STATE-VERSION',
  deferred: 'CAIRN-TERRAFORM-DEFERRED',
};

/** Converts a finding to a message for users: provider, resource, path and rule, without values. */
export function violation(provider: string, resource: string, finding: ContractFinding): Diagnostic {
  const { kind, text } = FINDINGS[finding.code];
  const ofFinalPlan = finding.rule === FINDINGS.ACTION_CHANGED.rule;
  const key = finding.key === undefined ? '' : ` (${JSON.stringify(finding.key)})`;
  const place = finding.path.length === 0 ? resource : `${resource}: ${pathText(finding.path)}`;
  const secret = finding.masked ? ' (secret)' : '';
  return errorDiagnostic(
    CODES[ofFinalPlan ? 'final-plan' : kind],
    `provider ${provider}, ${place}${secret}: ${text}${key} [${finding.rule} ${finding.code}]`,
  );
}
