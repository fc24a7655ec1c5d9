import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { ApiFailure } from '../api/client.js';

/** Calls of a part of a page that change something. */
interface Action {
  /** Failure of the last call, until the next one begins. */
  readonly failure: ReadonlySignal<ApiFailure | undefined>;
  /** Makes a call, and then what follows its success. */
  run(call: () => Promise<unknown>, onDone: () => void): Promise<void>;
}

/** Returns a way to make calls whose failures the page shows. */
export function useAction(): Action {
  const failure = useSignal<ApiFailure | undefined>(undefined);
  return {
    failure,
    run: async (call, onDone) => {
      failure.value = undefined;
      try {
        await call();
        onDone();
      } catch (thrown) {
        if (!(thrown instanceof ApiFailure)) throw thrown;
        failure.value = thrown;
      }
    },
  };
}
