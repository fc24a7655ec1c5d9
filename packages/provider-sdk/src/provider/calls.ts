import { ProviderError } from '@cairn/wire';

/** Signals for the calls under way: each is aborted by its own time limit or by a cancel of everything. */
export class Calls {
  private readonly running = new Set<AbortController>();
  private cancelled = false;

  /** Runs work with a signal. `timeoutSeconds` 0: no limit. */
  async run<T>(timeoutSeconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    if (this.cancelled) controller.abort(cancelledError());
    const timer =
      timeoutSeconds > 0
        ? setTimeout(
            () =>
              controller.abort(
                new ProviderError('DEADLINE_EXCEEDED', `not finished within ${timeoutSeconds} s`),
              ),
            timeoutSeconds * 1000,
          )
        : undefined;
    this.running.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      clearTimeout(timer);
      this.running.delete(controller);
    }
  }

  /** Aborts what is under way and what is still to come. */
  cancel(): void {
    this.cancelled = true;
    for (const controller of this.running) controller.abort(cancelledError());
  }
}

function cancelledError(): ProviderError {
  return new ProviderError('CANCELLED', 'cancelled by the user');
}
