/** A program that is a function of the caller's process. Its return value holds the outputs of the stack. */
export type InlineProgram<Returned = unknown> = (run: InlineRun) => Returned;

/** Information about its run for an inline program. */
export interface InlineRun {
  /** Name of the stack that it runs for. */
  readonly stack: string;
  /** True if it runs for a preview. */
  readonly preview: boolean;
  /** Aborted once the operation no longer waits for the program. */
  readonly signal: AbortSignal;
}
