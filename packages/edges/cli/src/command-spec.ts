import type { EarlyStart } from '@cairn/operations/early';
import type { CommandContext } from './command-context.js';
import type { FlagSpec, FlagValues } from './flags/flag-spec.js';
import type { GlobalFlags } from './flags/global.js';

/**
 * One command, as data. Parsing, help and suggestions are all made from these rows: a command that is not here cannot
 * be typed, and every one that is here can be run. Names, flags and meanings: [CLI-1].
 */
export interface CommandSpec {
  /** Words of the command, e.g. `['stack', 'ls']`. */
  readonly path: readonly string[];
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly args?: readonly ArgSpec[];
  readonly flags?: readonly FlagSpec[];
  /** Lines that users can paste. */
  readonly examples?: readonly string[];
  /** Omitted from help: other programs type it. */
  readonly hidden?: true;
  /**
   * Exit code for a missing confirmation that no user can be asked for. If exit codes are those of the other tool, the
   * command then ends like any other failure [CLI-10].
   */
  readonly unconfirmed?: 'general';
  /**
   * Starts work that the command would wait for, before its code is loaded. Resolves when that work runs alongside the
   * rest. It has no effect and never fails. Work that the command did not use ends with it.
   */
  readonly early?: (invocation: Invocation, context: CommandContext) => Promise<EarlyStart>;
  /** Loads the code of the command, none of which is loaded before the command is chosen. */
  readonly load: () => Promise<Command>;
}

/**
 * A command that another tool has and this one does not. If a user types it, or anything below it, the error says why
 * and suggests an alternative [CLI-1].
 */
export interface RefusedCommand {
  readonly path: readonly string[];
  readonly aliases?: readonly string[];
  /** A clause with the reason why there is no such command. */
  readonly reason: string;
  /** One suggestion, with the command to copy. */
  readonly instead?: string;
}

/** A positional argument. */
export interface ArgSpec {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  /** True if it takes every further word as well; the last argument only. */
  readonly repeat?: boolean;
}

/** Runs a command that reads these flags, besides those of every command. Resolves with the exit code. */
export type Command<Reads = unknown> = (
  invocation: Invocation<GlobalFlags & Reads>,
  context: CommandContext,
) => Promise<number>;

/** A parsed command line. */
export interface Invocation<Flags = GlobalFlags> {
  readonly args: readonly (string | undefined)[];
  /** Values of flags by property, each once and frozen. */
  readonly flags: Flags;
}

/** A command with the flags of its row. */
type CommandRow<Rows extends readonly FlagSpec[]> = Omit<CommandSpec, 'flags' | 'early' | 'load'> & {
  readonly flags?: Rows;
  readonly early?: (
    invocation: Invocation<GlobalFlags & FlagValues<NoInfer<Rows>>>,
    context: CommandContext,
  ) => Promise<EarlyStart>;
  readonly load: () => Promise<Command<GlobalFlags & FlagValues<NoInfer<Rows>>>>;
};

/** Ties a command to its row: code that reads a flag which the row lacks does not compile. */
export function command<const Rows extends readonly FlagSpec[] = readonly []>(
  row: CommandRow<Rows>,
): CommandSpec {
  return row as CommandSpec;
}
