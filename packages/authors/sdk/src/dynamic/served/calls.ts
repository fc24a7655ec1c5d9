import { ProviderError } from '@cairn/wire';

/** Signals of the running calls. Each is aborted by its own time limit or when everything is cancelled. */
export class Calls {
  private readonly running = new Set<AbortController>();
  private cancelled = false;

  /** Runs work with a signal. A `timeoutSeconds` of 0 means no limit. Errors of the work pass unchanged. */
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

  /** Aborts running calls. Later ones are refused. */
  cancel(): void {
    this.cancelled = true;
    for (const controller of this.running)
      controller.abort(new ProviderError('CANCELLED', 'ended before it was done'));
  }
}
