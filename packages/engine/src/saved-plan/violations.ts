import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { StepKind } from '../model/step-kinds.js';

const HINT =
  'Make a new plan with `cairn preview --save-plan`, or undo what changed since this one was made.';

/** A step that the plan does not have. */
export function stepNotPlanned(
  urn: Urn,
  step: StepKind,
  why: 'unplanned' | 'exhausted' | StepKind,
): Diagnostic {
  const reason =
    why === 'unplanned'
      ? 'no steps were expected for this resource'
      : why === 'exhausted'
        ? 'no more steps were expected for this resource'
        : `this resource is constrained to ${why}`;
  return violated(`${step} is not allowed by the plan: ${reason}`, urn);
}

/** A goal that differs from the planned one. */
export function goalNotPlanned(urn: Urn, how: string): Diagnostic {
  return violated(`resource ${urn} violates plan: ${how}`, urn);
}

/** Registered outputs that differ from the planned ones. */
export function outputsNotPlanned(urn: Urn, how: string): Diagnostic {
  return violated(`resource violates plan: ${how}`, urn);
}

/** Steps of the plan that were not taken. */
export function stepsMissing(urn: Urn): Diagnostic {
  return violated(`expected resource operations for ${urn} but none were seen`, urn);
}

function violated(summary: string, urn: Urn): Diagnostic {
  return errorDiagnostic('CAIRN-PLAN-VIOLATED', summary, { urn, hint: HINT });
}
