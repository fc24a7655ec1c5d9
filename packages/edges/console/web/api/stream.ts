import { signal } from '@preact/signals';
import type { ConsoleRecordsEvent, ConsoleStackEvent } from '@cairn/http-api';
import { base } from './base.js';
import { namePath } from './client.js';
import type { StackName } from './client.js';
import { checkSession } from './session.js';

/** Connection to the service: `none` while no view listens. */
export const connection = signal<'none' | 'open' | 'lost'>('none');

/** Receives events about stacks. */
export interface StreamReader {
  stack(event: ConsoleStackEvent): void;
  readonly records?: (event: ConsoleRecordsEvent) => void;
  /** The stream is open again after it was lost: what was read by calls may be old. */
  again?(): void;
}

/** Times between two attempts after a refusal, in milliseconds. */
const FIRST_MS = 1000;
const LONGEST_MS = 15_000;

/** Listens to stacks, and connects again whenever the stream ends. Returns its end. */
export function listen(stacks: readonly StackName[], reader: StreamReader): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastId = '0-0';
  let waitMs = FIRST_MS;
  let wasLost = false;
  let isOver = false;
  const connect = (): void => {
    const query = new URLSearchParams(stacks.map((name) => ['stack', decodeURIComponent(namePath(name))]));
    if (reader.records !== undefined) query.set('after', lastId);
    source = new EventSource(`${base}/console/stream?${query}`);
    source.onopen = () => {
      connection.value = 'open';
      waitMs = FIRST_MS;
      if (wasLost) reader.again?.();
      wasLost = false;
    };
    source.addEventListener('stack', (event) => {
      const read = parsed<ConsoleStackEvent>(event.data);
      if (read === undefined) connectLater();
      else reader.stack(read);
    });
    source.addEventListener('records', (event) => {
      const read = parsed<ConsoleRecordsEvent>(event.data);
      if (read === undefined) return connectLater();
      lastId = event.lastEventId;
      reader.records?.(read);
    });
    source.addEventListener('ended', () => location.reload());
    source.onerror = () => {
      if (isOver) return;
      // The browser connects again by itself, unless the service has refused.
      if (source?.readyState === EventSource.CLOSED) connectLater();
      else lose();
    };
  };
  const lose = (): void => {
    connection.value = 'lost';
    wasLost = true;
  };
  /** Ends the stream, because it was refused or is damaged, and connects again after a while. */
  const connectLater = (): void => {
    source?.close();
    lose();
    clearTimeout(timer);
    timer = setTimeout(() => void again(), waitMs);
    waitMs = Math.min(LONGEST_MS, waitMs * 2);
  };
  /** Connects again, unless the session has ended meanwhile. */
  const again = async (): Promise<void> => {
    await checkSession();
    if (!isOver) connect();
  };
  connect();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
    connection.value = 'none';
  };
}

/** Reads the data of an event, or returns undefined for a part of one. */
function parsed<T>(data: string): T | undefined {
  try {
    return JSON.parse(data) as T;
  } catch {
    return undefined;
  }
}
