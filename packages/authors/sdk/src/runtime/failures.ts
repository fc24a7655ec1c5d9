import { isStatusError } from '@cairn/wire';

/** Failure of a program: with an error to report, or one that is already reported. */
export type Failure =
  | { readonly t: 'loud'; readonly error: unknown; readonly unawaited?: boolean }
  | { readonly t: 'quiet' }
  | { readonly t: 'gone' };

/**
 * Failures of the program, each error once. `gone`: the monitor has left and no connection remains. `quiet`: a resource
 * failed and the engine has reported it; the program may continue, but does not succeed.
 */
export class Failures {
  readonly #seen = new WeakSet<object>();
  #sawQuiet = false;
  #resolveEnd!: (failure: Failure) => void;

  /** Resolves at the first failure that ends the program. */
  readonly ended: Promise<Failure> = new Promise((resolve) => {
    this.#resolveEnd = resolve;
  });

  /** True if the program may not end with success. */
  get any(): boolean {
    return this.#sawQuiet;
  }

  /**
   * Records an error that the program did not handle. `unawaited` marks an error of a promise that no code awaits. The
   * same error object counts once.
   */
  report(error: unknown, unawaited = false): void {
    if (typeof error === 'object' && error !== null) {
      if (this.#seen.has(error)) return;
      this.#seen.add(error);
    }
    this.#sawQuiet = true;
    const failure = classify(error);
    if (failure.t !== 'quiet') this.#resolveEnd(failure.t === 'loud' ? { ...failure, unawaited } : failure);
  }

  /** Records that the program itself reported a failure. */
  noteLoggedError(): void {
    this.#sawQuiet = true;
  }
}

function classify(error: unknown): Failure {
  if (isMonitorGone(error)) return { t: 'gone' };
  if (isNamed(error, 'RegistrationStopped'))
    return isMonitorGone(error.cause) ? { t: 'gone' } : { t: 'quiet' };
  return { t: 'loud', error };
}

/** Tells whether the monitor no longer answers: the deployment is over. */
// [PRG-5]
export function isMonitorGone(error: unknown): boolean {
  return isStatusError(error, 'UNAVAILABLE') || isStatusError(error, 'CANCELLED');
}

function isNamed(error: unknown, name: string): error is Error {
  return typeof error === 'object' && error !== null && (error as { name?: unknown }).name === name;
}
