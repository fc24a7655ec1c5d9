import type { Urn } from '@cairn/addresses';

/** What a handler is told besides values. */
export interface HandlerContext<Config = Readonly<Record<string, unknown>>> {
  /** Empty for functions. */
  readonly urn: Urn;
  /** Logical name of the resource; empty for functions. */
  readonly name: string;
  /** Aborted when the user cancels or the time is up; its reason is the error to fail with. */
  readonly signal: AbortSignal;
  /** Base of relative paths: the program's directory. */
  readonly programDirectory: string;
  /** Checked configuration of the provider instance. */
  readonly config: Config;
  /** Tells the user how far the work is. Secret inputs are taken out of the text. Never throws, never waits. */
  readonly log: HandlerLog;
  /**
   * Does work that may fail for a while, again and again, with pauses that grow, as long as `options.when` says that
   * another attempt can help and the signal has not fired. The last failure goes through.
   */
  retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T>;
  /** The text with every secret input replaced: for messages that quote what a tool said. */
  redact(text: string): string;
  /**
   * For a create of a type with `idempotencyToken`, and for a look-up: the same for every repetition of the same
   * create. Undefined when the engine knows none.
   */
  readonly token?: string | undefined;
  /** For a create: what `progress` was told before the operation was interrupted. Wait for that work; begin nothing. */
  readonly progressId?: string | undefined;
  /**
   * For a create that takes long: says what the object, or the work on it, is called, as soon as that is known.
   * Resolves when it is stored; go on only then. After a crash the create is called again, with `progressId`.
   */
  progress?(id: string): Promise<void>;
}

/** Messages to the user, about the resource that is worked on. */
export interface HandlerLog {
  /** A line that is shown while the work goes on and need not be kept. */
  status(text: string): void;
  debug(text: string): void;
  info(text: string): void;
  warning(text: string): void;
}

/** When work is repeated, and for how long. */
export interface RetryOptions {
  /**
   * Whether another attempt can help after this failure: not, or yes, or not before some milliseconds have gone by. Say
   * yes to a failed create only where nothing was done.
   */
  readonly when: (thrown: unknown) => boolean | { readonly afterMs: number };
  /** In all. Default: 8. */
  readonly attempts?: number | undefined;
  /** Bound of the first pause; it doubles with each failure, up to `mostMs`. Default: 500 and 20 000. */
  readonly firstMs?: number | undefined;
  readonly mostMs?: number | undefined;
  /** No pause ends later than this after the first attempt began. Default: 300 000. */
  readonly totalMs?: number | undefined;
}
