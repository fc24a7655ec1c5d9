import { cairnError } from '@cairn/diagnostics';
import type { CairnError, Diagnostic } from '@cairn/diagnostics';
import type { EngineService, Monitor, RunResult } from '@cairn/wire';
import type { EngineEvent } from '@cairn/engine';
import type { WaitingProgram } from '@cairn/language-node';
import type { Observed } from '@cairn/plugin-host';
import type { Env } from '@cairn/workspace';
import type { Interaction } from './interaction.js';

/** What the package asks of whoever calls it: what belongs to one process, one terminal or one person comes in here. */
export interface Ports {
  readonly env: Env;
  /** Absolute; relative paths count from here. */
  readonly cwd: string;
  readonly now: () => Date;
  /** Version of the tool that calls, without a leading `v`: locks, journals and documents name it. */
  readonly version: string;
  /** Directories whose `node_modules` bring providers along. */
  readonly packageRoots: readonly string[];
  /** How the work was started: the words of its command for locks, and what history keeps of it. */
  readonly started: {
    readonly argv: readonly string[];
    readonly recorded: Readonly<Record<string, string>>;
  };
  /** Calls back when somebody wants the work to end; returns the way to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly interaction: Interaction;
  /** Somebody who looks into runs; absent: nobody does. */
  readonly observer?: Observer | undefined;
  /**
   * Types of programs on `@pulumi/pulumi` are checked before they run, unless the project says otherwise, as Pulumi's
   * own host does. Absent: when an operation or the project asks for it.
   */
  readonly typesAreChecked?: boolean | undefined;
  /** The SDK of programs whose package.json names none, for which packages are generated. Absent: ours. */
  readonly usualSdk?: 'pulumi' | undefined;
  /** A process of the project's program that was started ahead. Absent: it is started when it is to run. */
  readonly early?: EarlyProgram | undefined;
  /** A function of this process that is the program, in place of the project's. Absent: the project's is run. */
  readonly program?: OwnProgram | undefined;
}

/** The process of a program that is started before it is known what it is to do. */
export interface EarlyProgram {
  /** Hands the process over that waits now; undefined: none does. */
  take(): WaitingProgram | undefined;
  /** Starts another one, for the next pass. */
  again(): void;
}

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/** Somebody who looks into runs. Nothing of it may throw. */
export interface Observer {
  /** How plugins, and calls to and from other processes, are looked into. `mask` takes secrets out of texts. */
  readonly observed: (mask: Mask) => Observed;
  /** Everything an operation tells, secrets masked. */
  readonly event?: ((event: EngineEvent) => void) | undefined;
  /** Something waits for a debugger; `program`: the program does. Absent: nothing. */
  readonly debugged?: { readonly program: boolean } | undefined;
}

/** How it is looked into, without secrets as far as they are known by now. */
export function observed({ observer }: Pick<Ports, 'observer'>, mask?: Mask): Observed | undefined {
  return observer?.observed(mask ?? ((text) => text));
}

/** A function of this process as a program. */
export interface OwnProgram {
  /** What relative paths of its resources count from. */
  readonly directory: string;
  start(asked: ProgramOfProcess): RunningProgram;
}

/** What a function of this process is started with as a program. */
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
  /** How it ended. Never rejects. */
  readonly finished: Promise<RunResult>;
  /** It is waited for no more. */
  stop(): void;
}

/** Listens for a while, so that an interrupt neither ends the process nor goes unheard. */
export function rememberInterrupts({ onInterrupt }: Pick<Ports, 'onInterrupt'>): RememberedInterrupts {
  let heard = false;
  const stop = onInterrupt(() => (heard = true));
  return { heard: () => heard, stop };
}

/** What {@link rememberInterrupts} gives. */
interface RememberedInterrupts {
  readonly heard: () => boolean;
  stop(): void;
}

/** Tells of what was found, when there is something. */
export function tell({ interaction }: Pick<Ports, 'interaction'>, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) interaction.tell(diagnostics);
}

/** An interrupt came before there was anything to stop. */
export function interruptedEarly(): CairnError {
  return cairnError('CAIRN-CANCELLED', 'interrupted: nothing was changed');
}

/** Somebody was asked, and the answer is no. */
export function nothingChanged(): CairnError {
  return cairnError('CAIRN-CANCELLED', 'nothing was changed');
}
