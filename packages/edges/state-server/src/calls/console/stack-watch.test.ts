import type { ConsoleStackEvent } from '@cairn/http-api';
import type { ServiceStore } from '../../store/service-store.js';
import type { ChangeCalls } from '../changes.js';
import { StackWatches } from './stack-watch.js';

test('a change that begins in the middle of a look, and ends before the next one, is seen to end', async () => {
  // What is asked for first in the second look makes the change begin; the third look finds that it has ended.
  let looks = 0;
  let newest = 1;
  let isRunning = false;
  const asked = (): void => {
    if (looks === 2 && newest === 1) [newest, isRunning] = [2, true];
  };
  const store = {
    stackExists: async () => {
      looks += 1;
      if (looks === 3) isRunning = false;
      return true;
    },
  };
  const changes = {
    running: async () => {
      const found = isRunning ? { update: 'change-2' } : undefined;
      asked();
      return found;
    },
    newest: async () => {
      const found = newest;
      asked();
      return found;
    },
  };
  const watches = new StackWatches({
    store: store as unknown as ServiceStore,
    changes: changes as unknown as ChangeCalls,
    monotonic: () => 0,
    failed: (what, thrown) => {
      throw new Error(what, { cause: thrown });
    },
  });
  const seen: (readonly [number | null, boolean])[] = [];
  await new Promise<void>((resolve) => {
    const listener = {
      stack: ({ running, change }: ConsoleStackEvent) => {
        seen.push([change, isRunning]);
        if (looks === 3 && running === null) resolve();
      },
      gone: () => undefined,
    };
    watches.listen({ project: 'shop', stack: 'dev' }, listener, undefined);
  });
  expect(seen.at(-1)).toEqual([2, false]);
}, 10_000);
