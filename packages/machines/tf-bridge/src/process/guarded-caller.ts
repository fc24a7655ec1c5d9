import { PluginDiedError, ProviderError, isStatusError } from '@cairn/wire';
import type { Caller } from '@cairn/wire/caller';

/** What is known of the process behind a connection. */
interface ProcessNews {
  readonly name: string;
  /** How it ended, waited for a moment; undefined: it runs. */
  exit(): Promise<string | undefined>;
  lastWords(): readonly string[];
}

/**
 * A caller whose calls, when the connection is lost, say what became of the process. What a call that had begun has
 * done is not known then: the error leaves its object in doubt. Calls after that are not made.
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
