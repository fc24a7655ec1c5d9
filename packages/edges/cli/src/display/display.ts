import type { EngineEvent, OperationKind } from '@cairn/engine';

/** Shows an operation to the user. */
export interface Display {
  /** Receives an event; never throws and never waits. */
  event(event: EngineEvent): void;
  /**
   * Reports that the operation ended without a result, because it could not continue. If absent, the caller reports it.
   */
  failed?(message: string): void;
  /**
   * Shows a message above or between the rows, e.g. about an interrupt. After the display is closed, it appears below
   * them.
   */
  say(line: string): void;
  /** Reports that no further step begins and that running steps are awaited. */
  stopping?(): void;
  /** Draws the last state and releases the terminal. */
  close(): void;
}

/** Style of written events. `operation` is the kind of the operation that they belong to. */
export interface EventJsonStyle {
  readonly showSecrets: boolean;
  readonly operation: OperationKind;
}
