/** A program that is a function of the caller's process: what it returns are the outputs of the stack. */
export type InlineProgram<Returned = unknown> = (run: InlineRun) => Returned;

/** What an inline program is told of its run. */
export interface InlineRun {
  /** Name of the stack that it runs for. */
  readonly stack: string;
  /** Whether it runs for a preview. */
  readonly preview: boolean;
  /** Aborted when nobody waits for the program any more. */
  readonly signal: AbortSignal;
}
