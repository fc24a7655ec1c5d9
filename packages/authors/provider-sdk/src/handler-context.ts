import type { Urn } from '@cairn/addresses';

/** Context of a call to a handler. */
export interface HandlerContext<Config = Readonly<Record<string, unknown>>> {
  /** URN of the resource. Empty for functions. */
  readonly urn: Urn;
  /** Logical name of the resource. Empty for functions. */
  readonly name: string;
  /** Aborted when the user cancels or the time limit is reached. Its reason is the error to fail with. */
  readonly signal: AbortSignal;
  /** Base of relative paths: the program's directory. */
  readonly programDirectory: string;
  /** Checked configuration of the provider instance. */
  readonly config: Config;
  /** Reports progress to the user. Secret inputs are removed from the text. Never throws, never waits. */
  readonly log: HandlerLog;
  /**
   * Retries work that may fail for a while, with growing pauses, as long as `options.when` allows another attempt and
   * the signal has not fired. Rethrows the last failure.
   */
  retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T>;
  /** Returns the text with every secret input replaced: for messages that quote a tool's output. */
  redact(text: string): string;
  /**
   * Idempotency token for a create of a type with `idempotencyToken`, and for a lookup: the same for every retry of the
   * same create. Undefined if the engine knows none.
   */
  readonly token?: string | undefined;
  /**
   * For a create: the id passed to `progress` before the operation was interrupted. Wait for that work; begin nothing.
   */
  readonly progressId?: string | undefined;
  /**
   * Reports the id of the object, or of the work on it, as soon as it is known: for a create that takes long. Resolves
   * when it is stored; continue only then. After a crash the create is called again, with `progressId`.
   */
  progress?(id: string): Promise<void>;
}

/** Messages to the user about the current resource. */
export interface HandlerLog {
  /** Shows a line during the work that need not be kept. */
  status(text: string): void;
  debug(text: string): void;
  info(text: string): void;
  warning(text: string): void;
}

/** Conditions and limits of retries. */
export interface RetryOptions {
  /**
   * Tells whether another attempt can help after this failure: no, yes, or not before some milliseconds have passed.
   * Return yes for a failed create only if nothing was done.
   */
  readonly when: (thrown: unknown) => boolean | { readonly afterMs: number };
  /** Maximum number of attempts. Defaults to 8. */
  readonly attempts?: number | undefined;
  /** Upper bound of the first pause. It doubles with each failure, up to `mostMs`. Defaults to 500 and 20 000. */
  readonly firstMs?: number | undefined;
  readonly mostMs?: number | undefined;
  /** No pause ends later than this after the first attempt began. Defaults to 300 000. */
  readonly totalMs?: number | undefined;
}
