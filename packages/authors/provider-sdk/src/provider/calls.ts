import { ProviderError, isInitFailed as isInitFailedAnswer, isProviderError } from '@cairn/wire';
import { isHandlerInitFailed } from './init-failed.js';

/** Signals of the running calls. Each is aborted by its own time limit or when everything is cancelled. */
export class RunningCalls {
  readonly #running = new Set<AbortController>();
  #cancelled = false;

  /**
   * Runs work with a signal. A `timeoutSeconds` of 0 means no limit. Work that fails after its signal has fired fails
   * with the signal's reason, which leaves open how much was done. It fails with its own error if that describes the
   * object's state (see {@link saysWhatBecame}).
   */
  async run<T>(timeoutSeconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#cancelled) throw new ProviderError('ABORTED', 'not begun: the provider was asked to end');
    const controller = new AbortController();
    const { signal } = controller;
    const timer = timeoutSeconds > 0 ? setTimeout(abortLate, timeoutSeconds * 1000) : undefined;
    function abortLate(): void {
      controller.abort(new ProviderError('DEADLINE_EXCEEDED', `not finished within ${timeoutSeconds} s`));
    }
    this.#running.add(controller);
    try {
      return await work(signal);
    } catch (error) {
      if (!signal.aborted || saysWhatBecame(error)) throw error;
      throw signal.reason;
    } finally {
      clearTimeout(timer);
      this.#running.delete(controller);
    }
  }

  /** Accepts another engine: a cancel by an earlier one no longer counts. */
  welcome(): void {
    this.#cancelled = false;
  }

  /** Aborts running calls. Later ones are refused until the next {@link welcome}. */
  cancel(): void {
    this.#cancelled = true;
    for (const controller of this.#running) controller.abort(cancelledError());
  }
}

/**
 * Tells whether an error describes the state of the object: it exists but is incomplete, or nothing was done to it. A
 * signal's reason does not, and neither does any other kind of error, which most libraries use to report an
 * interruption.
 */
function saysWhatBecame(error: unknown): boolean {
  if (isHandlerInitFailed(error) || isInitFailedAnswer(error)) return true;
  return isProviderError(error) && !error.inDoubt;
}

function cancelledError(): ProviderError {
  return new ProviderError('CANCELLED', 'ended before it was done');
}
