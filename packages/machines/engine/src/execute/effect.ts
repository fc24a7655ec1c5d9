import { isProviderType } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { Step, StepDiff } from '../model/step.js';
import type { RefreshResult } from '../model/step-view.js';
import type { ViewChange } from './views/view-changes.js';

/** Effect of carrying out a step. */
export type Effect =
  /** `entry` is the record afterwards. Undefined if the object is gone or the step leaves none. */
  | {
      readonly t: 'done';
      readonly entry: ResourceEntry | undefined;
      readonly refresh?: RefreshResult | undefined;
      /** Differences found while the step was carried out. */
      readonly diff?: StepDiff | undefined;
      readonly warnings?: readonly Diagnostic[] | undefined;
      readonly views?: readonly ViewChange[] | undefined;
    }
  /** The object exists but did not become ready: it is recorded, and the step fails all the same [REG-7]. */
  | {
      readonly t: 'partial';
      readonly entry: ResourceEntry;
      readonly diagnostic: Diagnostic;
      readonly views?: readonly ViewChange[] | undefined;
    }
  /** Nothing happened. `views` contains the failed ones, here and for an unknown outcome. */
  | {
      readonly t: 'failed';
      readonly diagnostic: Diagnostic;
      /** Further diagnostics about it. */
      readonly also?: readonly Diagnostic[] | undefined;
      readonly views?: readonly ViewChange[] | undefined;
    }
  /** The outcome is unknown: the begin entry stays open [PROV-16]. */
  | {
      readonly t: 'in-doubt';
      readonly diagnostic: Diagnostic;
      readonly views?: readonly ViewChange[] | undefined;
    };

/** Returns the effect of a successful step. */
export function done(entry: ResourceEntry | undefined): Effect {
  return { t: 'done', entry };
}

/**
 * Returns true if carrying out a step calls neither a provider of objects nor a hook. Parts of a replacement are not
 * local: each is reported as done before the next one begins.
 */
export function isLocal(step: Step): boolean {
  if (step.kind !== 'create' && step.kind !== 'update' && step.kind !== 'delete') return false;
  const entry = 'new' in step ? step.new : step.old;
  const calls = 'noCall' in step ? step.noCall === undefined : entry.custom;
  return (!calls || isProviderType(entry.type)) && Object.keys(entry.resourceHooks).length === 0;
}

/** Returns true if nothing is left of the object of the step's resource. */
export function leavesNoObject(step: Step, { entry }: Extract<Effect, { readonly t: 'done' }>): boolean {
  if (step.kind === 'remove-pending-replace') return true;
  return entry === undefined && 'old' in step && step.old !== undefined;
}
