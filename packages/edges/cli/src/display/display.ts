import type { EngineEvent, OperationKind } from '@cairn/engine';

/** Something that shows an operation to someone. */
export interface Display {
  /** Takes an event; never throws and never waits. */
  event(event: EngineEvent): void;
  /** The operation has come to an end that is no result: it could not go on. Absent: whoever ran it says so. */
  failed?(message: string): void;
  /** Says something above or between the rows, e.g. that an interrupt was heard; below them when it is closed. */
  say(line: string): void;
  /** No further step begins: what runs is waited for. */
  stopping?(): void;
  /** Draws the last state and gives the terminal back. */
  close(): void;
}

/** How events are written. `operation`: whose events they are. */
export interface EventJsonStyle {
  readonly showSecrets: boolean;
  readonly operation: OperationKind;
}
