import type { EngineEvent, OperationKind, EngineResult } from '@cairn/engine';
import type { ProgramConfig } from '@cairn/workspace';
import type { Row } from './rows.js';

/** Shows an operation to the user. */
export interface Display {
  /** Receives an event, and the row that it changed if rows are kept. Never throws and never waits. */
  event(event: EngineEvent, row?: Row): void;
  /**
   * Shows a message above or between the rows, e.g. about an interrupt. After the display is closed, it appears below
   * them.
   */
  say(line: string): void;
  /** Reports that no further step begins and that running steps are awaited. */
  stopping?(): void;
  /** Draws the last state and releases the terminal. A stream of lines ends with the address of the page. */
  close(page?: string): void;
  /**
   * Returns the one text that stdout is reserved for, with the address of the page of the pass, if there is one. Must
   * be called once, after the last event.
   */
  answer?(result: EngineResult, program: ProgramConfig, page?: string): string;
}

/** Style of written events. `operation` is the kind of the operation that they belong to. */
export interface EventJsonStyle {
  readonly showSecrets: boolean;
  readonly operation: OperationKind;
  /** Address of the page of the change. Defaults to none. */
  readonly page?: string | undefined;
}
