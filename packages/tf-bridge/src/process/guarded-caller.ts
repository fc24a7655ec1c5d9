import { ProviderError, isStatusError } from '@cairn/wire';
import type { StatusError } from '@cairn/wire';
import type { Caller } from '@cairn/wire/caller';

/** What is known of the process behind a connection. */
export interface ProcessNews {
  readonly name: string;
  /** How it ended, waited for a moment; undefined: it runs. */
  exit(): Promise<string | undefined>;
  lastWords(): readonly string[];
}

/**
 * A caller whose calls, when the connection is lost, say what became of the process. What a call that had begun has
 * done is not known then: the error leaves its object in doubt.
 */
export function guardedCaller(inner: Caller, news: ProcessNews): Caller {
  const explained = async (error: unknown, signal: AbortSignal | undefined): Promise<unknown> => {
    if (!isStatusError(error) || !isLost(error, signal)) return error;
    const exit = await news.exit();
    const what =
      exit === undefined ? `cannot be reached: ${error.message}` : `ended with ${exit} during the call`;
    const text = [`the Terraform provider ${news.name} ${what}`, ...news.lastWords()].join('\n');
    return new ProviderError('UNKNOWN', text, { cause: error });
  };
  return {
    unary: (path, body, options) =>
      inner.unary(path, body, options).catch(async (error: unknown) => {
        throw await explained(error, options?.signal);
      }),
    async *serverStream(path, body, options) {
      try {
        yield* inner.serverStream(path, body, options);
      } catch (error) {
        throw await explained(error, options?.signal);
      }
    },
    close: () => inner.close(),
  };
}

/** A connection that ends in the middle of an answer also looks like a call that was cancelled, by nobody. */
function isLost({ status }: StatusError, signal: AbortSignal | undefined): boolean {
  return status === 'UNAVAILABLE' || (status === 'CANCELLED' && signal?.aborted !== true);
}
