import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { StepDiff } from '../model/step.js';
import type { RefreshResult } from '../model/step-view.js';
import type { ViewChange } from './views/view-changes.js';

/** What carrying out a step came to. */
export type Effect =
  /** `entry`: the record afterwards; undefined when the object is gone or the step leaves none. */
  | {
      readonly t: 'done';
      readonly entry: ResourceEntry | undefined;
      readonly refresh?: RefreshResult | undefined;
      /** What differs, where that was found out while the step was carried out. */
      readonly diff?: StepDiff | undefined;
      readonly warnings?: readonly Diagnostic[] | undefined;
      readonly views?: readonly ViewChange[] | undefined;
    }
  /** The object exists but did not become ready: recorded, and the step fails all the same [REG-7]. */
  | {
      readonly t: 'partial';
      readonly entry: ResourceEntry;
      readonly diagnostic: Diagnostic;
      readonly views?: readonly ViewChange[] | undefined;
    }
  /** Nothing happened. `views`: those that failed, here and where nobody knows what happened. */
  | {
      readonly t: 'failed';
      readonly diagnostic: Diagnostic;
      /** What else is to be told of it. */
      readonly also?: readonly Diagnostic[] | undefined;
      readonly views?: readonly ViewChange[] | undefined;
    }
  /** Nobody knows what happened: the begin entry stays open [PROV-16]. */
  | {
      readonly t: 'in-doubt';
      readonly diagnostic: Diagnostic;
      readonly views?: readonly ViewChange[] | undefined;
    };

/** The effect of a step that did what it should. */
export function done(entry: ResourceEntry | undefined): Effect {
  return { t: 'done', entry };
}
