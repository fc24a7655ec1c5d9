import type { EarlyStart } from '@cairn/operations/early';
import type { World } from './world.js';

/**
 * One command, as data. Parsing, help and suggestions are all made from these rows, so what is not here cannot be typed
 * and what is here is carried out. Names, flags and meanings: [CLI-1].
 */
export interface CommandSpec {
  /** Words of the command, e.g. `['stack', 'ls']`. */
  readonly path: readonly string[];
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly args?: readonly ArgSpec[];
  readonly flags?: readonly FlagSpec[];
  /** Lines a user can paste. */
  readonly examples?: readonly string[];
  /** Left out of help: other programs type it. */
  readonly hidden?: true;
  /**
   * Without a confirmation and without anybody to ask, the command ends as any failure does where exit codes are those
   * of the other tool [CLI-10].
   */
  readonly unconfirmed?: 'general';
  /**
   * Begins what the command would wait for, before its code is loaded. Resolves when the work runs beside what follows.
   * Nothing of it has an effect, and it never fails. What the command has not used is ended with it.
   */
  readonly early?: (invocation: Invocation, world: World) => Promise<EarlyStart>;
  /** Loads the code of the command; nothing of it is loaded before the command is chosen. */
  readonly load: () => Promise<Command>;
}

/**
 * A command that another tool has and this one does not. Whoever types it, or anything below it, is told why and what
 * to do instead [CLI-1].
 */
export interface RefusedCommand {
  readonly path: readonly string[];
  readonly aliases?: readonly string[];
  /** A clause: why there is no such command. */
  readonly reason: string;
  /** One thing to do, with the command to copy. */
  readonly instead?: string;
}

/** A positional argument. */
export interface ArgSpec {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  /** Takes every further word as well; the last argument only. */
  readonly repeat?: boolean;
}

/** A flag. `value` absent: a switch. */
export interface FlagSpec {
  /** Long name without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value in help. */
  readonly value?: string;
  readonly kind?: 'text' | 'count';
  /** With a value: what the flag alone stands for; a value is given as `--name=value` only. */
  readonly alone?: string;
  /** The switch that is on when the value is `json`; the only other value is `default`. */
  readonly stands?: 'json';
  /** Smallest number of a count; 1 when absent. */
  readonly from?: 0;
  /** Left out of help: other programs give it. */
  readonly hidden?: true;
  /** Why there is no such flag here, though another tool has it; giving it is an error that says so [CLI-1]. */
  readonly refused?: string;
  /** A switch that is on unless it is given as `--name=false`. */
  readonly standard?: 'on';
  /** A variable of the environment that stands for the flag beside `OPTION_<FLAG>`, without its prefix [CFG-14]. */
  readonly variable?: string;
  /** May be given several times; the value is a list. */
  readonly repeat?: boolean;
  readonly summary: string;
}

/** What a command does. Resolves with the exit code. */
export type Command = (invocation: Invocation, world: World) => Promise<number>;

/** A parsed command line. */
export interface Invocation {
  readonly args: readonly (string | undefined)[];
  readonly flags: Flags;
}

/** Parsed flags, read by kind. A flag the command does not declare is a bug. */
export interface Flags {
  /** Whether the command declares a flag of this name. */
  has(name: string): boolean;
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  on(name: string): boolean;
  count(name: string): number | undefined;
}
