import type { EngineEvent } from '@cairn/engine';
import type { Mask } from '@cairn/operations/stacks';
import type { CallWatch } from '@cairn/wire/caller';

/** One way to observe a command. The events it receives never make it throw. */
export interface Look {
  /** Receives calls. `mask` removes secrets from texts. */
  watch?(mask: Mask): CallWatch;
  /** Receives every event of an operation, with secrets masked. */
  event?(event: EngineEvent): void;
  /** Variables that plugins and programs receive. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Arguments that plugins receive before their own. */
  readonly arguments?: readonly string[];
  /**
   * Ends the observation; `code` is the exit code of the command. Returns a description of the lost data, or undefined
   * if nothing was lost.
   */
  close(code: number): Promise<string | undefined> | string | undefined;
}
