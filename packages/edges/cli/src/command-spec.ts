import type { EarlyStart } from '@cairn/operations/early';
import type { CommandContext } from './command-context.js';

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

/** A flag. Without a `value` it is a switch. */
export interface FlagSpec {
  /** Long name without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value in help. */
  readonly value?: string;
  readonly kind?: 'text' | 'count';
  /** Value of the flag if it is given alone. A value is then given only as `--name=value`. */
  readonly alone?: string;
  /** Turns on the switch of this name if the value is `json`; the only other value is `default`. */
  readonly stands?: 'json';
  /** Smallest number of a count. Defaults to 1. */
  readonly from?: 0;
  /** Omitted from help: other programs pass it. */
  readonly hidden?: true;
  /** Reason why this flag is not offered, though another tool has it. The error for such a flag contains it [CLI-1]. */
  readonly refused?: string;
  /** A switch that is on unless it is given as `--name=false`. */
  readonly standard?: 'on';
  /** A variable of the environment that sets the flag beside `OPTION_<FLAG>`, without its prefix [CFG-14]. */
  readonly variable?: string;
  /** True if it may be given several times; the value is a list. */
  readonly repeat?: boolean;
  readonly summary: string;
}

/** Runs a command. Resolves with the exit code. */
export type Command = (invocation: Invocation, context: CommandContext) => Promise<number>;

/** A parsed command line. */
export interface Invocation {
  readonly args: readonly (string | undefined)[];
  readonly flags: Flags;
}

/** Parsed flags, read by kind. A flag the command does not declare is a bug. */
export interface Flags {
  /** Tells whether the command declares a flag of this name. */
  has(name: string): boolean;
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  on(name: string): boolean;
  count(name: string): number | undefined;
}
