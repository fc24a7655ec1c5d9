import type { BlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import type { Timer } from '../../timer.js';
import { readMessages } from './control-files.js';
import type { MessageListener } from '../../model/control-message.js';

/**
 * Interval at which a running operation looks for messages, in milliseconds. Each look is one listing, so it is rarer
 * where that is a request over a network.
 */
const LOOK_EVERY_MS = { local: 1000, remote: 3000 } as const;

/** Running search for messages. */
export interface Listening {
  /**
   * Looks once more for messages since the last look, among the names of the journal's files if they are known. A
   * failure is reported as usual.
   */
  look(listed?: Iterable<string>): Promise<void>;
  /** Stops looking. */
  stop(): void;
}

/**
 * Looks for messages to a running operation until it is stopped, at first after one interval. Delivers each message
 * once and in order.
 */
export function listen(
  { store, timer }: { readonly store: BlobStore; readonly timer: Timer },
  directory: string,
  listener: MessageListener,
): Listening {
  let stopped = false;
  let heard = 0;
  let failing = false;
  let cancel: () => void = () => undefined;

  const lookNow = async (listed?: Iterable<string>): Promise<void> => {
    try {
      for (const { number, found } of await readMessages(store, directory, heard, listed)) {
        if (stopped) return;
        heard = number;
        if ('message' in found) listener.hear(found.message);
        else listener.warn(found.warning);
      }
      failing = false;
    } catch (thrown) {
      if (!isCairnError(thrown)) throw thrown;
      if (!failing) for (const found of thrown.diagnostics) listener.warn({ ...found, severity: 'warning' });
      failing = true;
    }
  };
  let looking = Promise.resolve();
  const look = (listed?: Iterable<string>): Promise<void> => {
    looking = looking.then(() => lookNow(listed));
    return looking;
  };
  const lookAgain = (): void => {
    if (!stopped)
      cancel = timer.after(
        LOOK_EVERY_MS[store.remote === true ? 'remote' : 'local'],
        () => void look().finally(lookAgain),
      );
  };
  lookAgain();
  return {
    look,
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}
