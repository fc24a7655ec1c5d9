import type { Readable, Writable } from 'node:stream';
import type { EarlyStart } from '@cairn/operations/early';
import type { Observer } from '@cairn/operations/stacks';

/** The process as commands see it; handed in, so that commands run in tests without a process of their own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; after `--cwd`. */
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /**
   * The same streams as they are: `stdout` and `stderr` show control characters as escapes. For what draws, and for
   * bare values.
   */
  readonly raw: Pick<World, 'stdout' | 'stderr'>;
  /** The command line without node and script, for records. */
  readonly argv: readonly string[];
  /** Calls back on interrupt and terminate; returns the way to stop listening. */
  readonly onInterrupt: (listener: (signal: 'SIGINT' | 'SIGTERM') => void) => () => void;
  readonly now: () => Date;
  /** This process as it was started: a command and its words, the directory, and under which name. */
  readonly self: {
    readonly command: string;
    readonly words: readonly string[];
    readonly directory: string;
    /** Name of the executable, without its ending. */
    readonly calledAs: string;
  };
  /** Tells whoever started this process in the background that its change has begun; does nothing when nobody did. */
  readonly announce: (change: string) => void;
  readonly terminal: TerminalManners;
  /** Work begun before the code of the command was loaded, if any. */
  readonly early?: EarlyStart | undefined;
  /** Somebody who looks into what the command does; undefined: nobody. */
  readonly observer?: Observer | undefined;
}

/** How to behave on this terminal, decided once from flags, environment and streams. */
export interface TerminalManners {
  /** Prompts may be shown. */
  readonly interactive: boolean;
  /** Stdout may be redrawn. */
  readonly redraw: boolean;
  readonly colour: boolean;
  /** The locale can show more than ASCII. */
  readonly unicode: boolean;
  readonly debug: boolean;
}
