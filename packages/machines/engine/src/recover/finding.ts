import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { OutputsToTell } from '../model/result.js';
import type { Provider, TypeExtras } from '@cairn/wire';
import type { StepHandlerContext, StepStart } from '../execute/handlers/handler.js';
import type { Cell } from '../model/cell.js';
import type { Step } from '../model/step.js';
import type { Doubt, DoubtResolution } from '../model/history.js';

/** Outcome of a step in doubt, if it is known. */
export type DoubtFinding =
  /**
   * The step took effect. `entry`: the object that it made or changed; `undefined` if it deleted it. `failed`: the
   * object is not ready.
   */
  | {
      readonly t: 'done';
      readonly entry: ResourceEntry | undefined;
      readonly failed?: Diagnostic | undefined;
    }
  /** The step did not take effect. It is taken again if it is needed. */
  | { readonly t: 'not-done' }
  /** The step took effect in part. The present state is recorded; the missing part is done when it is needed. */
  | { readonly t: 'in-part'; readonly entry: ResourceEntry }
  /** The object that the step was to change no longer exists. */
  | { readonly t: 'gone' }
  /** Nothing was found yet. Look again, not before this time. */
  | { readonly t: 'later'; readonly afterMs: number }
  /** Only a person knows. `outputs`: those that the person supplies with the answer that it was done, if any. */
  | { readonly t: 'ask'; readonly why: string; readonly outputs?: OutputsToTell | undefined }
  /** Finding out failed: the step is still in doubt. `outputs`: those that the next answer must supply. */
  | {
      readonly t: 'failed';
      readonly diagnostic: Diagnostic;
      readonly outputs?: OutputsToTell | undefined;
    };

/** A step in doubt, with the facts known around it. */
export interface Search {
  readonly doubt: Doubt;
  readonly resolution: DoubtResolution | undefined;
  /** Entry that the step was to change, delete or replace. */
  readonly cell: Cell | undefined;
  /** Ids of the objects of the type that the state contains. */
  readonly known: ReadonlySet<string>;
  /** Number of look-ups that found nothing. */
  readonly looks: number;
  readonly start: StepStart;
  /** Step to take again; `undefined` if the state does not have its entry. */
  readonly step: Step | undefined;
  /** True if the step makes no call to its provider. */
  readonly noCall: boolean;
}

/** A question about a step, with the provider that answers it. */
export interface Asking {
  readonly provider: Provider;
  readonly extras: TypeExtras | undefined;
  readonly search: Search;
  readonly context: StepHandlerContext;
}
