import type { Urn } from '@cairn/addresses';
import type { ControlMessage, StackId } from '@cairn/backends';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent, OperationKind, EngineResult, RunningOperation } from '@cairn/engine';
import type { ProgramConfig } from '@cairn/workspace';

/** One pass of an operation over a stack, in the form for views. */
export interface Pass {
  readonly which: 'preview' | 'run';
  readonly kind: OperationKind;
  readonly stack: StackId;
  readonly purpose: Purpose;
  /** The configuration that the program gets. */
  readonly config: ProgramConfig;
  /** Id of the change that it makes; `undefined` for previews. */
  readonly change?: string | undefined;
  /** Address of the page that shows that change, if its store has one. */
  readonly page?: string | undefined;
  /** True if there is nothing to do: a preview takes the place of the run, or no step is taken at all. */
  readonly nothingToDo?: boolean | undefined;
  /** True if the pass only finds something out, and its steps are not shown. It can be interrupted all the same. */
  readonly silent?: boolean | undefined;
}

/** Reason for a pass. Numbers are those of related changes. */
export type Purpose =
  | { readonly t: 'begin' }
  | { readonly t: 'begin-again'; readonly change: number }
  | { readonly t: 'resume'; readonly change: number; readonly rollingBack: boolean }
  | { readonly t: 'rollback'; readonly change: number }
  | { readonly t: 'resolve'; readonly doubt: string; readonly urn: Urn };

/** Methods to end a running pass. */
export type PassControl = Pick<RunningOperation, 'cancel' | 'cancelRunning' | 'kill'>;

/** End of a pass. */
export interface PassEnd {
  readonly status: OperationStatus;
  readonly result: EngineResult;
  /** Findings when the state was stored; empty after a preview. */
  readonly stored: readonly Diagnostic[];
  /** True if its change can be continued. */
  readonly unfinished: boolean;
  /** Address of the page that shows a preview, if there is one. */
  readonly page?: string | undefined;
}

/** View of a pass. Missing members are not called. */
export interface PassView {
  /** Takes an event with secrets masked. Never throws and never waits. */
  event(event: EngineEvent): void;
  /** Reports that the pass runs, with the methods to end it. */
  started?(control: PassControl): void;
  /**
   * Receives a request of another process. `carryOut` carries it out and returns the result; a view with this member
   * calls it.
   */
  asked?(message: ControlMessage, carryOut: () => MessageResult): void;
  /** Reports an end without a result. */
  failed?(message: string): void;
  /** Reports that no more events follow. */
  close?(): void | Promise<void>;
  /** Reports that the pass has ended and its results are stored. */
  ended?(end: PassEnd): void;
  /** Asks whether the run is to follow the preview. Without this member it follows. */
  confirm?(): Promise<boolean>;
}

/** Result of a request of another process. */
export type MessageResult =
  /**
   * `undo`, `keep`: no further step starts, and completed steps are rolled back, or remain. `cancelled`: the providers
   * were asked to end running steps. `left`: the operation no longer waits for them. `too-late`: everything was already
   * done.
   */
  | { readonly t: 'abort'; readonly how: 'undo' | 'keep' | 'cancelled' | 'left' | 'too-late' }
  /** `waits` is true if a task waited for it. */
  | { readonly t: 'approve'; readonly waits: boolean }
  /** It takes effect when the change is resumed. */
  | { readonly t: 'resolve' };

/** End of an operation. `unexpected-changes`: it succeeded, although nothing was to change. */
export type OperationStatus = EngineResult['summary']['result'] | 'unexpected-changes';
