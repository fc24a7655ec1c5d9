import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import type { Cell } from '../../model/cell.js';
import type { Report } from '../../model/report.js';
import type { StepKind } from '../../model/step-kinds.js';
import type { StepView } from '../../model/step-view.js';
import { noDiff } from '../../model/step.js';
import type { Step } from '../../model/step.js';
import type { Recorder } from '../../record/recorder.js';
import { stamp } from '../handlers/handler.js';
import type { StepHandlerContext } from '../handlers/handler.js';
import type { OwnedViews } from './owned-views.js';
import type { ViewChange } from './view-changes.js';

/** Parts that the changes of views need. */
interface ViewParts {
  readonly recorder: Recorder;
  readonly report: Report;
  readonly context: StepHandlerContext;
}

/** Applies the changes of views, which follow their owner without a task, in the order of publication. */
export function applyViews(
  { recorder, report, context }: ViewParts,
  owner: Step,
  changes: readonly ViewChange[] = [],
): void {
  if (changes.length === 0) return;
  const { preview: planning, views } = context;
  const at = stamp(context);
  for (const change of changes) {
    const step = viewStepView(owner, change);
    const stands = change.error === '' || change.partial;
    if (stands) applyView(owner, change, recorder, views, at);
    if (change.error !== '') {
      report.emit({ t: 'step-failed', step, inDoubt: change.partial, elapsedMs: 0, planning });
      continue;
    }
    report.count(step);
    report.emit({ t: 'step-ended', step, planning, elapsedMs: 0 });
  }
}

/** Reports views that failed with their resource. Nothing about them is recorded. */
export function failViews(
  { report, context: { preview: planning } }: ViewParts,
  owner: Step,
  changes: readonly ViewChange[] = [],
): void {
  for (const change of changes) {
    const step = viewStepView(owner, change);
    report.emit({ t: 'step-failed', step, inDoubt: false, elapsedMs: 0, planning });
  }
}

/** Removes the views of a deleted resource ahead of it: first the published changes, then the remaining views. */
export function removeViews(
  parts: ViewParts,
  owner: Step,
  published: readonly ViewChange[] | undefined,
): void {
  applyViews(parts, owner, published);
  const { views } = parts.context;
  const rest = views.leftOver(owner);
  for (const change of rest) views.published(owner, change);
  applyViews(parts, owner, rest);
}

/**
 * Records the change of a view with the fitting kind of journal entry. This is a refresh if its owner is refreshed,
 * otherwise the change of the record [VIEW-3] [VIEW-4]. Returns the record afterwards.
 */
function applyView(
  owner: Step,
  change: ViewChange,
  recorder: Recorder,
  views: OwnedViews,
  at: string,
): ResourceEntry | undefined {
  const cell = change.cell?.gone === false ? change.cell : undefined;
  const present = change.effect === 'put' ? (recorder.live.live(change.urn) ?? cell) : cell;
  const step = stepOf(owner, change, present, at);
  if (step === undefined) return present?.entry;
  const entry = change.effect === 'put' ? stamped(change, present, at) : undefined;
  recorder.alone(step, entry);
  const left = entry === undefined ? undefined : recorder.live.live(entry.urn);
  if (left !== undefined) views.added(left);
  return entry;
}

function stepOf(owner: Step, change: ViewChange, cell: Cell | undefined, at: string): Step | undefined {
  const { urn, effect } = change;
  const base = { urn, reason: { t: 'view', owner: owner.urn } as const, diff: noDiff };
  if (effect === 'none' || effect === 'keep') return undefined;
  if (effect === 'remove') {
    if (cell === undefined) return undefined;
    const old = cell.entry;
    if (owner.kind === 'refresh')
      return { ...base, kind: 'refresh', cell, old, isFollowed: owner.isFollowed };
    return { ...base, kind: 'delete', cell, old, leavesPending: false, noCall: 'component' };
  }
  const entry = stamped(change, cell, at);
  if (cell === undefined) return { ...base, kind: 'create', new: entry };
  const old = cell.entry;
  if (owner.kind === 'refresh') return { ...base, kind: 'refresh', cell, old, isFollowed: owner.isFollowed };
  if (owner.kind === 'create-replacement')
    return { ...base, kind: 'create-replacement', cell, old, new: entry };
  return { ...base, kind: 'update', cell, old, new: entry };
}

/** Returns the new record of a remaining view, with its times. */
function stamped(change: ViewChange, cell: Cell | undefined, at: string): ResourceEntry {
  const entry = change.entry as ResourceEntry;
  const old = cell?.entry;
  const unchanged =
    old !== undefined && equalMaps(old.inputs, entry.inputs) && equalMaps(old.outputs, entry.outputs);
  return withEntry(entry, { created: old?.created ?? at, modified: unchanged ? old.modified : at });
}

/** Returns the step as displays see it. In a refresh of the owner it is a refresh that found the published op. */
export function viewStepView(owner: Step, change: ViewChange): StepView {
  const { urn, op, old, entry, keys, diffs, detailedDiff } = change;
  const refreshes = owner.kind === 'refresh';
  return {
    kind: refreshes ? 'refresh' : op,
    urn,
    type: (entry ?? old)?.type ?? '',
    provider: undefined,
    old,
    new: op === 'same' ? (entry ?? old) : entry,
    replaceKeys: keys,
    changedKeys: diffs,
    detailedDiff,
    reason: { t: 'view', owner: owner.urn },
    refreshResult: refreshes ? foundBy(change) : undefined,
  };
}

/**
 * Returns the result of a refresh: the published op [VIEW-4]. For a published refresh it depends on the state that it
 * left.
 */
function foundBy({ op, effect }: ViewChange): StepKind {
  return op === 'refresh' ? FOUND[effect] : op;
}

const FOUND = {
  keep: 'same',
  none: 'same',
  put: 'update',
  remove: 'delete',
} as const satisfies Record<ViewChange['effect'], StepKind>;
