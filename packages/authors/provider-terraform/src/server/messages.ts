import type { AttributePath, AttributePath_Step, Diagnostic } from '@cairn/tfplugin/protocol6';
import type { PathStep, TfPath } from '@cairn/tfplugin';
import type { TerraformDiagnostic } from '../diagnostics.js';

const SEVERITY = { error: 1, warning: 2 } as const;

/** Converts diagnostics to messages. */
export function diagnosticMessages(found: readonly TerraformDiagnostic[]): Diagnostic[] {
  return found.map(({ severity, summary, detail, attribute }) => ({
    severity: SEVERITY[severity],
    summary,
    detail,
    attribute: attribute === undefined || attribute.length === 0 ? undefined : pathMessage(attribute),
  }));
}

/** Converts a path to a message, which cannot name an element of a set: the path ends at the set. */
export function pathMessage(path: TfPath): AttributePath {
  const steps: AttributePath_Step[] = [];
  for (const step of path) {
    const selector = selectorOf(step);
    if (selector === undefined) break;
    steps.push({ selector });
  }
  return { steps };
}

function selectorOf(step: PathStep): AttributePath_Step['selector'] {
  if (typeof step === 'string') return { $case: 'attributeName', value: step };
  if (typeof step === 'number') return { $case: 'elementKeyInt', value: step };
  return typeof step.key === 'string' ? { $case: 'elementKeyString', value: step.key } : undefined;
}
