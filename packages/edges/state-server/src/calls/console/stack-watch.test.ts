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
    stackRecord: () => Promise.resolve(undefined),
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

const STACK = { organization: 'acme', project: 'shop', stack: 'dev' };
const RECORDS = [1, 2, 3, 4].map((seq) => JSON.stringify({ seq, type: 'note' }));

test('a listener that comes while records are read for another one gets each record once', async () => {
  let give: (() => void) | undefined;
  const reading = new Promise<void>((resolve) => (give = resolve));
  let asked: (() => void) | undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const changes = {
    newest: () => Promise.resolve(7),
    running: () => Promise.resolve({ update: 'u' }),
    records: async (_stack: unknown, _number: number, from: number) => {
      asked?.();
      await reading;
      return { records: RECORDS.slice(from) };
    },
  };
  const ports = { store: { stackExists: () => Promise.resolve(true) }, changes, monotonic: () => 0 };
  const watches = new StackWatches({ ...ports, failed: fail } as unknown as ConstructorParameters<
    typeof StackWatches
  >[0]);
  const follow = (place: { change: number; seq: number }) => {
    const seqs: unknown[] = [];
    let whole: (() => void) | undefined;
    const ended = new Promise<void>((resolve) => (whole = resolve));
    const unlisten = watches.listen(
      STACK,
      {
        stack: () => whole?.(),
        records: ({ records }) => seqs.push(...records.map(({ seq }) => seq)),
        gone: fail,
      },
      place,
    );
    return { seqs, ended, unlisten };
  };
  const first = follow({ change: 7, seq: 1 });
  await isAsked;
  const second = follow({ change: 7, seq: 2 });
  give?.();
  await Promise.all([first.ended, second.ended]);
  expect([first.seqs, second.seqs]).toEqual([
    [2, 3, 4],
    [3, 4],
  ]);
  first.unlisten();
  second.unlisten();
});

function fail(): never {
  throw new Error('the watch has failed');
}
