import type { ResourceEntry } from '@cairn/state';
import type { StepView, RefreshResult } from '../model/step-view.js';
import { noDiff, newOf, oldOf } from '../model/step.js';
import type { Step } from '../model/step.js';

/** A step as displays see it. `found`: its entry once it has ended. */
export function viewOf(step: Step, found?: ResourceEntry, refresh?: RefreshResult): StepView {
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
    replaceKeys: step.diff.replaceKeys,
    changedKeys: step.diff.changedKeys,
    detailedDiff: step.diff.detailedDiff,
    reason: step.reason,
    refreshResult: refresh,
  };
}

/** Registered outputs as displays see them. */
export function outputsView(old: ResourceEntry, entry: ResourceEntry): StepView {
  return {
    kind: 'same',
    urn: entry.urn,
    type: entry.type,
    provider: entry.provider,
    old,
    new: entry,
    ...noDiff,
    reason: { t: 'outputs' },
    refreshResult: undefined,
  };
}
