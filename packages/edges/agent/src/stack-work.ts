import type { DriftedResource, PlannedStep, RunRow } from '@cairn/changes-daemon';
import type { AgentStack } from './config/agent-config.js';

/** Newest commit of a source. `tree` changes only if the folder of the stack does. */
export interface SourceHead {
  readonly commit: string;
  readonly tree: string;
}

/** Result of planning a run. */
export type PlanResult =
  | {
      readonly t: 'planned';
      readonly steps: readonly PlannedStep[];
      /** Digest of the plan, of the state from which it was made, and the commit of the program. */
      readonly digest: string;
      readonly base: string;
      readonly commit: string | undefined;
      /** True if it leaves objects and state as they are. A plan without steps may still change outputs. */
      readonly changesNothing: boolean;
      /** Process that has made the plan, and can follow it at once. Defaults to none. */
      readonly asking?: AskingProcess | undefined;
    }
  | Failed
  | Stopped;

/** Process that waits for an answer about its plan. It must get one of the two. */
interface AskingProcess {
  /** Lets it apply the run, if plan, state and commit are still those of the run. */
  readonly follow: (run: RunRow) => Promise<WorkResult>;
  /** Ends it. Nothing was done. */
  readonly end: () => Promise<void>;
}

/** The agent stopped the work, or its process died; the outcome is not known. */
export interface Stopped {
  readonly t: 'stopped';
  readonly why: string;
  /** True if the process died by itself or at a limit. */
  readonly isDead?: true;
  /** True if it has done nothing because another operation works on the stack. */
  readonly isLocked?: true;
}

/** Work that failed. */
export interface Failed {
  readonly t: 'failed';
  readonly why: string;
  /** True if the store of the stack did not answer: the work may succeed when it does. */
  readonly isUnreached?: true;
}

/** Result of applying a run or of continuing its operation. */
export type WorkResult =
  /** `afterwards`: why a command after the operation failed. */
  | { readonly t: 'done'; readonly afterwards?: string }
  | (Failed & { readonly afterwards?: string })
  /** The plan, the state or the commit is no longer the approved one; nothing was done. */
  | { readonly t: 'moved'; readonly why: string }
  /** A person has to answer before the operation can continue. */
  | { readonly t: 'asks'; readonly why: string }
  | Stopped;

/** Result of a drift run. */
export type DriftResult =
  { readonly t: 'looked'; readonly resources: readonly Omit<DriftedResource, 'since'>[] } | Failed | Stopped;

/**
 * State of the operation of a run, from the records of its stack. `none`: it has not begun. `unfinished`: it can be
 * resumed or rolled back. `asks`: a person has to answer first.
 */
export type OperationState =
  'none' | 'running' | 'unfinished' | 'asks' | 'succeeded' | 'failed' | 'rolled-back' | 'unknown';

/** Work on a stack, each part as an operation in a process of its own. No method throws for what a stack does. */
export interface StackWork {
  /** Reads the newest commit. Throws if the source cannot be read. `undefined`: the source has no commits. */
  head(stack: AgentStack): Promise<SourceHead | undefined>;
  /** `answers`: true if the caller answers a process that asks. Defaults to false: none asks. */
  plan(stack: AgentStack, run: RunRow, answers?: boolean): Promise<PlanResult>;
  /** Applies the plan, if plan, state and commit are still those of the run. */
  apply(stack: AgentStack, run: RunRow): Promise<WorkResult>;
  look(stack: AgentStack, run: RunRow): Promise<OperationState>;
  recover(stack: AgentStack, run: RunRow, how: 'resume' | 'rollback'): Promise<WorkResult>;
  drift(stack: AgentStack, run: RunRow): Promise<DriftResult>;
  /** Removes a stack without resources. */
  remove(stack: AgentStack, run: RunRow): Promise<WorkResult>;
  /** Deletes logs and plans of a run. */
  forget(run: string): Promise<void>;
}
