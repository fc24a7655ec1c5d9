import { isDefaultProvider } from '@cairn/addresses';
import { diffMaps } from '@cairn/values';
import type { StepView } from '../events.js';

/** Whether the engine takes a step for itself: for a default provider, or to keep the state in order. Nobody asked for it, so it is no change. */
export function isInternalStep({ kind, urn }: Pick<StepView, 'kind' | 'urn'>): boolean {
  return kind === 'remove-pending-replace' || isDefaultProvider(urn);
}

/**
 * Whether a step that has ended counts in a summary. Steps of the engine's own do not; a read does where it found other outputs than
 * an earlier one, secret marks aside (engine-behaviours-1.md A1).
 */
export function isCounted(step: Pick<StepView, 'kind' | 'urn' | 'old' | 'new'>): boolean {
  if (isInternalStep(step)) return false;
  if (step.kind !== 'read') return true;
  const { old, new: found } = step;
  return old !== undefined && found !== undefined && diffMaps(old.outputs, found.outputs).length > 0;
}
