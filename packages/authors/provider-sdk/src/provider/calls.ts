import { ProviderError, isInitFailed as isInitFailedAnswer, isProviderError } from '@cairn/wire';
import { isInitFailed } from './init-failed.js';

/** Signals for the calls under way: each is aborted by its own time limit or by a cancel of everything. */
export class Calls {
  private readonly running = new Set<AbortController>();
  private cancelled = false;

  /**
   * Runs work with a signal. `timeoutSeconds` 0: no limit. Work that fails after its signal has fired fails with the
   * signal's reason, which leaves open what was done, unless it says what became of the object (see
   * {@link saysWhatBecame}).
   */
  async run<T>(timeoutSeconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.cancelled) throw new ProviderError('ABORTED', 'not begun: the provider was asked to end');
    const controller = new AbortController();
    const { signal } = controller;
    const timer = timeoutSeconds > 0 ? setTimeout(abortLate, timeoutSeconds * 1000) : undefined;
    function abortLate(): void {
      controller.abort(new ProviderError('DEADLINE_EXCEEDED', `not finished within ${timeoutSeconds} s`));
    }
    this.running.add(controller);
    try {
      return await work(signal);
    } catch (error) {
      if (!signal.aborted || saysWhatBecame(error)) throw error;
      throw signal.reason;
    } finally {
      clearTimeout(timer);
      this.running.delete(controller);
    }
  }

  /** Another engine has come: what an earlier one wanted to end is over. */
  welcome(): void {
    this.cancelled = false;
  }

  /** Aborts what is under way; what is still to come is refused until the next {@link welcome}. */
  cancel(): void {
    this.cancelled = true;
    for (const controller of this.running) controller.abort(cancelledError());
  }
}

/**
 * Whether an error says what became of the object: it exists but is not what it should be, or nothing was done to it. A
 * signal's reason does not, and neither does an error of another kind, which is how most libraries report that they
 * were interrupted.
 */
function saysWhatBecame(error: unknown): boolean {
  if (isInitFailed(error) || isInitFailedAnswer(error)) return true;
  return isProviderError(error) && !error.inDoubt;
}

function cancelledError(): ProviderError {
  return new ProviderError('CANCELLED', 'ended before it was done');
}
