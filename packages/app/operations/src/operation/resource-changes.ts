import { STEP_KINDS, operationName } from '@cairn/engine';
import type { OperationSummary, StepKind } from '@cairn/engine';

/**
 * Counts the changes of an operation by kind, like other tools in summaries, digests and history. The physical halves
 * of a replacement are the replacement [REG-1]. A refresh counts as what it found [EVT-2], and a rollback as its effect
 * on the object.
 */
export function resourceChanges({
  kind,
  changes,
  found = {},
  rollback,
}: Pick<OperationSummary, 'kind' | 'changes' | 'found' | 'rollback'>): Readonly<Record<string, number>> {
  const counted = new Map<string, number>();
  const add = (step: StepKind, count: number): void => {
    if (count > 0) counted.set(operationName(step), (counted.get(operationName(step)) ?? 0) + count);
  };
  for (const [step, count] of Object.entries(changes) as [StepKind, number][])
    if (STEP_KINDS[step].logical) add(step, count);
  if (kind === 'refresh')
    for (const [step, count] of Object.entries(found) as [StepKind, number][]) add(step, count);
  if (kind === 'rollback')
    for (const [step, count] of Object.entries(rollback?.changes ?? {}) as [StepKind, number][])
      add(step, count);
  return Object.fromEntries(counted);
}
