import type { EngineEvent } from '@cairn/engine';
import type { Mask } from '@cairn/operations/stacks';
import type { CallWatch } from '@cairn/wire/caller';

/** One way to look into a command. What it hears never makes it throw. */
export interface Look {
  /** Hears calls, without what `mask` takes out of texts. */
  watch?(mask: Mask): CallWatch;
  /** Everything an operation tells, secrets masked. */
  event?(event: EngineEvent): void;
  /** Variables that plugins and programs get. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Words that plugins get before their own. */
  readonly arguments?: readonly string[];
  /** `code`: how the command ends. Tells what was lost; undefined: nothing was. */
  close(code: number): Promise<string | undefined> | string | undefined;
}
