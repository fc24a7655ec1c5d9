import { isDefaultProvider } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { diffMaps } from '@cairn/values';
import type { DiffKind } from '@cairn/wire';
import type { Reason } from './reason.js';
import type { StepKind } from './step-kinds.js';
import { newOf, noDiff, oldOf } from './step.js';
import type { Step, StepDiff } from './step.js';

/** Step as displays see it. */
export interface StepView {
  readonly kind: StepKind;
  readonly urn: Urn;
  readonly type: string;
  readonly provider: ProviderReference | undefined;
  readonly old: ResourceEntry | undefined;
  readonly new: ResourceEntry | undefined;
  /** Keys that force the replacement. */
  readonly replaceKeys: readonly string[];
  /** Keys that differ. */
  readonly changedKeys: readonly string[];
  readonly detailedDiff:
    Readonly<Record<string, { readonly kind: DiffKind; readonly inputDiff: boolean }>> | undefined;
  /** Reason of the step. */
  readonly reason: Reason;
  /** Finding of a refresh. */
  readonly refreshResult: StepKind | undefined;
}

/** Finding of a refresh, for displays and for counting drift [REF-1]. */
export type RefreshResult = 'same' | 'update' | 'delete';

/**
 * Returns true if the engine takes a step for its own purposes: for a default provider, or to keep the state in order.
 * No user requested it, so it is not a change.
 */
export function isInternalStep({ kind, urn }: Pick<StepView, 'kind' | 'urn'>): boolean {
  return kind === 'remove-pending-replace' || isDefaultProvider(urn);
}

/**
 * Returns true if a step that has ended counts in a summary. The engine's own steps do not. A read does if it found
 * other outputs than an earlier one, apart from secret marks [REG-1].
 */
export function isCounted(step: Pick<StepView, 'kind' | 'urn' | 'old' | 'new'>): boolean {
  if (isInternalStep(step)) return false;
  if (step.kind !== 'read') return true;
  const { old, new: found } = step;
  return old !== undefined && found !== undefined && diffMaps(old.outputs, found.outputs).length > 0;
}

/**
 * Returns a step as displays see it. `found` is its entry once it has ended. `diff` contains differences found in the
 * meantime.
 */
export function stepView(
  step: Step,
  found?: ResourceEntry,
  refresh?: RefreshResult,
  diff: StepDiff = step.diff,
): StepView {
  const old = oldOf(step);
  const entry = found ?? newOf(step);
  const about = entry ?? old;
  return {
    kind: step.kind,
    urn: step.urn,
    type: about?.type ?? '',
    provider: about?.provider,
    old,
    new: entry,
    replaceKeys: diff.replaceKeys,
    changedKeys: diff.changedKeys,
    detailedDiff: diff.detailedDiff,
    reason: step.reason,
    refreshResult: refresh,
  };
}

/** Returns registered outputs as displays see them. */
export function outputsView(old: ResourceEntry, entry: ResourceEntry): StepView {
  return changeView('same', old, entry, noDiff, { t: 'outputs' });
}

/** Returns an update that is not a separate step, in the form for displays. */
export function updateView(old: ResourceEntry, entry: ResourceEntry, diff: StepDiff): StepView {
  const { changedKeys: keys } = diff;
  return changeView('update', old, entry, diff, { t: 'property', keys, replaces: false, sources: [] });
}

function changeView(
  kind: StepKind,
  old: ResourceEntry,
  entry: ResourceEntry,
  diff: StepDiff,
  reason: Reason,
): StepView {
  const { urn, type, provider } = entry;
  return { kind, urn, type, provider, old, new: entry, ...diff, reason, refreshResult: undefined };
}
