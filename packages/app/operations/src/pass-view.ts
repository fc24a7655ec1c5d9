import type { Urn } from '@cairn/addresses';
import type { ControlMessage, StackId } from '@cairn/backends';
import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent, OperationKind, OperationResult, RunningOperation } from '@cairn/engine';
import type { ProgramConfig } from '@cairn/workspace';

/** One pass of an operation over a stack, as it is shown. */
export interface Pass {
  readonly which: 'preview' | 'run';
  readonly kind: OperationKind;
  readonly stack: StackId;
  readonly purpose: Purpose;
  /** The configuration that the program gets. */
  readonly config: ProgramConfig;
  /** Id of the change that is made; undefined for previews. */
  readonly change?: string | undefined;
  /** There is nothing to do: a preview stands for the real thing, or no step is taken at all. */
  readonly nothingToDo?: boolean | undefined;
  /** Only finds something out: what it does is for nobody to see. It can be interrupted all the same. */
  readonly silent?: boolean | undefined;
}

/** Why a pass is made. Numbers are those of the changes that it has to do with. */
export type Purpose =
  | { readonly t: 'begin' }
  | { readonly t: 'begin-again'; readonly change: number }
  | { readonly t: 'resume'; readonly change: number; readonly rollingBack: boolean }
  | { readonly t: 'rollback'; readonly change: number }
  | { readonly t: 'resolve'; readonly doubt: string; readonly urn: Urn };

/** How a running pass can be asked to end. */
export type PassControl = Pick<RunningOperation, 'cancel' | 'cancelRunning' | 'kill'>;

/** How a pass ended. */
export interface PassEnd {
  readonly status: OperationStatus;
  readonly result: OperationResult;
  /** What storing the state has found; nothing after a preview. */
  readonly stored: readonly Diagnostic[];
  /** Whether its change can be gone on with. */
  readonly unfinished: boolean;
}

/** What a pass is shown to. Members that are missing are not told of it. */
export interface PassView {
  /** Takes an event, secrets masked; never throws and never waits. */
  event(event: EngineEvent): void;
  /** It runs, and can be asked to end. */
  started?(control: PassControl): void;
  /**
   * Another process asks something of it. `heed` does it, and says what came of that; whoever has this member calls it.
   */
  asked?(message: ControlMessage, heed: () => Heard): void;
  /** It came to an end that is no result. */
  failed?(message: string): void;
  /** No event comes any more. */
  close?(): void | Promise<void>;
  /** It has ended, and what it did is stored. */
  ended?(end: PassEnd): void;
  /** Whether the real thing is to follow a preview that was shown. Absent: it is. */
  confirm?(): Promise<boolean>;
}

/** What came of a message of another process. */
export type Heard =
  /**
   * `undo`, `keep`: no further step starts, and what was done is rolled back, or stays. `cancelled`: the providers were
   * asked to end running steps. `left`: they are waited for no more. `too-late`: everything was done already.
   */
  | { readonly t: 'abort'; readonly how: 'undo' | 'keep' | 'cancelled' | 'left' | 'too-late' }
  /** `waits`: whether a task waited for it. */
  | { readonly t: 'approve'; readonly waits: boolean }
  /** It counts when the change is resumed. */
  | { readonly t: 'resolve' };

/** How an operation ended. `unexpected-changes`: it succeeded, and nothing was to change. */
export type OperationStatus = OperationResult['summary']['result'] | 'unexpected-changes';
