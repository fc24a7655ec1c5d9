import { cairnError } from '@cairn/diagnostics';
import type { CairnError, Diagnostic } from '@cairn/diagnostics';
import type { EngineService, Monitor, ProgramEnding, RunResult } from '@cairn/wire';
import type { EngineEvent } from '@cairn/engine';
import type { WaitingProgram } from '@cairn/language-node';
import type { Observed } from '@cairn/plugin-host';
import type { Env } from '@cairn/workspace';
import type { Interaction } from './interaction.js';

/** Ports through which the caller provides everything that belongs to one process, one terminal or one person. */
export interface Ports {
  readonly env: Env;
  /** Absolute path; base of relative paths. */
  readonly cwd: string;
  readonly now: () => Date;
  /** Version of the calling tool, without a leading `v`: locks, journals and documents name it. */
  readonly version: string;
  /** Directories whose `node_modules` contain providers. */
  readonly packageRoots: readonly string[];
  /** Start of the work: the words of its command for locks, and its facts for the history. */
  readonly started: {
    readonly argv: readonly string[];
    readonly recorded: Readonly<Record<string, string>>;
  };
  /** Registers a listener for requests to end the work. Returns a function that removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly interaction: Interaction;
  /** Receives traces and events of runs. Optional. */
  readonly observer?: Observer | undefined;
  /**
   * Checks the types of programs on `@pulumi/pulumi` before they run, unless the project says otherwise, as Pulumi's
   * own host does. Defaults to a check when an operation or the project asks for it.
   */
  readonly typesAreChecked?: boolean | undefined;
  /** The SDK of programs whose package.json names none, for which packages are generated. Defaults to ours. */
  readonly usualSdk?: 'pulumi' | undefined;
  /**
   * Process of the project's program that was started ahead. Without it, the process starts when the program is to run.
   */
  readonly early?: EarlyProgram | undefined;
  /** Function of this process that is the program, in place of the project's. Defaults to the project's program. */
  readonly program?: OwnProgram | undefined;
}

/** Process of a program that is started before its task is known. */
export interface EarlyProgram {
  /** Hands over the process that waits, if any. */
  take(): WaitingProgram | undefined;
  /** Starts another one, for the next pass. */
  again(): void;
}

/** Removes secrets from a text. */
export type Mask = (text: string) => string;

/** Observer of runs. Its methods must not throw. */
export interface Observer {
  /**
   * Returns the observation of plugins, and of calls to and from other processes. `mask` removes secrets from texts.
   */
  readonly observed: (mask: Mask) => Observed;
  /** Receives every event of an operation, with secrets masked. */
  readonly event?: ((event: EngineEvent) => void) | undefined;
  /** Set if something waits for a debugger; `program` is true if the program does. Optional. */
  readonly debugged?: { readonly program: boolean } | undefined;
}

/** Returns the observation of a run, with all secrets masked that are known so far. */
export function observed({ observer }: Pick<Ports, 'observer'>, mask?: Mask): Observed | undefined {
  return observer?.observed(mask ?? ((text) => text));
}

/** A function of this process as a program. */
export interface OwnProgram {
  /** Base of relative paths in its resources. */
  readonly directory: string;
  /** Promise of the program's runner about its end. Optional. */
  readonly ending?: ProgramEnding | undefined;
  start(asked: ProgramOfProcess): RunningProgram;
}

/** Arguments of a function of this process that runs as a program. */
interface ProgramOfProcess {
  readonly monitor: Monitor;
  readonly engine: EngineService;
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  /** Directory of the project file. */
  readonly rootDirectory: string;
  readonly dryRun: boolean;
  readonly parallel: number;
  /** `namespace:name` to text, decrypted. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
}

/** A function that runs as the program. */
export interface RunningProgram {
  /** Result of the program. Never rejects. */
  readonly finished: Promise<RunResult>;
  /** Stops waiting for it. */
  stop(): void;
}

/** Listens for a while, so that an interrupt neither ends the process nor is missed. */
export function rememberInterrupts({ onInterrupt }: Pick<Ports, 'onInterrupt'>): RememberedInterrupts {
  let heard = false;
  const stop = onInterrupt(() => (heard = true));
  return { heard: () => heard, stop };
}

/** Result of {@link rememberInterrupts}. */
interface RememberedInterrupts {
  readonly heard: () => boolean;
  stop(): void;
}

/** Reports diagnostics, if there are any. */
export function tell({ interaction }: Pick<Ports, 'interaction'>, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) interaction.tell(diagnostics);
}

/** Returns the error for an interrupt that came before there was anything to stop. */
export function interruptedEarly(): CairnError {
  return cairnError('CAIRN-CANCELLED', 'interrupted: nothing was changed');
}

/** Returns the error for a declined question. */
export function declinedError(): CairnError {
  return cairnError('CAIRN-CANCELLED', 'nothing was changed');
}
