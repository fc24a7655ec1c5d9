import { STEP_KINDS, operationName } from '@cairn/engine';
import type { OperationSummary, StepKind } from '@cairn/engine';

/**
 * The changes of an operation by kind, as other tools count them in summaries, digests and history: the physical halves
 * of a replacement are the replacement [REG-1], and what a refresh looks up counts as what it found [EVT-2].
 */
export function resourceChanges({
  kind,
  changes,
  found = {},
}: Pick<OperationSummary, 'kind' | 'changes' | 'found'>): Readonly<Record<string, number>> {
  const counted = new Map<string, number>();
  const add = (step: StepKind, count: number): void => {
    if (count > 0) counted.set(operationName(step), (counted.get(operationName(step)) ?? 0) + count);
  };
  for (const [step, count] of Object.entries(changes) as [StepKind, number][])
    if (STEP_KINDS[step].logical) add(step, count);
  if (kind === 'refresh')
    for (const [step, count] of Object.entries(found) as [StepKind, number][]) add(step, count);
  return Object.fromEntries(counted);
}
