import { ProviderError } from '@cairn/wire';

/** Signals for the calls under way: each is aborted by its own time limit or by a cancel of everything. */
export class Calls {
  private readonly running = new Set<AbortController>();
  private cancelled = false;

  /** Runs work with a signal; `timeoutSeconds` 0: no limit. Its errors are the work's own. */
  async run<T>(timeoutSeconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.cancelled) throw new ProviderError('ABORTED', 'not begun: the provider was asked to end');
    const controller = new AbortController();
    const late = (): void =>
      controller.abort(new ProviderError('DEADLINE_EXCEEDED', `not finished within ${timeoutSeconds} s`));
    const timer = timeoutSeconds > 0 ? setTimeout(late, timeoutSeconds * 1000) : undefined;
    this.running.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      clearTimeout(timer);
      this.running.delete(controller);
    }
  }

  /** Aborts what is under way; what is still to come is refused. */
  cancel(): void {
    this.cancelled = true;
    for (const controller of this.running)
      controller.abort(new ProviderError('CANCELLED', 'ended before it was done'));
  }
}
