import { PluginDiedError, ProviderError, isStatusError } from '@cairn/wire';
import type { Caller } from '@cairn/wire/caller';

/** State of the process behind a connection. */
interface ProcessNews {
  readonly name: string;
  /** Returns the way in which it ended, after a short wait. Undefined if it runs. */
  exit(): Promise<string | undefined>;
  lastWords(): readonly string[];
}

/**
 * Returns a caller whose calls describe the end of the process if the connection is lost. The effect of a call under
 * way is then unknown: the error leaves its object in doubt. Later calls are not made.
 */
export function guardedCaller(inner: Caller, news: ProcessNews): Caller {
  let ended: string | undefined;
  const explained = async (path: string, error: unknown): Promise<unknown> => {
    if (!isStatusError(error) || error.status !== 'UNAVAILABLE') return error;
    const exit = await news.exit();
    if (exit === undefined) {
      const text = `the Terraform provider ${news.name} cannot be reached: ${error.message}`;
      return new ProviderError('INTERNAL', text, { cause: error });
    }
    ended = exit;
    return died(news, `ended with ${exit} during ${methodIn(path)}`, true, error);
  };
  const refuse = (path: string): void => {
    if (ended === undefined) return;
    throw died(news, `has ended with ${ended}: ${methodIn(path)} is not called`, false);
  };
  return {
    unary: async (path, body, options) => {
      refuse(path);
      return inner.unary(path, body, options).catch(async (error: unknown) => {
        throw await explained(path, error);
      });
    },
    async *serverStream(path, body, options) {
      refuse(path);
      try {
        yield* inner.serverStream(path, body, options);
      } catch (error) {
        throw await explained(path, error);
      }
    },
    close: () => inner.close(),
  };
}

function died(news: ProcessNews, what: string, during: boolean, cause?: unknown): PluginDiedError {
  const hint = `run the command again; if it happens again, report it to the authors of ${news.name} with the output above`;
  const details = { causes: news.lastWords(), hint };
  return new PluginDiedError(`the Terraform provider ${news.name} ${what}`, during, details, { cause });
}

const methodIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
