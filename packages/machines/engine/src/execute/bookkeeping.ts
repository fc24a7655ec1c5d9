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

/** What bookkeeping works with. */
interface BookkeepingParts {
  readonly context: HandlerContext;
  readonly report: Report;
  readonly preview: boolean;
}

/**
 * Steps that only concern the snapshot, and views, which follow their owner: carried out where they stand, without a
 * task.
 */
export class Bookkeeping {
  constructor(
    private readonly parts: BookkeepingParts,
    private readonly recorder: Recorder,
  ) {}

  /** Carries out a step that is no task. Gives the entry it left, if it left one. */
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

  /** The views of an unchanged resource are unchanged as well [VIEW-5]. */
  #sameViews({ old }: SameStep): void {
    for (const cell of this.parts.context.views.viewsOf(old.urn))
      this.carryOut(same(cell, cell.entry, cell.entry));
  }

  /** What became of views, in the order of publication. */
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

  /** Tells of views that failed with their resource; nothing of them is recorded. */
  failViews(owner: Step, changes: readonly ViewChange[]): void {
    const { report, preview } = this.parts;
    for (const change of changes) {
      const step = viewStepView(owner, change);
      report.emit({ t: 'step-failed', step, inDoubt: false, elapsedMs: 0, planning: preview });
    }
  }

  /** Views of a resource that goes, before it: what was published, then what is left of them. */
  removeViews(owner: Step, effect: Extract<Effect, { readonly t: 'done' }>): void {
    this.applyViews(owner, effect.views ?? []);
    const { views } = this.parts.context;
    const rest = views.leftOver(owner);
    for (const change of rest) views.published(owner, change);
    this.applyViews(owner, rest);
  }
}

/** Whether the step leaves nothing of its resource's object. */
export function isGone(step: Step, { entry }: Extract<Effect, { readonly t: 'done' }>): boolean {
  if (step.kind === 'remove-pending-replace') return true;
  return entry === undefined && 'old' in step && step.old !== undefined;
}
