// NOTICE to the state helper: the lead engineer has implemented this package (see src/file-backend.ts, layout.ts, locked-stack.ts, recovery.ts, locks.ts). Leave packages/backends alone: finish packages/state (decodeCheckpoint, encodeCheckpoint, verifyIntegrity, Replayer, signManifest) and report.
import type { Diagnostic } from '@cairn/diagnostics';
import type { ChangeStore } from '@cairn/changes';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';
import type { HistoryEntry, HistoryKind } from './history.js';
import type { StackIdentity } from './layout.js';

/** Where stacks live: list, lock, read, change, history. All failures are CairnErrors that say what is saved where. */
export interface Backend {
  /** The address as the user typed it; credentials and selections are kept under it. */
  readonly url: string;
  /** Stacks of a project, or of all, by name. */
  list(project?: string): Promise<readonly StackSummary[]>;
  exists(id: StackIdentity): Promise<boolean>;
  /** Creates a stack with an empty state. Fails with CAIRN-STACK-EXISTS. */
  create(id: StackIdentity, secrets: SecretsProviderRecord): Promise<void>;
  /** Removes a stack (state.md 5.8). Fails with CAIRN-STACK-NOT-EMPTY unless forced. */
  remove(id: StackIdentity, options: RemoveOptions): Promise<void>;
  /**
   * The state, checked or as it is. Undefined: nothing was ever deployed. Fails with CAIRN-STACK-NOT-FOUND, CAIRN-STATE-CORRUPT,
   * CAIRN-STATE-TOO-NEW and, when checked, CAIRN-STATE-INTEGRITY.
   */
  read(id: StackIdentity, integrity: 'check' | 'ignore'): Promise<SerializedDeployment | undefined>;
  /** Entries newest first; `page` counts from 1. */
  history(id: StackIdentity, page: number, pageSize: number): Promise<readonly HistoryEntry[]>;
  /**
   * Takes the stack's lock and first folds what a dead operation left behind into the checkpoint. Fails with
   * CAIRN-STATE-LOCKED.
   */
  lock(id: StackIdentity): Promise<LockedStack>;
  /** Removes every lock of the stack, whoever holds it; returns how many. */
  releaseLocks(id: StackIdentity): Promise<number>;
  close(): Promise<void>;
}

/** One row of a listing. */
export interface StackSummary extends StackIdentity {
  /** RFC 3339; undefined when never deployed. */
  readonly lastUpdate: string | undefined;
  /** Undefined when never deployed, or when the checkpoint cannot be read. */
  readonly resourceCount: number | undefined;
}

/** How to remove a stack. */
export interface RemoveOptions {
  readonly force: boolean;
  readonly removeBackups: boolean;
}

/** A stack that is ours alone until released. */
export interface LockedStack {
  readonly id: StackIdentity;
  /** What was found and done when the lock was taken: folded journals, steps in doubt, locks left behind. */
  readonly notes: readonly Diagnostic[];
  /** The state, checked. */
  readonly deployment: SerializedDeployment;
  /** Opens the journal of an operation. One at a time. */
  begin(start: OperationStart): Promise<OperationLog>;
  /** Puts a whole new state in place (import). */
  replace(deployment: SerializedDeployment): Promise<void>;
  /** Never throws; what could not be released comes back as a warning. */
  release(): Promise<readonly Diagnostic[]>;
}

/** What history will say of the operation. */
export interface OperationStart {
  readonly kind: HistoryKind;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The journal of a running operation. */
export interface OperationLog {
  /** Number of the change on this stack. */
  readonly change: number;
  /** Records with JSON entries (state.md 4.1), secrets sealed; durable when `append` resolves. */
  readonly store: ChangeStore;
  /** Folds the journal into the checkpoint, writes history and backup, and ends the journal. */
  finish(end: OperationEnd): Promise<void>;
  /** Leaves the journal as it is, for the next command to fold: after a failed write. */
  abandon(): Promise<void>;
}

/** How an operation ended. */
export interface OperationEnd {
  readonly result: 'succeeded' | 'failed';
  readonly resourceChanges: Readonly<Record<string, number>>;
}
