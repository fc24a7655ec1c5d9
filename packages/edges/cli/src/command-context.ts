import type { Readable, Writable } from 'node:stream';
import type { EarlyStart } from '@cairn/operations/early';
import type { Observer } from '@cairn/operations/stacks';

/**
 * The process in the form that commands receive. It is passed in, so that commands run in tests without their own
 * process.
 */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path, after `--cwd` is applied. */
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /**
   * The same streams without filtering: `stdout` and `stderr` show control characters as escapes. For code that draws,
   * and for bare values.
   */
  readonly raw: Pick<CommandContext, 'stdout' | 'stderr'>;
  /** The command line without node and script, for records. */
  readonly argv: readonly string[];
  /** Calls back on interrupt and terminate. Returns a function that stops listening. */
  readonly onInterrupt: (listener: (signal: 'SIGINT' | 'SIGTERM') => void) => () => void;
  readonly now: () => Date;
  /** The start of this process: its command and arguments, its directory, and the name it was called by. */
  readonly self: {
    readonly command: string;
    readonly words: readonly string[];
    /** The first of the words: those that start Cairn, without a command line. */
    readonly start: readonly string[];
    readonly directory: string;
    /** Name of the executable, without its extension. */
    readonly calledAs: string;
  };
  /** Tells the parent of a background process that its change has begun. Does nothing for any other process. */
  readonly announce: (change: string) => void;
  readonly terminal: TerminalCapabilities;
  /** Work begun before the code of the command was loaded, if any. */
  readonly early?: EarlyStart | undefined;
  /** Observer of the command, if there is one. */
  readonly observer?: Observer | undefined;
}

/** Capabilities of this terminal, decided once from flags, environment and streams. */
export interface TerminalCapabilities {
  /** True if prompts may be shown. */
  readonly interactive: boolean;
  /** True if stdout may be redrawn. */
  readonly redraw: boolean;
  readonly colour: boolean;
  /** True if the locale can show more than ASCII. */
  readonly unicode: boolean;
  readonly debug: boolean;
}
