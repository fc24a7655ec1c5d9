import { useEffect, useRef } from 'preact/hooks';
import { batch, useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { ConsoleChangeAnswer, ConsoleChangeRow } from '@cairn/http-api';
import { AnswerOrder } from '../../../src/model/answer-order.js';
import { ShownChangeLog } from '../../../src/model/change-page.js';
import type { ChangePage } from '../../../src/model/change-page.js';
import { ApiFailure, call, stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { tick } from '../../api/clock.js';
import { AGAIN_MS, isPassing } from '../../api/loaded.js';
import { listen } from '../../api/stream.js';

/** Shortest and longest time from records to their drawing, in milliseconds, and the time that each of them adds. */
const LEAST_MS = 100;
const MOST_MS = 1000;
const RECORD_MS = 2.5;

/** A change as far as it is known. */
interface WatchedChange {
  readonly page: ReadonlySignal<ChangePage | undefined>;
  readonly change: ReadonlySignal<ConsoleChangeRow | undefined>;
  readonly failure: ReadonlySignal<ApiFailure | undefined>;
}

/**
 * Reads a change, and follows it while it runs. `onStack` is called when facts of its stack change. Without a number,
 * nothing is read.
 */
export function useChange(name: StackName, number: number | undefined, onStack: () => void): WatchedChange {
  const log = useRef(new ShownChangeLog());
  const page = useSignal<ChangePage | undefined>(undefined);
  const change = useSignal<ConsoleChangeRow | undefined>(undefined);
  const failure = useSignal<ApiFailure | undefined>(undefined);
  useEffect(() => {
    log.current = new ShownChangeLog();
    page.value = undefined;
    change.value = undefined;
    if (number === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const order = new AnswerOrder();
    let isOver = false;
    const draw = (): void => {
      timer = undefined;
      batch(() => {
        page.value = log.current.page();
        tick();
      });
    };
    const take = (records: readonly Readonly<Record<string, unknown>>[]): void => {
      // Where many come at once, no one reads each, and a drawing costs more than they do.
      const wait = Math.min(MOST_MS, Math.max(LEAST_MS, records.length * RECORD_MS));
      if (log.current.add(records)) timer ??= setTimeout(draw, wait);
    };
    const load = async (): Promise<void> => {
      clearTimeout(retry);
      const request = order.begin();
      const isLate = (): boolean => isOver || !order.take(request);
      try {
        const answer = await call<ConsoleChangeAnswer>('GET', stackCall(name, `/changes/${number}`));
        if (isLate()) return;
        change.value = answer.change;
        failure.value = undefined;
        log.current.add(answer.records);
        draw();
      } catch (thrown) {
        if (!(thrown instanceof ApiFailure)) throw thrown;
        if (isLate()) return;
        failure.value = thrown;
        if (isPassing(thrown)) retry = setTimeout(() => void load(), AGAIN_MS);
      }
    };
    void load();
    const unlisten = listen([name], {
      stack: () => {
        void load();
        onStack();
      },
      records: (event) => event.change === number && take(event.records),
      again: () => void load(),
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(retry);
      unlisten();
    };
  }, [stackCall(name), number]);
  return { page, change, failure };
}
