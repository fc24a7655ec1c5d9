import type { InDoubtStep } from '../model/result.js';
import type { StepKind } from '../model/step-kinds.js';
import { oldOf } from '../model/step.js';
import type { Step } from '../model/step.js';

/** Records a step whose end is unknown, once, if it may have changed an object. */
export function noteDoubt(noted: InDoubtStep[], step: Step, cause: string): void {
  if (!LEAVES_DOUBT[step.kind]) return;
  if (noted.some((each) => each.urn === step.urn && each.kind === step.kind)) return;
  noted.push({ urn: step.urn, kind: step.kind, id: idOf(step), cause });
}

/** Kinds that may have changed an object although their end is unknown. */
const LEAVES_DOUBT: Readonly<Partial<Record<StepKind, boolean>>> = {
  create: true,
  'create-replacement': true,
  update: true,
  delete: true,
  'delete-replaced': true,
};

function idOf(step: Step): string {
  return step.kind === 'create' || step.kind === 'create-replacement' ? '' : (oldOf(step)?.id ?? '');
}
