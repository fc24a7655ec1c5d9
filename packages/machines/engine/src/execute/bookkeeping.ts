import type { ResourceEntry } from '@cairn/state';
import { same } from '../model/make-step.js';
import type { Report } from '../model/report.js';
import { viewOf } from '../model/step-view.js';
import type { SameStep, Step } from '../model/step.js';
import type { Recorder } from '../record/recorder.js';
import type { Effect } from './effect.js';
import { stamp } from './handlers/handler.js';
import type { HandlerContext } from './handlers/handler.js';
import { applyView, viewStepView } from './views/apply-views.js';
import type { ViewChange } from './views/view-changes.js';

/** Dependencies of {@link Bookkeeping}. */
interface BookkeepingParts {
  readonly context: HandlerContext;
  readonly report: Report;
  readonly preview: boolean;
}

/**
 * Carries out steps that only concern the snapshot, and applies changes of views, which follow their owner. Both happen
 * in place, without a task.
 */
export class Bookkeeping {
  constructor(
    private readonly parts: BookkeepingParts,
    private readonly recorder: Recorder,
  ) {}

  /** Carries out a step that is no task. Returns the entry it left, if any. */
  carryOut(step: Step): ResourceEntry | undefined {
    const { report, preview } = this.parts;
    report.emit({ t: 'step-started', step: viewOf(step), planning: preview });
    if (step.kind === 'same') this.recorder.same(step);
    const entry = step.kind === 'same' ? step.new : undefined;
    const ended = viewOf(step, entry);
    report.count(ended);
    report.emit({ t: 'step-ended', step: ended, planning: preview, elapsedMs: 0 });
    if (step.kind === 'same') this.#sameViews(step);
    return entry;
  }

  /** Records that the views of an unchanged resource are unchanged as well [VIEW-5]. */
  #sameViews({ old }: SameStep): void {
    for (const cell of this.parts.context.views.viewsOf(old.urn))
      this.carryOut(same(cell, cell.entry, cell.entry));
  }

  /** Applies the changes of views, in the order of publication. */
  applyViews(owner: Step, changes: readonly ViewChange[]): void {
    const { report, context, preview } = this.parts;
    const at = stamp(context);
    for (const change of changes) {
      const step = viewStepView(owner, change);
      const stands = change.error === '' || change.partial;
      if (stands) applyView(owner, change, this.recorder, context.views, at);
      if (change.error !== '') {
        report.emit({ t: 'step-failed', step, inDoubt: change.partial, elapsedMs: 0, planning: preview });
        continue;
      }
      report.count(step);
      report.emit({ t: 'step-ended', step, planning: preview, elapsedMs: 0 });
    }
  }

  /** Reports views that failed with their resource. Nothing about them is recorded. */
  failViews(owner: Step, changes: readonly ViewChange[]): void {
    const { report, preview } = this.parts;
    for (const change of changes) {
      const step = viewStepView(owner, change);
      report.emit({ t: 'step-failed', step, inDoubt: false, elapsedMs: 0, planning: preview });
    }
  }

  /** Removes the views of a deleted resource ahead of it: first the published changes, then the remaining views. */
  removeViews(owner: Step, effect: Extract<Effect, { readonly t: 'done' }>): void {
    this.applyViews(owner, effect.views ?? []);
    const { views } = this.parts.context;
    const rest = views.leftOver(owner);
    for (const change of rest) views.published(owner, change);
    this.applyViews(owner, rest);
  }
}

/** Returns true if nothing is left of the object of the step's resource. */
export function isGone(step: Step, { entry }: Extract<Effect, { readonly t: 'done' }>): boolean {
  if (step.kind === 'remove-pending-replace') return true;
  return entry === undefined && 'old' in step && step.old !== undefined;
}
