import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { OutputsToTell } from '../model/result.js';
import type { Provider, TypeExtras } from '@cairn/wire';
import type { HandlerContext, StepStart } from '../execute/handlers/handler.js';
import type { Cell } from '../model/cell.js';
import type { Step } from '../model/step.js';
import type { Doubt, Resolution } from '../model/history.js';

/** What became of a step in doubt, as far as it could be found out. */
export type Finding =
  /**
   * It took effect: this is what it made or altered; undefined: what it deleted is gone. `failed`: the object is not
   * ready.
   */
  | {
      readonly t: 'done';
      readonly entry: ResourceEntry | undefined;
      readonly failed?: Diagnostic | undefined;
    }
  /** It did not take effect, and will be done again if it is needed. */
  | { readonly t: 'not-done' }
  /** It took effect in part: what there is now is recorded, and what is missing is done when it is needed. */
  | { readonly t: 'in-part'; readonly entry: ResourceEntry }
  /** What it was to alter is not there any more. */
  | { readonly t: 'gone' }
  /** Nothing was found yet: look again, not before this. */
  | { readonly t: 'later'; readonly afterMs: number }
  /**
   * Only a person knows. `outputs`: those that the person tells with the answer that it was done; undefined: none.
   */
  | { readonly t: 'ask'; readonly why: string; readonly outputs?: OutputsToTell | undefined }
  /** Finding out failed: it is still in doubt. `outputs`: those that the next answer has to tell. */
  | {
      readonly t: 'failed';
      readonly diagnostic: Diagnostic;
      readonly outputs?: OutputsToTell | undefined;
    };

/** A step in doubt with what is known about its surroundings. */
export interface Search {
  readonly doubt: Doubt;
  readonly resolution: Resolution | undefined;
  /** Entry that the step was to alter, delete or replace. */
  readonly cell: Cell | undefined;
  /** Ids of the objects of the type that the state knows. */
  readonly known: ReadonlySet<string>;
  /** How often nothing was found. */
  readonly looks: number;
  readonly start: StepStart;
  /** The step to be taken again; undefined: the state does not have what it was about. */
  readonly step: Step | undefined;
  /** The step makes no call to its provider. */
  readonly noCall: boolean;
}

/** What is asked about a step, of whom. */
export interface Asking {
  readonly provider: Provider;
  readonly extras: TypeExtras | undefined;
  readonly search: Search;
  readonly context: HandlerContext;
}
